import type { Condition } from "../../lib/state.ts";
import type { Notification } from "../../lib/config/channels/keys.ts";
import { type Subscriber, toSubscribers } from "../../lib/notifications/channel_list.ts";
import {
  CHANNEL_STATES,
  type ChannelStates,
  formatChannels,
} from "../../lib/notifications/channel_state.ts";
import type { Message, SiteEvent } from "../../lib/notifications/message.ts";
import { type MessageCauses, planMessages } from "../../lib/notifications/plan_messages.ts";
import * as v from "valibot";
import { NOW } from "./outcomes.ts";

/** Milliseconds of a minute. */
export const MINUTE = 60_000;

/** The channel of a notification for all sites. */
export function channelOf(keys: Partial<Notification> = {}): Subscriber {
  const notifications = [{ type: "email" as const, ...keys }];
  return toSubscribers({ notifications, sites: [] })[0]!;
}

/** A minute, and the sites that change in it. */
export type Step = readonly [minute: number, conditions: Readonly<Record<string, Condition>>];

/** Parses `0 shop down, api down; 5 shop up; 30`: minutes with the sites that change in them. */
export function parseSteps(story: string): Step[] {
  return story.split(/;\s*/).map((step) => {
    const [minute = "", ...rest] = step.trim().split(" ");
    const changes = rest.join(" ").split(/,\s*/).filter((change) => change !== "");
    return [Number(minute), Object.fromEntries(changes.map((change) => change.split(" ")))];
  });
}

/** Sites that change their condition, with the events and open outages of each run. */
export class StoryOfSites {
  readonly #sites = new Map<
    string,
    { condition: Condition; incident: string; since: string; start: string }
  >();
  readonly #counts = new Map<string, number>();

  /** The findings of a run with these states; other sites keep theirs. */
  run(
    conditions: Readonly<Partial<Record<string, Condition>>>,
    now: Temporal.Instant,
  ): { events: SiteEvent[]; ongoing: SiteEvent[] } {
    const events = Object.entries(conditions).flatMap(([slug, kind]): SiteEvent[] => {
      if (kind === undefined) return [];
      const before = this.#sites.get(slug) ??
        { condition: "up", incident: "", since: "", start: "" };
      if (before.condition === kind) return [];
      const isNew = before.condition === "up";
      const count = (this.#counts.get(slug) ?? 0) + (isNew ? 1 : 0);
      this.#counts.set(slug, count);
      const incident = isNew ? `2026-11-21-${slug}-${count}` : before.incident;
      const since = `${now}`;
      const start = isNew ? since : before.start;
      this.#sites.set(slug, { condition: kind, incident, since, start });
      const id = `${incident}/${kind}@${since}`;
      return [{ ...EVENT, id, kind, name: slug, slug, since, ...startOf(since, start), incident }];
    });
    const ongoing = [...this.#sites].flatMap((
      [slug, { condition: kind, incident, since, start }],
    ) =>
      kind === "up" || events.some((event) => event.slug === slug) ? [] : [{
        ...EVENT,
        id: `${incident}/${kind}@${since}`,
        kind,
        name: slug,
        slug,
        since,
        ...startOf(since, start),
        incident,
      }]
    );
    return { events, ongoing };
  }
}

function startOf(since: string, start: string): { start?: string } {
  return start === since ? {} : { start };
}

const EVENT = { code: 0, error: "connection refused", attempts: 3 };

/** A channel over several runs, whose state is stored and read in between. */
export class Inbox {
  readonly messages: { minute: number; message: Message }[] = [];
  readonly channel: Subscriber;
  memory?: ChannelStates = {};
  readonly #isReread: boolean;

  constructor(channel: Subscriber, isReread = true) {
    this.channel = channel;
    this.#isReread = isReread;
  }

  /** Plans and records the messages of a minute. */
  run(
    minute: number,
    { events = [], ongoing = [], ...more }: Partial<
      Pick<MessageCauses, "events" | "ongoing" | "open" | "isLost" | "muted">
    > = {},
  ): Message[] {
    const now = NOW.add({ milliseconds: Math.round(minute * MINUTE) });
    const { memory, channel } = this;
    const planned = planMessages({
      channels: [channel],
      events,
      ongoing,
      ...more,
      states: memory,
      now,
    });
    this.memory = this.#isReread
      ? v.parse(CHANNEL_STATES, JSON.parse(JSON.stringify(formatChannels(planned.states))))
      : planned.states;
    const messages = planned.messages.map(({ message }) => message);
    this.messages.push(...messages.map((message) => ({ minute, message })));
    return messages;
  }

  /** Plays runs at minutes, in each of which some sites change. */
  play(runs: readonly Step[] | string): this {
    const story = new StoryOfSites();
    for (const [minute, conditions] of typeof runs === "string" ? parseSteps(runs) : runs) {
      this.run(minute, story.run(conditions, NOW.add({ minutes: minute })));
    }
    return this;
  }

  /** The messages as `minute: site kind, site kind`; a reminder is `still down`, an ended outage `was down`. */
  summary(): string[] {
    return this.messages.map(({ minute, message: { events } }) =>
      `${minute}: ${events.map(inWords).join(", ")}`
    );
  }
}

function inWords({ slug, kind, was, reminder, news }: Message["events"][number]): string {
  if (news !== undefined) return `${slug} ${news}`;
  return `${slug} ${was === undefined ? reminder ? `still ${kind}` : kind : `was ${was}`}`;
}
