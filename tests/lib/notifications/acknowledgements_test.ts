import { assertEquals } from "@std/assert";
import type { Notification } from "../../../lib/config/channels/keys.ts";
import type { Subject } from "../../../lib/notifications/subject.ts";
import { renderMessage } from "../../../lib/notifications/message_text.ts";
import { channelOf, Inbox, MINUTE, parseSteps, StoryOfSites } from "../../helpers/channels.ts";
import { NOW } from "../../helpers/outcomes.ts";
import { VIEW } from "../../helpers/vendors/messages.ts";

/** Plays a story in which the outage of the shop is acknowledged, and the shop is muted, from some minutes to others. */
function play(
  story: string,
  { acknowledged = [], muted = [], ...keys }: {
    acknowledged?: readonly (readonly [from: number, to: number])[];
    muted?: readonly [from: number, to: number] | [];
  } & Partial<Notification>,
): Inbox {
  const inbox = new Inbox(channelOf({ reminders: [30 * MINUTE], ...keys }));
  const sites = new StoryOfSites();
  for (const [minute, conditions] of parseSteps(story)) {
    const now = NOW.add({ minutes: minute });
    const isIn = ([from, to]: readonly [number, number]) => from <= minute && minute < to;
    const one = acknowledged.find(isIn);
    const after = (minutes: number) => NOW.add({ minutes });
    const mark = (subject: Subject): Subject => ({
      ...subject,
      ...one === undefined ? {} : {
        event: {
          ...subject.event,
          acknowledged: { by: "ann", at: `${after(one[0])}`, after: one[0] * MINUTE },
        },
      },
      ...muted.length === 2 && isIn(muted)
        ? { mute: { by: "jo", at: after(muted[0]), until: after(muted[1]) } }
        : {},
    });
    inbox.run(
      minute,
      sites.run(conditions, now).map((one) => one.slug === "shop" ? mark(one) : one),
    );
  }
  return inbox;
}

Deno.test("an acknowledgement is sent once to channels that know of the outage, and no reminder while it is in effect", () => {
  const cases: [why: string, story: string, how: Parameters<typeof play>[1], sent: string][] = [
    [
      "reminders stop and start again",
      "0 shop down; 10; 20; 60; 100; 130; 140 shop up",
      { acknowledged: [[10, 100]] },
      "0: shop down; 10: shop acknowledged; 100: shop still down; 130: shop still down; 140: shop up",
    ],
    [
      "another one after the first is sent again",
      "0 shop down; 10; 20; 25; 30",
      { acknowledged: [[10, 20], [25, 40]] },
      "0: shop down; 10: shop acknowledged; 25: shop acknowledged",
    ],
    [
      "a channel for bad news only",
      "0 shop down; 10; 60; 100",
      { acknowledged: [[10, 100]], on: ["down"] },
      "0: shop down; 100: shop still down",
    ],
    [
      "a channel that was not notified of the outage",
      "0 shop degraded; 10; 60; 100 shop up",
      { acknowledged: [[10, 100]], on: ["down", "up"] },
      "",
    ],
    [
      "acknowledged while its message waits: the message says so",
      "0 api down; 1 shop down; 2; 11; 12 shop up",
      { acknowledged: [[2, 12]], "min-interval": 600 },
      "0: api down; 11: shop down",
    ],
    [
      "the end wins over an acknowledgement that waits",
      "0 shop down; 1; 2 shop up; 10",
      { acknowledged: [[1, 2]], "min-interval": 600 },
      "0: shop down; 10: shop up",
    ],
  ];
  for (const [why, story, how, sent] of cases) {
    assertEquals(play(story, how).summary().join("; "), sent, why);
  }
});

Deno.test("two people who acknowledge within a second are two", () => {
  const inbox = new Inbox(channelOf());
  const sites = new StoryOfSites();
  inbox.run(0, sites.run({ shop: "down" }, NOW));
  for (const by of ["ann", "ann", "bob", "bob"]) {
    const acknowledged = { by, at: `${NOW}`, after: 0 };
    inbox.run(
      5,
      sites.run({}, NOW).map((one) => ({ ...one, event: { ...one.event, acknowledged } })),
    );
  }
  assertEquals(inbox.messages.flatMap(({ message }) => message.events.map(({ title }) => title)), [
    undefined,
    "ann has acknowledged: shop is down",
    "bob has acknowledged: shop is down",
  ]);
});

Deno.test("while a site is muted nothing about it is sent; then its present state, if that was not sent last", () => {
  const cases: [story: string, sent: string][] = [
    ["0; 10 shop down; 20; 30; 40", "30: shop down"],
    ["0; 10 shop down; 20 shop up; 30", ""],
    ["0 shop down; 10; 20 shop up; 30", "0: shop down; 10: shop muted; 30: shop up"],
    [
      "0 shop down; 10; 20 shop up; 25 shop down; 30",
      "0: shop down; 10: shop muted; 30: shop up, shop down",
    ],
    [
      "0 shop degraded; 10 shop down; 20 shop up; 30",
      "0: shop degraded; 10: shop muted; 30: shop up",
    ],
    ["0 shop down; 10; 29; 45", "0: shop down; 10: shop muted; 45: shop still down"],
    ["0; 10 shop down, api down; 20; 30", "10: api down; 30: shop down"],
  ];
  for (const [story, sent] of cases) {
    const inbox = play(story, { muted: [5, 30] });
    assertEquals(inbox.summary().join("; "), sent, story);
  }
});

Deno.test("messages say who has acknowledged, and how long after the start", () => {
  const inbox = play("0 shop down; 12; 60 shop up", { acknowledged: [[12, 90]] });
  const texts = inbox.messages.map(({ message }) => {
    const { events: [event] } = renderMessage(message, VIEW);
    return `${event!.sign} ${event!.headline}: ${event!.sentence}`;
  });
  assertEquals(texts.slice(1), [
    "👀 ann has acknowledged: shop is down: 12 minutes after the start",
    "✅ shop is up again after 1 hour: 10:05 to 11:05 UTC. Acknowledged by ann 12 minutes after the start",
  ]);
});
