import * as v from "valibot";
import type { Notification } from "../../lib/config/channels/keys.ts";
import { parseConfig } from "../../lib/config/parse.ts";
import { formatProblem } from "../../lib/io/problem.ts";
import { type Subscriber, toSubscribers } from "../../lib/notifications/channel_list.ts";
import {
  CHANNEL_STATES,
  type ChannelState,
  type ChannelStates,
  formatChannels,
} from "../../lib/notifications/channel_state.ts";
import type { Outage, SiteEvent } from "../../lib/notifications/message.ts";
import { applySent } from "../../lib/notifications/message_effects.ts";
import { planMessages, type PlannedMessage } from "../../lib/notifications/plan_messages.ts";
import { byIncident, type Subject } from "../../lib/notifications/subject.ts";
import type { Condition } from "../../lib/state.ts";
import { NOW } from "./outcomes.ts";
import { LANGUAGE } from "./languages.ts";

/** Milliseconds of a minute. */
export const MINUTE = 60_000;

/** The channel of a notification for all sites. */
export function channelOf(keys: Partial<Notification> = {}): Subscriber {
  const notifications = [{ type: "email" as const, ...keys }];
  return toSubscribers({ notifications, sites: [] })[0]!;
}

/** Reads a configuration with some lines of a webhook. */
export async function readChannel(...lines: string[]) {
  const text = `notifications:\n  - type: webhook\n    url: https://hook.example\n${
    lines.map((line) => `    ${line}\n`).join("")
  }sites: [{ name: Shop, url: https://shop.example }]\n`;
  const { config, problems } = await parseConfig(text);
  const messages = problems.map((problem) => formatProblem(problem, problem.severity));
  return { channels: config!.notifications, messages, problems };
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

interface Changing {
  condition: Condition;
  incident: string;
  since: string;
  start: Temporal.Instant;
  worst: Outage;
  hasChanged: boolean;
}

/** Sites that change their condition, and the incidents that follow from it. */
export class StoryOfSites {
  readonly #sites = new Map<string, Changing>();
  readonly #counts = new Map<string, number>();
  readonly #ended: Subject[] = [];

  /** The incidents after a run with these states; other sites keep theirs. */
  run(
    conditions: Readonly<Partial<Record<string, Condition>>>,
    now: Temporal.Instant,
  ): Subject[] {
    for (const [slug, kind = "up"] of Object.entries(conditions)) {
      const before = this.#sites.get(slug);
      if ((before?.condition ?? "up") === kind) continue;
      if (kind === "up") {
        this.#sites.delete(slug);
        this.#ended.push(toEnded(slug, before!, now));
        continue;
      }
      const since = `${now}`;
      const count = (this.#counts.get(slug) ?? 0) + (before === undefined ? 1 : 0);
      this.#counts.set(slug, count);
      const { incident, start, worst = kind } = before ??
        { incident: `2026-11-21-${slug}-${count}`, start: now };
      this.#sites.set(slug, {
        ...{ condition: kind, incident, since, start },
        worst: worst === "down" ? worst : kind,
        hasChanged: before !== undefined,
      });
    }
    return [...this.#ended, ...[...this.#sites].map(([slug, site]) => toOpen(slug, site))];
  }
}

function toOpen(slug: string, site: Changing): Subject {
  const { condition, incident, since, start, worst, hasChanged } = site;
  const state = condition as Outage;
  const isChanged = since !== `${start}`;
  return {
    ...{ slug, incident, state, start, worst: { ...FOUND, kind: worst }, reason: FOUND.error },
    hasChanged,
    event: {
      ...{ ...FOUND, id: `${incident}/${state}@${since}`, kind: state, name: slug, slug, since },
      ...isChanged ? { start: `${start}` } : {},
      incident,
    },
  };
}

function toEnded(
  slug: string,
  { incident, start, worst, hasChanged }: Changing,
  end: Temporal.Instant,
): Subject {
  const lasted = end.since(start).total("milliseconds");
  return {
    ...{ slug, incident, start, end, worst: { ...FOUND, kind: worst }, reason: FOUND.error },
    hasChanged,
    event: {
      ...{ ...FOUND, error: "", id: `${incident}/close`, kind: "up", name: slug, slug },
      ...{ since: `${end}`, lasted, incident },
    },
  };
}

const FOUND = { code: 0, error: "connection refused", attempts: 3 };

/** The subjects that a run knows: what is open, what has just ended, and what channels are not finished with. */
export function listKnown(
  subjects: readonly Subject[],
  states: ChannelStates,
  now: Temporal.Instant,
): Subject[] {
  const known = byIncident(Object.values(states).flatMap(({ notified }) => notified));
  return subjects.map((one) => ({ ...one, hasJustEnded: one.end?.equals(now) })).filter((one) =>
    one.end === undefined || one.hasJustEnded || known.has(one.incident)
  );
}

/** A channel over several runs, whose messages are sent, and whose state is stored and read in between. */
export class Inbox {
  readonly messages: { minute: number; message: PlannedMessage }[] = [];
  state: ChannelState = { notified: [] };
  #before?: Temporal.Instant;

  constructor(readonly channel: Subscriber, readonly isReread = true) {}

  /** Plans and sends the messages of a minute. */
  run(minute: number, subjects: readonly Subject[] = [], hasChat = true): PlannedMessage[] {
    const now = NOW.add({ milliseconds: Math.round(minute * MINUTE) });
    const { messages, state } = planMessages(this.channel, {
      stored: this.state,
      sending: this.state,
    }, {
      subjects: listKnown(subjects, { own: this.state }, now),
      isKnown: (id) => subjects.some(({ incident }) => incident === id),
      hasChat,
      language: LANGUAGE,
      before: this.#before,
      now,
    });
    const sent = messages.reduce(
      (before, { patches, opensWindow, ...message }) =>
        applySent(before, {
          message: { ...message, events: [...message.events] },
          ...{ patches, opensWindow, at: now },
        }),
      state,
    );
    const stored = JSON.parse(JSON.stringify(formatChannels({ a: sent })));
    this.state = this.isReread ? v.parse(CHANNEL_STATES, stored)["a"]! : sent;
    this.#before = now;
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

function inWords({ slug, kind, was, reminder, news, silent }: SiteEvent): string {
  if (silent) return `${slug} ${news ?? "end"} silently`;
  if (news !== undefined) return `${slug} ${news}`;
  return `${slug} ${was === undefined ? reminder ? `still ${kind}` : kind : `was ${was}`}`;
}
