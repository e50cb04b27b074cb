import { assertEquals } from "@std/assert";
import { channelOf, Inbox, MINUTE, StoryOfSites } from "../../helpers/channels.ts";
import { NOW } from "../../helpers/outcomes.ts";

const DELAYS = [30 * MINUTE, 120 * MINUTE];

/** Runs every 5 minutes with nothing new. */
function quiet(from: number, to: number): [number, Record<string, never>][] {
  return Array.from({ length: (to - from) / 5 + 1 }, (_, index) => [from + 5 * index, {}]);
}

Deno.test("a site that stays down is reminded of, with the last delay repeating", () => {
  const inbox = new Inbox(channelOf({ reminders: DELAYS })).play([
    [0, { shop: "down" }],
    ...quiet(5, 400),
    [405, { shop: "up" }],
    ...quiet(410, 800),
  ]);
  assertEquals(inbox.told(), [
    "0: shop down",
    "30: shop still down",
    "150: shop still down",
    "270: shop still down",
    "390: shop still down",
    "405: shop up",
  ]);
});

Deno.test("a channel without reminders gets none", () => {
  assertEquals(
    new Inbox(channelOf()).play([[0, { shop: "down" }], ...quiet(5, 400)]).told().length,
    1,
  );
});

Deno.test("a site that stays degraded is reminded of, unless the channel is not notified of degraded sites", () => {
  const degraded: Parameters<Inbox["play"]>[0] = [[0, { shop: "degraded" }], ...quiet(5, 155)];
  assertEquals(new Inbox(channelOf({ reminders: DELAYS })).play(degraded).told(), [
    "0: shop degraded",
    "30: shop still degraded",
    "150: shop still degraded",
  ]);
  const deaf = channelOf({ reminders: DELAYS, on: ["down", "up"] });
  assertEquals(new Inbox(deaf).play(degraded).told(), []);
});

Deno.test("one reminder replaces all that were due while no run took place", () => {
  const inbox = new Inbox(channelOf({ reminders: [10 * MINUTE] }));
  assertEquals(inbox.play([[0, { shop: "down" }], [55, {}], [60, {}], [65, {}]]).told(), [
    "0: shop down",
    "55: shop still down",
    "65: shop still down",
  ]);
});

Deno.test("no reminder is sent of an outage that was not notified, nor while events are held", () => {
  const keys = { reminders: [10 * MINUTE], "min-interval": 1800 };
  const inbox = new Inbox(channelOf(keys)).play([
    [0, { api: "down" }],
    [5, { shop: "down", api: "up" }],
    ...quiet(10, 75),
  ]);
  assertEquals(inbox.told(), ["0: api down", "30: shop down, api up", "60: shop still down"]);
});

Deno.test("a site of unknown state or in maintenance is reminded of only afterwards", () => {
  const story = new StoryOfSites();
  const inbox = new Inbox(channelOf({ reminders: [10 * MINUTE] }));
  inbox.run(0, story.run({ shop: "down" }, NOW));
  inbox.run(10);
  inbox.run(15);
  inbox.run(20, story.run({}, NOW.add({ minutes: 20 })));
  assertEquals(inbox.told(), ["0: shop down", "20: shop still down"]);
});

Deno.test("the delays of reminders restart when an outage gets worse or reopens", () => {
  const inbox = new Inbox(channelOf({ reminders: DELAYS })).play([
    [0, { shop: "down" }],
    [30, {}],
    [40, { shop: "up" }],
    [45, { shop: "down" }],
    [75, {}],
    [80, { shop: "degraded" }],
    [200, {}],
    [205, { shop: "down" }],
    [235, {}],
  ]);
  assertEquals(inbox.told().filter((line) => line.includes("still")), [
    "30: shop still down",
    "75: shop still down",
    "200: shop still degraded",
    "235: shop still down",
  ]);
});

Deno.test("a clock that is set back postpones a reminder by its length at most", () => {
  const inbox = new Inbox(channelOf({ reminders: [30 * MINUTE] }));
  inbox.play([[600, { shop: "down" }], ...quiet(5, 65)]);
  assertEquals(inbox.told(), ["600: shop down", "35: shop still down", "65: shop still down"]);
});

Deno.test("reminders that are due together are one message in a grouped channel", () => {
  const inbox = new Inbox(channelOf({ reminders: DELAYS, "group-notifications": true }));
  inbox.play([[0, { shop: "down", api: "down" }], [30, {}]]);
  assertEquals(inbox.told()[1], "30: shop still down, api still down");
});
