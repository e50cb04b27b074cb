import { assertEquals } from "@std/assert";
import type { Notification } from "../../../lib/config/channels/keys.ts";
import { type Subscriber, toSubscribers } from "../../../lib/notifications/channel_list.ts";
import type { ChannelStates } from "../../../lib/notifications/channel_state.ts";
import { eventHeadline } from "../../../lib/notifications/headlines.ts";
import type { SiteEvent } from "../../../lib/notifications/message.ts";
import {
  parseMessageEffect,
  planMessageEffects,
} from "../../../lib/notifications/message_effects.ts";
import {
  dropOld,
  enqueueEffects,
  type Entry,
  selectClaimed,
  settle,
} from "../../../lib/outbox/outbox.ts";
import { channelOf, MINUTE, parseSteps, StoryOfSites } from "../../helpers/channels.ts";
import { NOW } from "../../helpers/outcomes.ts";

type Span = readonly [from: number, to: number];

interface Circumstances {
  /** Minutes in which somebody has acknowledged, or muted, the shop. */
  acknowledged?: Span;
  muted?: Span;
  /** Minute before which the run state is lost. */
  lostAt?: number;
}

/** Plays a story whose messages are sent, or of whose runs one `fails` to send, or is `killed` while it sends. */
function play(
  story: string,
  channelAt: (minute: number) => Subscriber,
  { acknowledged, muted, lostAt }: Circumstances = {},
): string {
  const sites = new StoryOfSites();
  const sent: string[] = [];
  let outbox: Entry[] = [];
  let memory: ChannelStates | undefined = {};
  const fates = story.split(/;\s*/).map((step) => /\((.*)\)/.exec(step)?.[1]);
  const steps = parseSteps(story.replaceAll(/ \(.*?\)/g, ""));
  for (const [index, [minute, conditions]] of steps.entries()) {
    const now = NOW.add({ minutes: minute });
    const run = { id: String(minute).padStart(8, "0"), time: now };
    const isIn = ([from, to]: Span = [0, 0]) => from <= minute && minute < to;
    const mark = (event: SiteEvent): SiteEvent =>
      isIn(acknowledged) ? { ...event, acknowledged: { by: "jo", at: `${NOW}` } } : event;
    const { events, ongoing } = sites.run(conditions, now);
    const isLost = minute === lostAt;
    if (isLost) [outbox, memory] = [[], undefined];
    const planned = planMessageEffects({
      channels: [channelAt(minute)],
      events: events.map(mark),
      ongoing: ongoing.map(mark),
      states: memory,
      isLost,
      muted: new Set(isIn(muted) ? ["shop"] : []),
      now,
    }, outbox);
    memory = planned.channels;
    const handlers = {
      message: { claimMinutes: 3, execute: () => Promise.resolve({}) },
    };
    outbox = enqueueEffects(dropOld(planned.outbox, now), planned.effects, handlers, run);
    const fate = fates[index];
    if (fate === "killed") continue;
    const carried = selectClaimed(outbox, run.id).map(({ id, data }) => {
      if (fate === "fails") return { id, failure: "refused", kind: "transient" as const };
      const { events } = parseMessageEffect(data)!.message;
      sent.push(`${minute}: ${events.map((event) => event.title ?? eventHeadline(event)).join()}`);
      return { id, receipt: {} };
    });
    outbox = settle(outbox, carried, now);
  }
  return sent.join("; ");
}

const LATER = { after: 15 * MINUTE };
// NOW is 10:05 UTC: minute 55 is 11:00, minute 115 is 12:00.
const QUIET = { quiet: { from: "11:00", to: "12:00" } };
const EXCEPT = { quiet: { ...QUIET.quiet, except: "critical" as const } };

