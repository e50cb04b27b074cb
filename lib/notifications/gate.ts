import { DAY_NAMES, type QuietHours } from "../config/channels/keys.ts";
import { earliest } from "../time.ts";
import type { Subscriber } from "./channel_list.ts";
import { isCritical, isOutage, type NoticeTopic } from "./message.ts";
import type { News } from "./news.ts";
import type { Subject } from "./subject.ts";

/** Everything that decides if and when a channel is sent news. */
export interface GateFacts {
  /** `was` is an outage that ended before anything could be sent. */
  kind: "outage" | "was" | "end" | "reminder" | "notice";
  /** True if the channel is notified of such news of the site. */
  isRouted: boolean;
  /** Set for something that a channel with `after` was not notified of: early until that time has passed. */
  step?: "early" | "due";
  isAcknowledged: boolean;
  /** True in the quiet hours of the channel, unless they except the news. */
  isQuiet: boolean;
  /** True if somebody has muted the site. */
  isMuted: boolean;
  /** True in the minimum or group interval after the last message. */
  isWaiting: boolean;
}

/** `wait`: each run decides again. */
export type Passage = "send" | "wait" | "skip";

/** The first rule that applies decides. docs/on-call.md shows this table. */
export const RULES: readonly [condition: Partial<GateFacts>, passage: Passage][] = [
  [{ isRouted: false }, "skip"],
  [{ kind: "was", step: "early" }, "skip"],
  [{ kind: "was", step: "due", isAcknowledged: true }, "skip"],
  [{ kind: "was", isMuted: true }, "skip"],
  [{ kind: "reminder", isAcknowledged: true }, "skip"],
  [{ step: "early" }, "wait"],
  [{ step: "due", isAcknowledged: true }, "wait"],
  [{ isQuiet: true }, "wait"],
  [{ isMuted: true }, "wait"],
  [{ isWaiting: true }, "wait"],
  [{}, "send"],
];

/** Decides if news are sent now. Silent ends and acknowledgements of alerts pass no gate: see `alerts.ts`. */
export function gate(facts: GateFacts): Passage {
  const applies = (condition: Partial<GateFacts>) =>
    Object.entries(condition).every(([fact, value]) => facts[fact as keyof GateFacts] === value);
  return RULES.find(([condition]) => applies(condition))![1];
}

/** Facts about a channel in a run, the same for all news. */
export interface Moment {
  now: Temporal.Instant;
  /** Start of the run before. */
  before?: Temporal.Instant;
  /** True in the quiet hours of the channel. */
  isQuiet: boolean;
  isWaiting: boolean;
  /** True if a chat or mail can be notified that another channel can't be used. */
  hasChat: boolean;
}

/** Collects the facts about news. */
export function toFacts(news: News, channel: Subscriber, moment: Moment): GateFacts {
  const { kind, subject, event } = news;
  return {
    kind: toKind(news),
    isRouted: isRouted(news, channel, moment),
    step: kind === "start" || kind === "was" ? findStep(subject, channel, moment) : undefined,
    isAcknowledged: event.acknowledged !== undefined,
    isQuiet: moment.isQuiet && !isExempt(channel.quiet, news),
    isMuted: subject.mute !== undefined && event.news !== "muted",
    isWaiting: moment.isWaiting,
  };
}

function toKind({ kind, subject }: News): GateFacts["kind"] {
  if (subject.worst === undefined || kind === "person") return "notice";
  return kind === "start" || kind === "change" ? "outage" : kind;
}

/** True if a channel is notified of such news by its route, `on` and severity. */
function isRouted(
  { kind, subject, event }: News,
  channel: Subscriber,
  { hasChat }: Moment,
): boolean {
  const { slug, worst } = subject;
  const wanted = channel.wants(slug);
  if (worst === undefined) return kind === "end" || isNoticeRouted(subject, channel, hasChat);
  if (kind === "person") return true;
  if (kind === "was") return wanted.includes(event.was ?? worst.kind);
  if (kind === "end") return wanted.includes("up") || (wanted.length === 0 && channel.wantsEnds);
  return isOutage(event.kind) && wanted.includes(event.kind);
}

function isNoticeRouted({ event, isOfChannel }: Subject, channel: Subscriber, hasChat: boolean) {
  const { site, topic, about } = event;
  if (topic !== undefined) {
    if (asksFor(channel, topic, about ?? (site === undefined ? [] : [site]))) return true;
    if (topic !== "unknown") return false;
  }
  if (site !== undefined) return channel.wants(site).includes("down");
  if (channel.isUnsendable || !channel.wantsAnything) return false;
  return isOfChannel !== true || (channel.wantsWarnings && (channel.isChat || !hasChat));
}

function asksFor(channel: Subscriber, topic: NoticeTopic, slugs: readonly string[]): boolean {
  const asked = slugs.length === 0
    ? channel.topics()
    : slugs.flatMap((slug) => channel.topics(slug));
  return asked.includes(topic);
}

/** The step of something that a channel was not notified of; `undefined` if it is notified at once. */
function findStep(
  { slug, worst, event, start, end }: Subject,
  channel: Subscriber,
  { now, before = now }: Moment,
): GateFacts["step"] {
  const delay = worst === undefined
    ? channel.noticeDelay(event.site)
    : channel.delay(slug, isOutage(event.kind) ? event.kind : event.was ?? worst.kind);
  if (delay === 0) return undefined;
  // An outage that is over has reached the step if a run has seen it open then.
  const seen = end === undefined ? now : earliest(before, end);
  return seen.epochMilliseconds - start.epochMilliseconds < delay ? "early" : "due";
}

function isExempt(hours: QuietHours | undefined, { kind, subject, event }: News): boolean {
  const { state, worst } = subject;
  if (hours?.except !== "critical" || kind === "reminder" || worst === undefined) return false;
  // A response to a critical outage is critical too: who was woken is notified at once that somebody works on it.
  const about = kind === "person"
    ? { ...event, kind: state === "degraded" ? state : "down" as const }
    : event;
  return isCritical(about);
}

/**
 * True in quiet hours: from one time of the day, included, to another, excluded, on the next day if that is
 * earlier. A time that DST skips is that much later, and of one that occurs twice the first counts.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const hours = { from: "22:00", to: "07:00", timezone: "Europe/Vienna" };
 * const times = ["2026-11-21T20:59Z", "2026-11-21T21:00Z", "2026-11-22T05:59Z", "2026-11-22T06:00Z"];
 * assertEquals(times.map((time) => isQuiet(hours, Temporal.Instant.from(time))), [false, true, true, false]);
 * ```
 */
export function isQuiet(
  { from, to, days, timezone: timeZone = "UTC" }: QuietHours,
  now: Temporal.Instant,
): boolean {
  const today = now.toZonedDateTimeISO(timeZone).toPlainDate();
  // Zones that have changed sides of the date line have skipped a whole day.
  return [-2, -1, 0].some((offset) => {
    const date = today.add({ days: offset });
    if (!(days?.includes(DAY_NAMES[date.dayOfWeek - 1]!) ?? true)) return false;
    const [last, plainTime] = to === "24:00"
      ? [date.add({ days: 1 }), "00:00"]
      : [from < to ? date : date.add({ days: 1 }), to];
    const start = date.toZonedDateTime({ timeZone, plainTime: from }).toInstant();
    const end = last.toZonedDateTime({ timeZone, plainTime }).toInstant();
    return Temporal.Instant.compare(start, now) <= 0 && Temporal.Instant.compare(now, end) < 0;
  });
}
