import { assertEquals } from "@std/assert";
import type { Notification } from "../../../lib/config/channels/keys.ts";
import { channelOf, Inbox, MINUTE, parseSteps, StoryOfSites } from "../../helpers/channels.ts";
import { NOW } from "../../helpers/outcomes.ts";

// NOW is 10:05 UTC: minute 55 is 11:00, minute 115 is 12:00.
const LATER = { after: 15 * MINUTE };
const QUIET = { quiet: { from: "11:00", to: "12:00" } };
const EXCEPT = { quiet: { ...QUIET.quiet, except: "critical" as const } };
const REMINDED = { reminders: [20 * MINUTE] };

/** Messages are separated by semicolons, events by commas. */
const STORIES: [what: string, keys: Partial<Notification>, story: string, messages: string][] = [
  [
    "a step is sent when its time has come, and its recovery then",
    LATER,
    "0 shop down; 5; 10; 14; 15; 20; 25 shop up",
    "15: shop down; 25: shop up",
  ],
  [
    "an outage that is over before its step is never sent, and neither is its recovery",
    LATER,
    "0 shop down; 5; 14 shop up; 15; 30",
    "",
  ],
  [
    "a step that no run could evaluate in time is sent by the next, if the site is still down then",
    LATER,
    "0 shop down, api down; 5; 55 api up; 60",
    "55: shop down",
  ],
  [
    "time counts from the start of the incident, although it got worse since",
    { ...LATER, on: ["down", "up"] },
    "0 shop degraded; 10 shop down; 15; 20 shop up",
    "15: shop down; 20: shop up",
  ],
  [
    "an incident that gets worse after the time of a step is sent at once",
    { ...LATER, on: ["down", "up"] },
    "0 shop degraded; 10; 20 shop down; 25 shop up",
    "20: shop down; 25: shop up",
  ],
  [
    "a second outage has its own step",
    LATER,
    "0 shop down; 10 shop up; 12 shop down; 20; 26; 27; 30 shop up",
    "27: shop down; 30: shop up",
  ],
  [
    "after a step every change is sent",
    LATER,
    "0 shop down; 15; 20 shop degraded; 25 shop down; 30 shop up",
    "15: shop down; 20: shop degraded; 25: shop down; 30: shop up",
  ],
  [
    "in quiet hours nothing is sent, and at their end one message has everything",
    QUIET,
    "50 shop down; 60 shop up, api down; 70 mail down; 80 mail up; 114; 115; 120 api up",
    "50: shop down; 115: shop up, api down, mail was down; 120: api up",
  ],
  [
    "what happens in the run that ends quiet hours is in the same message",
    QUIET,
    "60 shop down; 118 api down; 120 shop up, api up",
    "118: shop down, api down; 120: shop up; 120: api up",
  ],
  [
    "a reminder in quiet hours is sent once at their end, if the site is still down",
    { ...QUIET, ...REMINDED },
    "40 shop down, api down; 60; 80; 100 api up; 115; 120; 135",
    "40: shop down; 40: api down; 115: api up, shop still down; 135: shop still down",
  ],
  [
    "a step within quiet hours waits for their end",
    { ...QUIET, ...LATER },
    "45 shop down, api down, mail down; 55 mail up; 60; 110 api up; 115; 120 shop up",
    "115: shop down, api was down; 120: shop up",
  ],
  [
    "critical events pass quiet hours if they are excepted, and so does their recovery",
    EXCEPT,
    "60 shop down, api degraded; 70 api down; 80 api degraded; 90 shop up; 100 api up; 115",
    "60: shop down; 70: api down; 90: shop up; 100: api up",
  ],
  [
    "a recovery from before quiet hours passes if the outage was critical",
    EXCEPT,
    "40 shop down, api degraded; 60 shop up; 70 api up; 115",
    "40: shop down; 40: api degraded; 60: shop up; 115: api up",
  ],
];

for (const [what, keys, story, messages] of STORIES) {
  Deno.test(what, () => {
    assertEquals(new Inbox(channelOf(keys)).play(story).summary().join("; "), messages);
  });
}

/** Plays a story in which shop's incident is acknowledged from one minute on, before another. */
function playAcknowledged(
  keys: Partial<Notification>,
  story: string,
  { from, to = Infinity }: { from: number; to?: number },
): string {
  const sites = new StoryOfSites();
  const inbox = new Inbox(channelOf(keys));
  for (const [minute, conditions] of parseSteps(story)) {
    const { events, ongoing } = sites.run(conditions, NOW.add({ minutes: minute }));
    const acknowledged = minute >= from && minute < to ? { by: "jo", at: `${NOW}` } : undefined;
    const marked = ongoing.map((event) =>
      acknowledged === undefined ? event : { ...event, acknowledged }
    );
    inbox.run(minute, { events, ongoing: marked });
  }
  return inbox.summary().join("; ");
}

Deno.test("an acknowledged outage has no steps and no reminders while that is in effect", () => {
  const story = "0 shop down; 10; 15; 20; 40; 45; 60 shop up";
  assertEquals(playAcknowledged(LATER, story, { from: 10 }), "");
  assertEquals(
    playAcknowledged(LATER, story, { from: 10, to: 40 }),
    "40: shop down; 60: shop up",
  );
  assertEquals(
    playAcknowledged(REMINDED, story, { from: 10 }),
    "0: shop down; 10: shop acknowledged; 60: shop up",
  );
  assertEquals(
    playAcknowledged(REMINDED, story, { from: 10, to: 45 }),
    "0: shop down; 10: shop acknowledged; 45: shop still down; 60: shop up",
  );
});

Deno.test("a step that was collected in quiet hours is not sent once it is acknowledged", () => {
  const story = "40 shop down; 60; 80; 115; 120 shop up";
  assertEquals(playAcknowledged({ ...QUIET, ...LATER }, story, { from: 80 }), "");
});
