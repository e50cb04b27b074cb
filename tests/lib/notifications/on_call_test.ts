import { assertEquals } from "@std/assert";
import type { Notification } from "../../../lib/config/channels/keys.ts";
import { type NoticeStarts, toNoticeSubjects } from "../../../lib/notifications/notices.ts";
import type { Condition } from "../../../lib/state.ts";
import { planMessageEffects } from "../../../lib/notifications/message_effects.ts";
import { channelOf, Inbox, MINUTE, StoryOfSites } from "../../helpers/channels.ts";
import { Mailbox } from "../../helpers/mailbox.ts";
import { NOW } from "../../helpers/outcomes.ts";
import { LANGUAGE } from "../../helpers/languages.ts";

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
    "50: shop down; 115: shop up, mail was down, api down; 120: api up",
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
    "15: shop down; 45: shop up, api down, post down",
  ],
  [
    "a step within quiet hours waits for their end",
    { ...QUIET, ...LATER },
    "45 shop down, api down, mail down; 55 mail up; 60; 110 api up; 115; 120 shop up",
    "115: api was down, shop down; 120: shop up",
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
  { from, to = 10_000 }: { from: number; to?: number },
): string {
  const mailbox = new Mailbox(() => channelOf(keys), { acknowledged: [from, to] });
  return mailbox.play(story).texts().join("; ");
}

Deno.test("an acknowledged outage has no steps and no reminders while that is in effect", () => {
  const story = "0 shop down; 10; 15; 20; 40; 45; 60 shop up";
  assertEquals(playAcknowledged(LATER, story, { from: 10 }), "");
  assertEquals(
    playAcknowledged(LATER, story, { from: 10, to: 40 }),
    "40: shop is still down; 60: shop is up again",
  );
  assertEquals(
    playAcknowledged(REMINDED, story, { from: 10 }),
    "0: shop is down; 10: jo has acknowledged: shop is down; 60: shop is up again",
  );
  assertEquals(
    playAcknowledged(REMINDED, story, { from: 10, to: 45 }),
    "0: shop is down; 10: jo has acknowledged: shop is down; 45: shop is still down; 60: shop is up again",
  );
});

Deno.test("a step that was collected in quiet hours is not sent once it is acknowledged", () => {
  const story = "40 shop down; 60; 80; 115; 120 shop up";
  assertEquals(playAcknowledged({ ...QUIET, ...LATER }, story, { from: 80 }), "");
});

Deno.test("a notice waits for the end of quiet hours, and is not sent if it is over by then", () => {
  const notices = ["a", "b"].map((key) => (
    { key, title: `Notification channel ${key} can't work`, text: "no scheme" }
  ));
  const inbox = new Inbox(channelOf(QUIET));
  let known: NoticeStarts = {};
  for (const [minute, own] of [[60, notices], [90, [notices[0]!]], [115, [notices[0]!]]] as const) {
    const now = NOW.add({ minutes: minute });
    const { subjects, starts } = toNoticeSubjects(own, { known, monitor: "acme/status", now });
    known = starts;
    inbox.run(minute, subjects);
  }
  assertEquals(
    inbox.messages.map(({ minute, message: { events } }) => [minute, events[0]!.title]),
    [[115, "Notification channel a can't work"]],
  );
});

Deno.test("the message at the end of quiet hours waits for the minimum interval, and is one with it", () => {
  const inbox = new Inbox(channelOf({ ...EXCEPT, "min-interval": 1200 })).play(
    "60 api degraded; 110 shop down; 115; 120 post degraded; 130",
  );
  assertEquals(inbox.summary(), ["110: shop down", "130: api degraded, post degraded"]);
});

Deno.test("a reminder of an outage from quiet hours is no digest later in the day", () => {
  const inbox = new Inbox(channelOf({ ...EXCEPT, ...REMINDED })).play(
    "60 shop down, api down; 70; 115; 140 mail down; 150",
  );
  assertEquals(inbox.summary(), [
    "60: shop down",
    "60: api down",
    "115: shop still down, api still down",
    "140: shop still down",
    "140: api still down",
    "140: mail down",
  ]);
});

