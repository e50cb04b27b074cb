import { sayFlaps } from "../evaluation/flapping.ts";
import type { Language } from "../text/language.ts";
import type { MessageKey } from "../text/messages.ts";
import { floorToMinute, type Reading } from "../time.ts";
import { cutText } from "./fit_text.ts";
import {
  isOutage,
  type MessageView,
  type Outage,
  type SiteEvent,
  UNNAMED_MONITOR,
} from "./message.ts";
import { joinTexts, sayExpiry, splitExpiry } from "./recorded_words.ts";

interface Headline {
  /** Of one site; TIME is the length of what is over. */
  one: MessageKey;
  /** Of one site, with the time since the start, or that it took. */
  after?: MessageKey;
  /** The same if its state has changed since the start. */
  changed?: MessageKey;
  /** Of all sites with the same news; none for notices, which are counted. */
  several?: MessageKey;
}

/** The headlines of each state, the most urgent first. */
const HEADLINES = {
  down: { one: "sitesDown", several: "sitesDown" },
  flapping: { one: "siteFlapping", several: "sitesFlapping" },
  stillDown: {
    one: "sitesStillDown",
    after: "siteDownFor",
    changed: "siteDownAmidProblems",
    several: "sitesStillDown",
  },
  degraded: { one: "siteDegraded", several: "sitesDegraded" },
  stillDegraded: {
    one: "siteStillDegraded",
    after: "siteDegradedFor",
    changed: "siteDegradedAmidProblems",
    several: "sitesStillDegraded",
  },
  wasDown: { one: "siteWasDown", several: "sitesWereDown" },
  wasDegraded: { one: "siteWasDegraded", several: "sitesWereDegraded" },
  acknowledged: { several: "sitesAcknowledged" },
  upAgain: { one: "sitesUpAgain", after: "siteUpAgainAfter", several: "sitesUpAgain" },
  stable: { one: "siteStable", after: "siteStableAfter", several: "sitesUpAgain" },
  normal: { one: "siteNormal", after: "siteNormalAfter", several: "sitesUpAgain" },
  gone: { one: "sitesUnmonitored", after: "siteUnmonitoredAfter", several: "sitesUnmonitored" },
  notice: {},
} as const satisfies Record<string, Partial<Headline>>;

type HeadlineState = keyof typeof HEADLINES;

/** The headline of a state; all have the same optional keys. */
function headlineOf(state: HeadlineState): Partial<Headline> {
  return HEADLINES[state];
}

type StateOf =
  & Pick<
    SiteEvent,
    "kind" | "reminder" | "escalated" | "was" | "gone" | "flapping" | "failed" | "knew" | "expiry"
  >
  & { news?: SiteEvent["news"] };

function findState(event: StateOf): HeadlineState {
  const { kind, reminder, escalated, was, gone, flapping, failed, knew, expiry, news } = event;
  if (kind === "up") {
    if (was !== undefined) return was === "down" ? "wasDown" : "wasDegraded";
    if (gone) return "gone";
    if (expiry !== undefined || failed?.kind === "degraded") return "normal";
    return flapping !== undefined || knew === "flapping" ? "stable" : "upAgain";
  }
  if (!isOutage(kind)) return news === "acknowledged" ? news : "notice";
  if (flapping !== undefined) return "flapping";
  if (reminder || escalated) return kind === "down" ? "stillDown" : "stillDegraded";
  return kind;
}

/** Equal for events that one headline can be about. */
export function findLikeness(event: StateOf): string {
  return headlineOf(findState(event)).several ?? "notice";
}

/** A headline with the duration of an outage that is over, or that a reminder or an escalation is about. */
export function longHeadline(event: SiteEvent, view: MessageView): string {
  const { kind, lasted = 0, was, gone } = event;
  const { language } = view;
  if (kind === "up" && was === undefined) {
    const { one, after } = headlineOf(findState(event));
    const key = lasted >= LEAST_LENGTH ? after : gone ? "siteUnmonitoredNow" : one;
    return sayOne(key!, event, lasted, language);
  }
  const length = findRepeatedLength(event, view);
  const { after, changed } = headlineOf(findState(event));
  const sentence = length === undefined
    ? eventHeadline(event, language)
    : sayOne(hasChanged(event) ? changed! : after!, event, length, language);
  return isUnacknowledged(event)
    ? language.say("nobodyAcknowledged", { TEXT: sentence })
    : sentence;
}

/** Milliseconds of an outage from which its headline says how long it took. */
const LEAST_LENGTH = 50;

/** Milliseconds since the start of an outage, if a reminder or an escalation says it. */
function findRepeatedLength(event: SiteEvent, { now }: Reading): number | undefined {
  const { kind, reminder, escalated, expiry, flapping } = event;
  const isRepeated = (reminder || escalated) && expiry === undefined && flapping === undefined;
  if (!isOutage(kind) || !isRepeated) return undefined;
  const length = floorToMinute(now.since(findStart(event)).total("milliseconds"));
  return length < 1000 ? undefined : length;
}

function findStart({ since, start, escalated }: SiteEvent): string {
  return escalated ? start ?? since : since;
}

/** True if an escalation is about an outage that had another state at its start. */
function hasChanged(event: SiteEvent): boolean {
  return !Temporal.Instant.from(findStart(event)).equals(event.since);
}

/** True for the first message to a channel that comes later because nobody has acknowledged. */
export function isUnacknowledged({ escalated, acknowledged, formerly }: SiteEvent): boolean {
  return escalated === true && acknowledged === undefined && formerly === undefined;
}

