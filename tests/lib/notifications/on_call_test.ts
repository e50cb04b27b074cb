import { assertEquals } from "@std/assert";
import type { Notification } from "../../../lib/config/channels/keys.ts";
import type { ChannelStates } from "../../../lib/notifications/channel_state.ts";
import type { OpenOutage } from "../../../lib/notifications/message.ts";
import { planNotices } from "../../../lib/notifications/notices.ts";
import { planMessages } from "../../../lib/notifications/plan_messages.ts";
import type { Condition } from "../../../lib/state.ts";
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
    "events of the run that ends quiet hours are in the same message",
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
    "no reminder is sent in quiet hours, also of an outage that was sent in them",
    { ...EXCEPT, ...REMINDED },
    "60 shop down; 80; 100; 115; 120 shop up",
    "60: shop down; 115: shop still down; 120: shop up",
  ],
  [
    "a step that starts or is due within the minimum interval is sent after it",
    { ...LATER, "min-interval": 1800 },
    "0 shop down; 15; 20 api down; 30 post down; 35; 40 shop up; 45; 50; 75",
    "15: shop down; 45: api down, shop up, post down",
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

Deno.test("after the run state was lost, steps that are due are sent, and others are not taken for sent", () => {
  for (const isLost of [true, undefined]) {
    const sites = new StoryOfSites();
    const inbox = new Inbox(channelOf(LATER));
    const run = (minute: number, conditions: Record<string, Condition>) => {
      const { events, ongoing } = sites.run(conditions, NOW.add({ minutes: minute }));
      const open = ongoing as OpenOutage[];
      inbox.run(minute, { events, ongoing, open, ...minute === 20 ? { isLost } : {} });
    };
    run(0, { shop: "down" });
    run(10, { api: "down", post: "down" });
    inbox.memory = undefined;
    run(20, {});
    run(22, { post: "up" });
    run(25, {});
    run(30, { shop: "up", api: "up" });
    assertEquals(inbox.summary(), ["20: shop down", "25: api down", "30: shop up", "30: api up"]);
  }
});

Deno.test("a channel whose configuration is missing for a while forgets steps of outages that are over", () => {
  const channel = channelOf(LATER);
  const sites = new StoryOfSites();
  let states: ChannelStates = {};
  const sent = ([[0, "down"], [5, "up"], [10, "down"], [20, "down"], [25, "down"]] as const)
    .flatMap(([minute, shop]) => {
      const now = NOW.add({ minutes: minute });
      const isPartial = minute === 5;
      const channels = isPartial ? [] : [channel];
      const planned = planMessages({
        channels,
        isPartial,
        ...sites.run({ shop }, now),
        states,
        now,
      });
      states = planned.states;
      if (isPartial) assertEquals(states[channel.key]!.waiting, undefined);
      return planned.messages.map(() => minute);
    });
  assertEquals(sent, [25]);
});

Deno.test("notices wait for the end of quiet hours as well", () => {
  const notice = { key: "a", title: "Notification channel slack can't work", text: "no scheme" };
  const { events } = planNotices([notice], { notified: [], monitor: "acme/status", now: NOW });
  const inbox = new Inbox(channelOf(QUIET));
  inbox.run(60, { events });
  inbox.run(114);
  inbox.run(115);
  assertEquals(inbox.messages.map(({ minute }) => minute), [115]);
});

Deno.test("the message at the end of quiet hours waits for the minimum interval, and is one with it", () => {
  const inbox = new Inbox(channelOf({ ...EXCEPT, "min-interval": 1200 })).play(
    "60 api degraded; 110 shop down; 115; 120 post degraded; 130",
  );
  assertEquals(inbox.summary(), ["110: shop down", "130: api degraded, post degraded"]);
});

Deno.test("a channel that takes one event at a time gets each event at the end of quiet hours", () => {
  const pager = channelOf({ ...QUIET, type: "pagerduty", "integration-key": "$KEY" });
  const inbox = new Inbox(pager).play("60 shop down, api down; 115");
  assertEquals(inbox.summary(), ["115: shop down", "115: api down"]);
});

Deno.test("more than a hundred sites that fail at once are one message, but each is one for a pager", () => {
  const count = (keys: Partial<Notification>, sites: number) => {
    const story = Object.fromEntries(
      Array.from({ length: sites }, (_, index) => [`site-${index}`, "down" as const]),
    );
    const causes = new StoryOfSites().run(story, NOW);
    const channels = [channelOf(keys)];
    return planMessages({ channels, ...causes, states: {}, now: NOW }).messages.length;
  };
  assertEquals([count({}, 100), count({}, 101)], [100, 1]);
  assertEquals(count({ type: "pagerduty" }, 101), 101);
});
