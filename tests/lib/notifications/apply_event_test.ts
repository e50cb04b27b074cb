import { assertEquals } from "@std/assert";
import type { EventKind, OpenOutage } from "../../../lib/notifications/message.ts";
import type { Condition } from "../../../lib/state.ts";
import { channelOf, Inbox, StoryOfSites } from "../../helpers/channels.ts";
import { NOW } from "../../helpers/outcomes.ts";

interface Row {
  story: Condition[];
  on?: EventKind[];
  /** Events sent without an interval, and if the whole story is within one interval. */
  sent: string;
  held: string;
}

/** A condition every 5 minutes; with an interval, an event of another site starts it first. */
const ROWS: Row[] = [
  { story: ["down", "up"], sent: "down, up", held: "was down" },
  { story: ["degraded", "up"], sent: "degraded, up", held: "was degraded" },
  { story: ["degraded", "down", "up"], sent: "degraded, down, up", held: "was down" },
  { story: ["down", "degraded", "up"], sent: "down, degraded, up", held: "was down" },
  { story: ["down", "degraded", "down"], sent: "down, degraded, down", held: "down" },
  { story: ["down", "up", "down"], sent: "down, up, down", held: "was down, down" },
  { story: ["down", "up", "degraded"], sent: "down, up, degraded", held: "was down, degraded" },
  { story: ["down", "up", "down", "up"], sent: "down, up, down, up", held: "was down, was down" },
  { on: ["down"], story: ["down", "up", "down"], sent: "down, down", held: "was down, down" },
  { on: ["down"], story: ["degraded", "down", "up"], sent: "down", held: "was down" },
  { on: ["down"], story: ["down", "degraded", "down"], sent: "down", held: "down" },
  { on: ["down"], story: ["degraded", "up"], sent: "", held: "" },
  { on: ["up"], story: ["down", "up", "down"], sent: "up", held: "up" },
  { on: ["up"], story: ["degraded", "up"], sent: "up", held: "up" },
  { on: ["up"], story: ["down", "up", "down", "up"], sent: "up, up", held: "up, up" },
  { on: ["down", "up"], story: ["degraded", "up"], sent: "", held: "" },
  { on: ["down", "up"], story: ["degraded", "down", "up"], sent: "down, up", held: "was down" },
  { on: ["down", "up"], story: ["down", "degraded", "up"], sent: "down, up", held: "was down" },
  { on: ["degraded", "up"], story: ["down", "up"], sent: "", held: "" },
  {
    on: ["degraded", "up"],
    story: ["down", "degraded", "up"],
    sent: "degraded, up",
    held: "was degraded",
  },
  { on: ["degraded", "up"], story: ["degraded", "down"], sent: "degraded", held: "degraded" },
  {
    on: ["down", "degraded"],
    story: ["down", "degraded", "up"],
    sent: "down, degraded",
    held: "was down",
  },
  { on: [], story: ["down", "degraded", "up"], sent: "", held: "" },
];

/** Notifications of a channel about a site, in order. */
function kindsOf(inbox: Inbox): string {
  return inbox.messages.flatMap(({ message: { events } }) => events)
    .filter(({ slug }) => slug === "shop")
    .map(({ kind, was }) => was === undefined ? kind : `was ${was}`).join(", ");
}

for (const { story, on, sent, held } of ROWS) {
  const who = on === undefined
    ? "a channel"
    : `a channel that is notified of ${on.join(" and ") || "nothing"}`;
  Deno.test(`${who} is notified of ${story.join(", ")}: ${sent || "nothing"}; held back: ${held || "nothing"}`, () => {
    const runs = story.map((condition, index) => [5 * index + 1, { shop: condition }] as const);
    assertEquals(kindsOf(new Inbox(channelOf({ on })).play(runs)), sent);
    const more = { on, "min-interval": 3600 };
    const before = [[-10, { other: "down" }], [-5, { other: "up" }], [-1, {
      other: "degraded",
    }]] as const;
    const inbox = new Inbox(channelOf(more)).play([...before, ...runs, [60, {}]]);
    assertEquals(kindsOf(inbox), held);
  });
}