const PAGER = { type: "pagerduty", "integration-key": "$KEY" } as const;

Deno.test("a pager gets each event at the end of quiet hours, and ends at once", () => {
  const pager = channelOf({ ...QUIET, ...PAGER });
  const inbox = new Inbox(pager).play("50 mail down; 60 shop down, api down; 70 mail up; 115");
  assertEquals(inbox.summary(), [
    "50: mail down",
    "70: mail end silently",
    "115: shop down",
    "115: api down",
  ]);
});

/** Plays sites that fail at once. */
function playCrowd(sites: number, keys: Partial<Notification>, from = 0): Inbox {
  const at = (condition: Condition) =>
    Object.fromEntries(Array.from({ length: sites }, (_, index) => [`site-${index}`, condition]));
  return new Inbox(channelOf(keys)).play([[from, at("down")], [from + 5, at("up")]]);
}

Deno.test("sites that fail alike are one message from five on, unless the channel wants each or all", () => {
  const count = (sites: number, keys: Partial<Notification> = {}) =>
    playCrowd(sites, keys).messages.length;
  assertEquals([count(4), count(5), count(200)], [8, 2, 2]);
  const each = { "group-notifications": false };
  assertEquals([count(5, each), count(200, each)], [10, 400]);
  assertEquals([count(2, { "group-notifications": true })], [2]);
});

Deno.test("a service for single incidents gets one alert each for up to 20, more are one alert, ended with the last", () => {
  assertEquals(playCrowd(20, PAGER).messages.length, 40);
  const inbox = playCrowd(21, PAGER);
  const [start, end, ...others] = inbox.messages.map(({ message }) => message);
  assertEquals(others, []);
  assertEquals([start!.events.length, end!.events.length], [21, 1]);
  assertEquals([...new Set([...start!.events, ...end!.events].map(({ alert }) => alert))], [
    start!.id,
  ]);
  assertEquals(inbox.run(10), []);
});

Deno.test("emergencies of a run are one, which is cancelled once the last of them is over", () => {
  const phone = channelOf({ type: "pushover", user: "$USER", token: "$TOKEN", priority: "2" });
  const inbox = new Inbox(phone).play("0 shop down, api down; 5 shop up; 10 api up; 15");
  assertEquals(inbox.summary(), [
    "0: shop down, api down",
    "5: shop up",
    "10: api end silently",
    "10: api up",
  ]);
});

Deno.test("a pager is asked once to acknowledge what somebody has acknowledged", () => {
  const mailbox = new Mailbox(() => channelOf(PAGER), { acknowledged: [5, 60] });
  mailbox.play("0 shop down; 5; 10; 15; 20 shop up; 25");
  assertEquals(
    mailbox.sent.map(({ minute, events }) => [minute, events[0]!.news ?? events[0]!.kind]),
    [
      [0, "down"],
      [5, "acknowledged"],
      [20, "up"],
    ],
  );
});

Deno.test("an alert that many incidents share is ended once, although the run state is lost meanwhile", () => {
  const mailbox = new Mailbox(() => channelOf(PAGER), { lostAt: 10 });
  const all = (condition: string) =>
    Array.from({ length: 21 }, (_, index) => `site-${index} ${condition}`).join(", ");
  mailbox.play(`0 ${all("down")}; 5; 10; 15 ${all("up")}; 20`);
  const alerts = mailbox.sent.map((
    { minute, events },
  ) => [minute, events.length, events[0]!.alert]);
  assertEquals(alerts, [[0, 21, mailbox.sent[0]!.id], [15, 1, mailbox.sent[0]!.id]]);
});

Deno.test("two runs from the same state plan the same messages", () => {
  const channels = [channelOf(), channelOf(PAGER)];
  const subjects = new StoryOfSites().run({ shop: "down", api: "degraded" }, NOW);
  const plan = () =>
    planMessageEffects({
      language: LANGUAGE,
      ...{ channels, subjects, isPartial: false, states: {}, now: NOW },
      isKnown: () => true,
    }, []);
  assertEquals(plan(), plan());
  assertEquals(plan().effects.length, 4);
});
