import type { Subscriber } from "../../lib/notifications/channel_list.ts";
import { type ChannelStates, listNotifiedChannels } from "../../lib/notifications/channel_state.ts";
import type { SiteEvent } from "../../lib/notifications/message.ts";
import {
  applyReceipts,
  parseMessageEffect,
  planMessageEffects,
} from "../../lib/notifications/message_effects.ts";
import { eventHeadline } from "../../lib/notifications/headlines.ts";
import type { Subject } from "../../lib/notifications/subject.ts";
import { type Incident, UNCHANGED } from "../../lib/history/incident.ts";
import { presumeStates } from "../../lib/pipeline/plan_effects.ts";
import type { EffectHandlers } from "../../lib/outbox/effect.ts";
import {
  dropOld,
  type EffectResult,
  enqueueEffects,
  type Entry,
  selectClaimed,
  settle,
} from "../../lib/outbox/outbox.ts";
import type { Condition } from "../../lib/state.ts";
import { listKnown, parseSteps, StoryOfSites } from "./channels.ts";
import { NOW } from "./outcomes.ts";
import { LANGUAGE } from "./languages.ts";

/**
 * The fate of the messages of a run: sent, refused for now, refused for good, claimed by a run that is killed before or
 * after it sends them, or without their secret.
 */
export type Fate =
  | "sent"
  | "fails"
  | "refused"
  | "killed"
  | "unnoted"
  | "lacks"
  | { retryAfter: number };

type Span = readonly [from: number, to: number];

/** What people do with the shop, and when the run state is lost, in minutes. */
export interface Circumstances {
  acknowledged?: Span;
  muted?: Span;
  /** Minute before which the run state is lost; what the files of open incidents say is left. */
  lostAt?: number;
  /** What people do with any site. */
  mark?(subject: Subject, minute: number): Subject;
}

/** A channel that messages don't always reach: from run to run all goes through the outbox. */
export class Mailbox {
  readonly sent: { minute: number; id: string; events: readonly SiteEvent[] }[] = [];
  /** Incidents of which a killed run may have sent a message. */
  readonly uncertain = new Set<string>();
  outbox: Entry[] = [];
  states: ChannelStates = {};
  /** What the files of incidents say since the last run. */
  filed: ChannelStates = {};
  #before?: Temporal.Instant;
  readonly #story = new StoryOfSites();

  constructor(
    readonly channelAt: (minute: number) => Subscriber,
    readonly circumstances: Circumstances = {},
  ) {}

  run(minute: number, conditions: Readonly<Record<string, Condition>>, fate: Fate = "sent"): void {
    const now = NOW.add({ minutes: minute });
    const run = { id: String(minute).padStart(8, "0"), time: now, now };
    const handlers: EffectHandlers = {
      message: {
        claimMinutes: 3,
        findObstacle: () => fate === "lacks" ? "a secret" : undefined,
        execute: () => Promise.resolve({}),
      },
    };
    if (minute === this.circumstances.lostAt) [this.outbox, this.states] = [[], this.filed];
    const subjects = this.#story.run(conditions, now);
    const channel = this.channelAt(minute);
    this.filed = toFiled(this.states, channel, now);
    const { effects, channels, outbox } = planMessageEffects({
      language: LANGUAGE,
      channels: [channel],
      isPartial: false,
      subjects: listKnown(subjects, this.states, now).map((one) => this.#mark(one, minute)),
      isKnown: (id) => subjects.some(({ incident }) => incident === id),
      states: this.states,
      before: this.#before,
      now,
    }, this.outbox);
    this.#before = now;
    this.states = channels;
    this.outbox = enqueueEffects(dropOld(outbox, now), effects, handlers, run);
    const claimed = selectClaimed(this.outbox, run.id);
    if (fate === "killed") {
      for (const { data } of claimed) {
        const { message } = parseMessageEffect(data)!;
        for (const { incident } of message.events) this.uncertain.add(incident);
      }
      return;
    }
    const results = claimed.map((entry) => this.#send(entry, minute, fate));
    if (fate === "unnoted") return;
    const isSent = (id: string) => results.some((one) => one.id === id && "receipt" in one);
    this.states = applyReceipts(this.states, claimed.filter(({ id }) => isSent(id)));
    this.outbox = settle(this.outbox, results, now);
  }

  #mark(subject: Subject, minute: number): Subject {
    const { muted, mark } = this.circumstances;
    if (mark !== undefined) return mark(subject, minute);
    if (subject.slug !== "shop") return subject;
    const isIn = ([from, to]: Span = [0, 0]) => from <= minute && minute < to;
    // At its end an outage is acknowledged if it was until then.
    const isOpen = subject.end === undefined;
    const { acknowledged = [0, 0] } = this.circumstances;
    const [from, to] = acknowledged;
    const isTaken = isOpen ? isIn(acknowledged) : from < minute && minute <= to;
    const at = (minute: number) => NOW.add({ minutes: minute });
    return {
      ...subject,
      ...isTaken
        ? { event: { ...subject.event, acknowledged: { by: "jo", at: `${at(from)}` } } }
        : {},
      ...isIn(muted) ? { mute: { by: "jo", at: at(muted![0]), until: at(muted![1]) } } : {},
    };
  }

  #send({ id, data }: Entry, minute: number, fate: Exclude<Fate, "killed">): EffectResult {
    if (fate !== "sent" && fate !== "unnoted") {
      const more = typeof fate === "object" ? fate : {};
      const kind = fate === "refused" ? "permanent" as const : "transient" as const;
      return { id, failure: "refused", kind, ...more };
    }
    const { message: { id: name, events } } = parseMessageEffect(data)!;
    this.sent.push({ minute, id: name, events });
    return { id, receipt: {} };
  }

  /** Plays runs such as `0 shop down (fails); 5; 10 shop up`. */
  play(story: string): this {
    const fates = story.split(/;\s*/).map((step) => /\((.*)\)/.exec(step)?.[1]);
    const steps = parseSteps(story.replaceAll(/ \(.*?\)/g, ""));
    for (const [index, [minute, conditions]] of steps.entries()) {
      const fate = fates[index];
      const seconds = /^(\d+) s$/.exec(fate ?? "")?.[1];
      this.run(minute, conditions, seconds ? { retryAfter: 1000 * Number(seconds) } : fate as Fate);
    }
    return this;
  }

  /** The messages as `minute: headline, headline`. */
  texts(): string[] {
    return this.sent.map(({ minute, events }) =>
      `${minute}: ${
        events.map((event) => event.title ?? eventHeadline(event, LANGUAGE)).join(", ")
      }`
    );
  }
}

/** What channels are presumed to know if the files of incidents say what `states` do. */
function toFiled(states: ChannelStates, channel: Subscriber, at: Temporal.Instant): ChannelStates {
  const channels = listNotifiedChannels(states);
  const incidents = (states[channel.key]?.notified ?? []).flatMap((one): [string, Incident][] => {
    const { slug, incident, kind } = one;
    if (kind === undefined || kind === "notice") return [];
    const found = { start: at, confirmed: at, code: 0, error: "", attempts: 1 };
    const names = channels.get(incident) ?? [];
    return [[incident, { slug, kind, ...found, ...UNCHANGED, channels: names } as Incident]];
  });
  const state = { incidents: new Map(incidents), loadedState: { isLost: true } } as never;
  return presumeStates(state, [channel], at);
}
