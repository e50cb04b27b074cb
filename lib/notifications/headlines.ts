import { flapsText } from "../evaluation/flapping.ts";
import { joinNames } from "../text/words.ts";
import { describeAfter, describeDuration, floorToMinute, type Reading } from "../time.ts";
import { splitExpiry } from "./event_words.ts";
import { cutText } from "./fit_text.ts";
import { isOutage, type SiteEvent, UNNAMED_MONITOR } from "./message.ts";

/** A headline with the duration of an outage that is over, or that a reminder or an escalation is about. */
export function longHeadline(event: SiteEvent, { now }: Reading): string {
  const { name, kind, since, lasted = 0, reminder, escalated, was, gone, expiry, flapping } = event;
  const start = escalated ? event.start ?? since : since;
  const short = eventHeadline(event);
  if (kind === "up") {
    if (was !== undefined) return short;
    return `${short}${gone ? ", which ends its incident" : ""}${describeAfter(lasted)}`;
  }
  if (!isOutage(kind)) return short;
  const end = isUnacknowledged(event) ? "; nobody has acknowledged" : "";
  const length = floorToMinute(now.since(start).total("milliseconds"));
  const isRepeated = (reminder || escalated) && expiry === undefined && flapping === undefined;
  if (!isRepeated || length < 1000) return short + end;
  const hasChanged = !Temporal.Instant.from(start).equals(since);
  const state = hasChanged
    ? "had problems"
    : kind === "down"
    ? "been down"
    : "had degraded performance";
  const subject = hasChanged ? `${short.replace(" still", "")} and` : name;
  return `${subject} has ${state} for ${describeDuration(length)}${end}`;
}

/** True for the first message to a channel that comes later because nobody has acknowledged. */
export function isUnacknowledged({ escalated, acknowledged, formerly }: SiteEvent): boolean {
  return escalated === true && acknowledged === undefined && formerly === undefined;
}

/** Says what happened to a site, or what a notice is about, without times. */
export function eventHeadline(event: SiteEvent): string {
  const { name, kind, title = "", reminder, escalated, was, gone, lasted = 0, expiry } = event;
  const { flapping, failed, knew } = event;
  if (kind === "notice" || kind === "report") return title;
  if (kind === "test") {
    return `This is a test of ${
      name === UNNAMED_MONITOR ? "this monitor" : `the monitor of ${name}`
    }`;
  }
  if (expiry !== undefined && !gone && was === undefined) {
    return kind === "up" ? `${name} is back to normal` : `${name}: ${splitExpiry(event).expiry}`;
  }
  if (was !== undefined) {
    const state = flapping !== undefined
      ? "was flapping"
      : was === "down"
      ? "was down"
      : "had degraded performance";
    return `${name} ${state} for ${describeDuration(lasted)}`;
  }
  if (gone) return `${name} is no longer monitored`;
  if (kind === "up" && failed?.kind === "degraded") return `${name} is back to normal`;
  if (kind === "up") {
    const isStable = flapping !== undefined || knew === "flapping";
    return `${name} is up again${isStable ? " and stable" : ""}`;
  }
  if (flapping !== undefined) {
    return `${name} is flapping (${flapsText(flapping)}), silent until it stays up`;
  }
  const still = reminder || escalated ? "still " : "";
  return kind === "down" ? `${name} is ${still}down` : `${name} ${still}has degraded performance`;
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

/** States in a joint headline, the most urgent first. */
const STATES = [
  "down",
  "flapping",
  "still down",
  "degraded",
  "still degraded",
  "down for a while",
  "degraded for a while",
  "acknowledged",
  "up again",
  "no longer monitored",
  "notice",
  "reported",
  "tested",
] as const;

export function describeState(
  { kind, reminder, escalated, was, gone, flapping, news }: Pick<
    SiteEvent,
    "kind" | "reminder" | "escalated" | "was" | "gone" | "flapping" | "news"
  >,
): typeof STATES[number] {
  if (kind === "test") return "tested";
  if (kind === "report") return "reported";
  if (kind === "notice") return news === "acknowledged" ? news : "notice";
  if (kind !== "up" && flapping !== undefined) return "flapping";
  if (kind !== "up") return reminder || escalated ? `still ${kind}` : kind;
  if (was !== undefined) return `${was} for a while`;
  return gone ? "no longer monitored" : "up again";
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
 * const event = { id: "a", since: "2026-11-21T10:05:03Z", code: 0, error: "", attempts: 3, incident: "a" };
 * const of = (kind: "down" | "up", ...names: string[]) => names.map((name) => ({ ...event, kind, name, slug: name }));
 * assertEquals(renderHeadline(of("down", "Shop", "API", "A", "B")), "Shop, API and 2 more are down");
 * assertEquals(renderHeadline([...of("up", "Blog"), ...of("down", "Shop", "API")]), "Shop and API are down, Blog is up again");
 * assertEquals(renderHeadline([...of("up", "A", "B"), ...of("down", "Shop", "API")]), "Shop and API are down, 2 are up again");
 * ```
 */
export function renderHeadline(events: readonly SiteEvent[]): string {
  const latest = latestEvents(events);
  if (latest.length === 1) return eventHeadline(latest[0]!);
  const byState = Map.groupBy(latest, describeState);
  const outages = latest.filter(({ kind }) => isOutage(kind));
  const end = outages.length > 0 && outages.every(isUnacknowledged)
    ? "; nobody has acknowledged"
    : "";
  let left = MOST_NAMES;
  return STATES.flatMap((state) => {
    const names = byState.get(state)?.map(({ name }) => cutText(name, LONGEST_NAME)) ?? [];
    const count = names.length;
    if (count === 0) return [];
    if (state === "notice" && count === latest.length) {
      return [`${cutText(eventHeadline(latest[0]!), LONGEST_TITLE)}, and ${count - 1} more`];
    }
    if (state === "notice") return [count === 1 ? "1 notice" : `${count} notices`];
    const [one, many] = state.endsWith("for a while") ? ["was", "were"] : ["is", "are"];
    const predicate = `${count === 1 ? one : many} ${state}`;
    if (left < MOST_NAMES && count > left) return [`${count} ${predicate}`];
    left -= Math.min(count, MOST_NAMES);
    return [`${nameList(names)} ${predicate}`];
  }).join(", ") + end;
}

/** `Shop`, `Shop and API`, `Shop, API and Blog`, `Shop, API and 10 more`. */
function nameList(names: readonly string[]): string {
  if (names.length <= MOST_NAMES) return joinNames(names);
  const shown = names.slice(0, MOST_NAMES - 1);
  return joinNames([...shown, `${names.length - shown.length} more`]);
}