Deno.test("an escalation that is over before it can be sent is part of the message of the end", () => {
  const inbox = new Inbox(channelOf({ "min-interval": 900 })).play([
    [0, { shop: "degraded" }],
    [5, { shop: "down" }],
    [12, { shop: "up" }],
    [15, {}],
  ]);
  assertEquals(inbox.summary(), ["0: shop degraded", "15: shop was down"]);
  const { lasted, since, error } = inbox.messages[1]!.message.events[0]!;
  assertEquals([lasted, since, error], [
    7 * 60_000,
    "2026-11-21T10:17:03.12Z",
    "connection refused",
  ]);
});

Deno.test("a channel that is added while a site is down is not notified of its recovery", () => {
  const story = new StoryOfSites();
  const [before, after] = [new Inbox(channelOf()), new Inbox(channelOf())];
  before.run(0, story.run({ shop: "down" }, NOW));
  const found = story.run({ shop: "up" }, NOW.add({ minutes: 5 }));
  for (const inbox of [before, after]) inbox.run(5, found);
  assertEquals(before.summary(), ["0: shop down", "5: shop up"]);
  assertEquals(after.summary(), []);
});

Deno.test("a recovery is sent even if the run state was lost meanwhile", () => {
  const story = new StoryOfSites();
  const [longBefore, justBefore] = [new Inbox(channelOf()), new Inbox(channelOf())];
  for (const inbox of [longBefore, justBefore]) inbox.memory = undefined;
  story.run({ shop: "down" }, NOW);
  longBefore.run(5, story.run({}, NOW.add({ minutes: 5 })));
  const found = story.run({ shop: "up" }, NOW.add({ minutes: 10 }));
  for (const inbox of [longBefore, justBefore]) inbox.run(10, found);
  assertEquals(longBefore.summary(), ["10: shop up"]);
  assertEquals(justBefore.summary(), ["10: shop up"]);
});

Deno.test("an outage is sent even if the end of the one before was lost", () => {
  const story = new StoryOfSites();
  const inbox = new Inbox(channelOf());
  inbox.run(0, story.run({ shop: "down" }, NOW));
  story.run({ shop: "up" }, NOW.add({ minutes: 5 }));
  inbox.run(10, story.run({ shop: "down" }, NOW.add({ minutes: 10 })));
  assertEquals(inbox.summary(), ["0: shop down", "10: shop down"]);
});

Deno.test("after the run state was lost an outage is sent again, once its site is seen to be down", () => {
  const story = new StoryOfSites();
  story.run({ shop: "down", api: "degraded", post: "down" }, NOW);
  const { ongoing: open } = story.run({}, NOW.add({ minutes: 5 }));
  const seen = open.filter(({ slug }) => slug !== "post");
  const inbox = new Inbox(channelOf({ on: ["down", "up"] }));
  inbox.memory = undefined;
  inbox.run(5, { ongoing: seen, open: open as OpenOutage[], isLost: true });
  inbox.run(10, { ongoing: seen });
  inbox.run(15, { ongoing: open });
  inbox.run(20, { ongoing: open });
  inbox.run(25, story.run({ shop: "up", api: "up", post: "up" }, NOW.add({ minutes: 25 })));
  assertEquals(inbox.summary(), ["5: shop down", "15: post down", "25: shop up", "25: post up"]);
});

Deno.test("an outage ends for a channel if its site recovers after the run state was lost", () => {
  const story = new StoryOfSites();
  story.run({ shop: "down" }, NOW);
  const { ongoing: open } = story.run({}, NOW.add({ minutes: 5 }));
  const inbox = new Inbox(channelOf());
  inbox.memory = undefined;
  inbox.run(5, { open: open as OpenOutage[], isLost: true });
  inbox.run(10, story.run({ shop: "up" }, NOW.add({ minutes: 10 })));
  assertEquals(inbox.summary(), ["10: shop up"]);
});
