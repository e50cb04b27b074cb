import { assert, assertEquals } from "@std/assert";
import type { Notification } from "../../../lib/config/channels/keys.ts";
import type { Condition } from "../../../lib/state.ts";
import { channelOf, Inbox, StoryOfSites } from "../../helpers/channels.ts";
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

const EACH = {};
const GROUPED = { "group-notifications": true };
const WINDOW = { "group-notifications": true, "group-interval": 1800 };
const INTERVAL = { "min-interval": 900 };

/** The docs state these numbers. */
const TABLE: [what: string, keys: Partial<Notification>, messages: number][] = [
  ["nothing", EACH, 100],
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

Deno.test("without an interval each event is a message of its own, and grouped they are one", () => {
  const crowd = [[0, { shop: "down", api: "down" }], [5, { shop: "up", api: "up" }]] as const;
  assertEquals(new Inbox(channelOf()).play(crowd).told(), [
    "0: shop down",
    "0: api down",
    "5: shop up",
    "5: api up",
  ]);
  assertEquals(new Inbox(channelOf(GROUPED)).play(crowd).told(), [
    "0: shop down, api down",
    "5: shop up, api up",
  ]);
});

Deno.test("a group interval is counted from the message that went out at once, and survives from run to run", () => {
  const inbox = new Inbox(channelOf(WINDOW)).play([
    [0, { shop: "down" }],
    [10, { api: "down" }],
    [20, { mail: "down" }],
    [31, {}],
    [35, { api: "up" }],
    [40, { mail: "up" }],
    [66, {}],
  ]);
  assertEquals(inbox.told(), [
    "0: shop down",
    "31: api down, mail down",
    "35: api up",
    "66: mail up",
  ]);
});

Deno.test("what happens in the run in which an interval ends is in the same message, and starts the next interval", () => {
  const inbox = new Inbox(channelOf(WINDOW)).play([
    [0, { shop: "down" }],
    [10, { api: "down" }],
    [30, { mail: "down" }],
    [35, { api: "up" }],
    [59, {}],
    [60, {}],
  ]);
  assertEquals(inbox.told(), ["0: shop down", "30: api down, mail down", "60: api up"]);
});

Deno.test("a message that is planned twice has the same id, and one for another channel a different one", () => {
  const { events } = new StoryOfSites().run({ shop: "down", api: "down" }, NOW);
  const [one, again] = [0, 5].map((minute) =>
    new Inbox(channelOf(GROUPED)).run(minute, { events })
  );
  assertEquals(one, again);
  const other = new Inbox({ ...channelOf(GROUPED), key: "other" }).run(0, { events });
  assert(other[0]!.id !== one![0]!.id);
});

Deno.test("a clock that is set back holds nothing back for longer than an interval", () => {
  for (const keys of [INTERVAL, { ...GROUPED, "group-interval": 900 }]) {
    const inbox = new Inbox(channelOf(keys)).play([
      [600, { shop: "down" }],
      [0, { api: "down" }],
      [5, { mail: "down" }],
      [15, {}],
    ]);
    assertEquals(inbox.told(), ["600: shop down", "15: api down, mail down"]);
  }
});

Deno.test("a run that started before the one that sent a message respects the interval as well", () => {
  const inbox = new Inbox(channelOf(INTERVAL)).play([
    [2, { shop: "down" }],
    [0, { api: "down" }],
    [15, {}],
    [17, {}],
  ]);
  assertEquals(inbox.told(), ["2: shop down", "17: api down"]);
});

Deno.test("held events are sent as configured when the interval ends", () => {
  const held = new Inbox(channelOf(INTERVAL)).play([[0, { shop: "down" }], [5, {
    api: "down",
    mail: "down",
  }]]);
  const shorter = new Inbox(channelOf());
  shorter.memory = held.memory;
  assertEquals(shorter.run(6).map(({ events }) => events.length), [1, 1]);
});

Deno.test("a channel has no state once everything is sent and all sites are up", () => {
  const inbox = new Inbox(channelOf({ ...WINDOW, ...INTERVAL })).play(CROWD);
  assert(JSON.stringify(inbox.memory).length > 2);
  inbox.run(300);
  assertEquals(inbox.memory, {});
});

Deno.test("the state of a channel with 50 sites that are down fits into 10 kB", () => {
  const inbox = new Inbox(channelOf(GROUPED)).play(CROWD.slice(0, 1));
  assert(JSON.stringify(inbox.memory).length < 10_000);
});