/** Says what happened to a site, or what a notice is about, without times. */
export function eventHeadline(event: SiteEvent, language: Language): string {
  const { name, kind, title = "", was, lasted = 0, flapping } = event;
  const { say, isolate } = language;
  if (kind === "notice" || kind === "report") return title;
  if (kind === "test") {
    return name === UNNAMED_MONITOR
      ? say("testOfMonitor")
      : say("testOfNamedMonitor", { NAME: isolate(name) });
  }
  const { expiry, day } = splitExpiry(event);
  if (isOutage(kind) && expiry !== undefined) return sayExpiry(name, expiry, day, language);
  const wasFlapping = was !== undefined && flapping !== undefined;
  const key = wasFlapping ? "siteWasFlapping" : headlineOf(findState(event)).one!;
  return sayOne(key, event, lasted, language);
}

function sayOne(
  key: MessageKey,
  { name, flapping }: SiteEvent,
  length: number,
  { say, isolate, duration }: Language,
): string {
  return say(key, {
    NAME: isolate(name),
    NAMES: isolate(name),
    COUNT: 1,
    TIME: duration(length),
    CHANGES: flapping === undefined ? "" : sayFlaps(flapping, { say, duration }),
  });
}

/** The outage with which the headline of an event ends, so that its locations can follow. */
export function findSaidOutage(event: SiteEvent): Outage | undefined {
  const { kind, was, flapping, expiry, reminder, escalated } = event;
  if (flapping !== undefined) return undefined;
  if (was !== undefined) return was;
  const isSaid = isOutage(kind) && expiry === undefined &&
    !((reminder || escalated) && hasChanged(event));
  return isSaid ? kind : undefined;
}

/** The last event of each site, and every notice. */
export function latestEvents<T extends Pick<SiteEvent, "kind" | "slug" | "id">>(
  events: readonly T[],
): T[] {
  const byKey = new Map(
    events.map((event) => [event.kind === "notice" ? event.id : event.slug, event]),
  );
  return [...byKey.values()];
}

/** Sites that a headline names at most, "and N more" counting as one of them. */
const MOST_NAMES = 3;
/** Longest name in such a headline, and longest title of a notice, in UTF-16 units. */
const LONGEST_NAME = 40;
const LONGEST_TITLE = 100;

/**
 * Makes one headline of the latest event of each site: it names up to three sites, the most urgent first,
 * and counts the others. If all are notices, it quotes the first title.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { createLanguage } from "../text/language.ts";
 * import { mergeMessages } from "../text/messages.ts";
 * const english = createLanguage("en", mergeMessages());
 * const event = { id: "a", since: "2026-11-21T10:05:03Z", code: 0, error: "", attempts: 3, incident: "a" };
 * const of = (kind: "down" | "up", ...names: string[]) => names.map((name) => ({ ...event, kind, name, slug: name }));
 * const show = (...events: ReturnType<typeof of>) => renderHeadline(events, english);
 * assertEquals(show(...of("down", "Shop", "API", "A", "B")), "Shop, API and 2 more are down");
 * assertEquals(show(...of("up", "Blog"), ...of("down", "Shop", "API")), "Shop and API are down, Blog is up again");
 * assertEquals(show(...of("up", "A", "B"), ...of("down", "Shop", "API")), "Shop and API are down, 2 are up again");
 * ```
 */
export function renderHeadline(events: readonly SiteEvent[], language: Language): string {
  const { say } = language;
  const latest = latestEvents(events);
  const [first] = latest as [SiteEvent];
  if (latest.length === 1) return eventHeadline(first, language);
  const byNews = Map.groupBy(latest, (event) => headlineOf(findState(event)).several);
  const order = new Set(
    Object.keys(HEADLINES).map((state) => headlineOf(state as HeadlineState).several),
  );
  let left = MOST_NAMES;
  const clauses = [...order].flatMap((several) => {
    const own = byNews.get(several) ?? [];
    const count = own.length;
    if (count === 0) return [];
    if (several === undefined && count < latest.length) {
      return [say("noticeCount", { COUNT: count })];
    }
    if (several === undefined) {
      const title = cutText(eventHeadline(first, language), LONGEST_TITLE);
      return [say("titleAndMore", { TEXT: title, COUNT: count - 1 })];
    }
    const isCounted = left < MOST_NAMES && count > left;
    if (!isCounted) left -= Math.min(count, MOST_NAMES);
    const names = isCounted ? say("countOfOthers", { COUNT: count }) : nameList(own, language);
    return [say(several, { NAMES: names, COUNT: count })];
  });
  const headline = joinTexts("commaBetween", clauses, language);
  const outages = latest.filter(({ kind }) => isOutage(kind));
  return outages.length > 0 && outages.every(isUnacknowledged)
    ? say("nobodyAcknowledged", { TEXT: headline })
    : headline;
}

/** `Shop`, `Shop and API`, `Shop, API and Blog`, `Shop, API and 10 more`. */
function nameList(events: readonly SiteEvent[], { say, list, isolate }: Language): string {
  const names = events.map(({ name }) => isolate(cutText(name, LONGEST_NAME)));
  if (names.length <= MOST_NAMES) return list(names);
  const shown = names.slice(0, MOST_NAMES - 1);
  return list([...shown, say("moreNames", { COUNT: names.length - shown.length })]);
}