const STORIES: [
  what: string,
  keys: Partial<Notification>,
  story: string,
  messages: string,
  circumstances?: Circumstances,
][] = [
  ...["fails", "killed"].map((fate): [string, Partial<Notification>, string, string] => [
    `the message at the end of quiet hours stays one if its run ${fate}`,
    QUIET,
    `60 shop down, api down; 115 (${fate}); 120; 125`,
    "120: shop is down,api is down",
  ]),
  [
    "a step that a killed run may have sent is sent and has its end, although it is acknowledged meanwhile",
    LATER,
    "0 shop down; 15 (killed); 20; 25 shop up",
    "20: shop is down; 25: shop is up again",
    { acknowledged: [20, 25] },
  ],
  [
    "a change that a killed run may have sent leaves the outage known, although it is acknowledged meanwhile",
    LATER,
    "0 shop degraded; 15; 20 shop down (killed); 25; 30 shop up",
    "15: shop has degraded performance; 25: shop is down; 30: shop is up again",
    { acknowledged: [25, 30] },
  ],
  [
    "a step that could not be sent is withdrawn if somebody acknowledges meanwhile",
    LATER,
    "0 shop down; 15 (fails); 20; 25 shop up",
    "",
    { acknowledged: [20, 25] },
  ],
  [
    "a recovery that waits for the end of quiet hours outlasts a later outage that passes and fails",
    EXCEPT,
    "40 shop degraded; 60 shop up; 65 shop down (fails); 70; 75 shop up (fails); 80; 115",
    "40: shop has degraded performance; 70: shop is down; 80: shop is up again; 115: shop is up again",
  ],
  [
    "an outage that passes quiet hours has its recovery, whatever else fails meanwhile",
    EXCEPT,
    "40 shop degraded; 60 shop up; 65 shop down; 70 api down (fails); 75; 80 shop up; 85 api up; 115",
    "40: shop has degraded performance; 65: shop is down; 75: api is down; 80: shop is up again; " +
    "85: api is up again; 115: shop is up again",
  ],
  [
    "two recoveries in one message at the end of quiet hours are both sent again",
    EXCEPT,
    "40 shop degraded; 60 shop up; 65 shop down; 115 shop up (killed); 120",
    "40: shop has degraded performance; 65: shop is down; 120: shop is up again,shop is up again",
  ],
  [
    "an outage that was sent before the end of the one before has its recovery",
    EXCEPT,
    "40 shop degraded; 60 shop up; 65 shop down; 115 (fails); 120 shop up",
    "40: shop has degraded performance; 65: shop is down; 120: shop is up again,shop is up again",
  ],
  [
    "a recovery that was planned after the next outage ends the one before",
    { type: "pagerduty", ...EXCEPT },
    "40 shop degraded; 60 shop up; 65 shop down (killed); 70 (killed); 115 (killed); 120 shop up",
    "40: shop has degraded performance; 120: shop is up again; 120: shop was down for 55 minutes",
  ],
  [
    "an outage that a killed run may have sent has its end after a mute",
    {},
    "0 shop down (killed); 5 shop up; 10; 30",
    "30: shop was down for 5 minutes",
    { muted: [3, 30] },
  ],
  [
    "that somebody has acknowledged passes quiet hours as the outage does",
    EXCEPT,
    "60 shop down, api degraded; 70; 115",
    "60: shop is down; 70: jo has acknowledged: shop is down; 115: api has degraded performance",
    { acknowledged: [70, 120] },
  ],
  [
    "an acknowledgement that was over before quiet hours ended is no news",
    QUIET,
    "40 shop down; 70; 80; 115; 120 shop up",
    "40: shop is down; 120: shop is up again",
    { acknowledged: [70, 80] },
  ],
];

for (const [what, keys, story, messages, circumstances] of STORIES) {
  Deno.test(what, () => {
    assertEquals(play(story, () => channelOf(keys), circumstances), messages);
  });
}

Deno.test("a recovery goes to a channel that was sent the outage, although its route has changed since", () => {
  const before = { name: "Shop", slug: "shop", tags: ["eu"], notifications: [] };
  const changed = { ...before, tags: ["us"], severity: "warning" as const };
  const cases: [keys: Partial<Notification>, messages: string][] = [
    [{ tags: ["eu"] }, "0: shop is down; 15: shop is up again"],
    [{ severity: "critical" }, "0: shop is down; 15: shop is up again"],
    [{ tags: ["eu"], on: ["down"] }, "0: shop is down"],
    [{ tags: ["eu"], ...LATER }, ""],
  ];
  for (const [keys, messages] of cases) {
    const channelAt = (minute: number) =>
      toSubscribers({
        notifications: [{ type: "email", ...keys }],
        sites: [{ severity: "critical", ...(minute < 10 ? before : changed) }],
      })[0]!;
    assertEquals(play("0 shop down; 5; 10; 15 shop up; 20", channelAt), messages);
  }
});

Deno.test("without a run state, a step has no recovery of an outage that was too short for it", () => {
  for (const [minutes, messages] of [[8, 0], [20, 1]] as const) {
    const sites = new StoryOfSites();
    sites.run({ shop: "down" }, NOW);
    const { events } = sites.run({ shop: "up" }, NOW.add({ minutes }));
    const { effects } = planMessageEffects({
      channels: [channelOf(LATER)],
      events: events.map((event) => ({ ...event, lasted: minutes * MINUTE })),
      ongoing: [],
      isLost: true,
      now: NOW.add({ minutes }),
    }, []);
    assertEquals(effects.length, messages);
  }
});
