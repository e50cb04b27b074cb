import { assert, assertEquals } from "@std/assert";
import type { Notification } from "../../../lib/config/channels/keys.ts";
import type { Condition } from "../../../lib/state.ts";
import { channelOf, Inbox, MINUTE, StoryOfSites } from "../../helpers/channels.ts";
import { readDoc } from "../../helpers/docs.ts";
import { NOW } from "../../helpers/outcomes.ts";

const SITES = Array.from({ length: 50 }, (_, index) => `site-${index + 1}`);

/** All sites fall in one run, and in each run after it, every 5 minutes, one of them recovers. */
const CROWD: [number, Record<string, Condition>][] = [
  [0, Object.fromEntries(SITES.map((slug) => [slug, "down"]))],
  ...SITES.map((
    slug,
    index,
  ): [number, Record<string, Condition>] => [5 * (index + 1), { [slug]: "up" }]),
  ...[255, 260, 265, 270].map((minute): [number, Record<string, Condition>] => [minute, {}]),
];

const EACH = { "group-notifications": false };
const GROUPED = { "group-notifications": true };
const WINDOW = { "group-notifications": true, "group-interval": 1800 };
const INTERVAL = { "min-interval": 900 };

/** The docs state these numbers. */
const TABLE: [what: string, keys: Partial<Notification>, messages: number][] = [
  ["nothing", {}, 51],
  ["group-notifications: false", EACH, 100],
  ["group-notifications", GROUPED, 51],
  ["group-notifications and a group-interval of 30 minutes", WINDOW, 10],
  ["a min-interval of 15 minutes", INTERVAL, 18],
  ["group-notifications and a min-interval of 15 minutes", { ...GROUPED, ...INTERVAL }, 18],
  ["all three", { ...WINDOW, ...INTERVAL }, 10],
];

for (const [what, keys, messages] of TABLE) {
  Deno.test(`50 sites that fall at once and recover one by one are ${messages} messages with ${what}`, async () => {
    const inbox = new Inbox(channelOf(keys)).play(CROWD);
    assertEquals(inbox.messages.length, messages);
    const events = inbox.messages.flatMap(({ message }) => message.events);
    assertEquals(events.length, 100);
    for (const slug of SITES) {
      assertEquals(events.filter((event) => event.slug === slug).map(({ kind }) => kind), [
        "down",
        "up",
      ]);
    }
    const rows = (await readDoc("docs/notifications.md")).split("\n").map((line) =>
      line.replaceAll(/ +/g, " ").replaceAll("`", "")
    );
    assert(rows.includes(`| ${what} | ${messages} |`), what);
  });
}

Deno.test("a message that is planned twice has the same id, and one for another channel a different one", () => {
  const subjects = new StoryOfSites().run({ shop: "down", api: "down" }, NOW);
  const [one, again] = [0, 5].map((minute) => new Inbox(channelOf(GROUPED)).run(minute, subjects));
  assertEquals(one, again);
  const other = new Inbox({ ...channelOf(GROUPED), key: "other" }).run(0, subjects);
  assert(other[0]!.id !== one![0]!.id);
});

Deno.test("held events are sent as configured when the interval ends", () => {
  const story = new StoryOfSites();
  const held = new Inbox(channelOf(INTERVAL));
  held.run(0, story.run({ shop: "down" }, NOW));
  const subjects = story.run({ api: "down", mail: "down" }, NOW.add({ minutes: 5 }));
  assertEquals(held.run(5, subjects), []);
  const shorter = new Inbox(channelOf());
  shorter.state = held.state;
  assertEquals(shorter.run(6, subjects).map(({ events }) => events.length), [1, 1]);
});

Deno.test("a channel has no state once everything is sent and all sites are up", () => {
  const inbox = new Inbox(channelOf({ ...WINDOW, ...INTERVAL })).play(CROWD);
  assert(inbox.state.notified.length > 0);
  inbox.run(300);
  assertEquals(inbox.state, { notified: [] });
});

Deno.test("the state of a channel with 50 sites that are down fits into 10 kB", () => {
  const inbox = new Inbox(channelOf(GROUPED)).play(CROWD.slice(0, 1));
  assert(JSON.stringify(inbox.state).length < 10_000);
});

Deno.test("a site of unknown state or in maintenance is reminded of only afterwards", () => {
  const story = new StoryOfSites();
  const inbox = new Inbox(channelOf({ reminders: [10 * MINUTE] }));
  inbox.run(0, story.run({ shop: "down" }, NOW));
  for (const minute of [10, 15]) {
    const subjects = story.run({}, NOW.add({ minutes: minute }));
    inbox.run(minute, subjects.map((one) => ({ ...one, isUncertain: true })));
  }
  inbox.run(20, story.run({}, NOW.add({ minutes: 20 })));
  assertEquals(inbox.summary(), ["0: shop down", "20: shop still down"]);
});
