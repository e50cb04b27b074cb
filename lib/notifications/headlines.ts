import { describeDuration } from "../time.ts";
import { cutText, joinFitting } from "./fit_text.ts";
import type { SiteEvent } from "./message.ts";

/**
 * Makes one headline that counts sites by event.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const kinds = ["up", "down", "down"] as const;
 * assertEquals(jointHeadline(kinds.map((kind) => ({ kind }))), "2 sites down, 1 site up again");
 * ```
 */
export function jointHeadline(events: readonly Happened[]): string {
  const words = events.map(wordsOf);
  return WORDS.map((word) => ({ word, count: words.filter((one) => one === word).length }))
    .filter(({ count }) => count > 0)
    .map(({ word, count }) => {
      if (word === "notice") return count === 1 ? "1 notice" : `${count} notices`;
      return `${count} ${count === 1 ? "site" : "sites"} ${word}`;
    }).join(", ");
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

type Happened = Pick<SiteEvent, "kind" | "reminder" | "was" | "gone" | "flapping">;

/** Words for events after a number, the most urgent first. */
const WORDS = [
  "down",
  "flapping",
  "still down",
  "degraded",
  "still degraded",
  "down for a while",
  "degraded for a while",
  "up again",
  "no longer monitored",
  "notice",
  "tested",
] as const;

function wordsOf({ kind, reminder, was, gone, flapping }: Happened): typeof WORDS[number] {
  if (kind === "test") return "tested";
  if (kind === "notice") return "notice";
  if (kind !== "up" && flapping !== undefined) return "flapping";
  if (kind !== "up") return reminder ? `still ${kind}` : kind;
  if (was !== undefined) return `${was} for a while`;
  return gone ? "no longer monitored" : "up again";
}

/** Sites that a headline names at most, "and N more" counting as one of them. */
const MOST_NAMES = 3;
/** Longest name in such a headline, in UTF-16 units. */
const LONGEST_NAME = 40;

/** Verbs for one named site, and for several. */
const VERBS: Readonly<
  Record<Exclude<typeof WORDS[number], "notice">, [one: string, many: string]>
> = {
  "down": ["is down", "are down"],
  "flapping": ["is flapping", "are flapping"],
  "still down": ["is still down", "are still down"],
  "degraded": ["is degraded", "are degraded"],
  "still degraded": ["is still degraded", "are still degraded"],
  "down for a while": ["was down for a while", "were down for a while"],
  "degraded for a while": ["was degraded for a while", "were degraded for a while"],
  "up again": ["is up again", "are up again"],
  "no longer monitored": ["is no longer monitored", "are no longer monitored"],
  "tested": ["is tested", "are tested"],
};

/**
 * Makes one headline that names up to three sites, the most urgent first, and counts the others.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const of = (kind: "down" | "up", ...names: string[]) => names.map((name) => ({ kind, name }));
 * assertEquals(namedHeadline(of("down", "Shop", "API", "A", "B")), "Shop, API and 2 more are down");
 * assertEquals(namedHeadline([...of("up", "Blog"), ...of("down", "Shop", "API")]), "Shop and API are down, Blog is up again");
 * assertEquals(namedHeadline([...of("up", "A", "B"), ...of("down", "Shop", "API")]), "Shop and API are down, 2 are up again");
 * ```
 */
export function namedHeadline(events: readonly (Happened & Pick<SiteEvent, "name">)[]): string {
  const byWord = Map.groupBy(events, wordsOf);
  let left = MOST_NAMES;
  const parts = WORDS.flatMap((word) => {
    const own = byWord.get(word) ?? [];
    if (own.length === 0) return [];
    if (word === "notice") return [own.length === 1 ? "1 notice" : `${own.length} notices`];
    const [one, many] = VERBS[word];
    const verb = own.length === 1 ? one : many;
    const isFirst = left === MOST_NAMES;
    if (!isFirst && own.length > left) return [`${own.length} ${verb}`];
    left -= Math.min(own.length, MOST_NAMES);
    return [`${nameList(own.map(({ name }) => cutText(name, LONGEST_NAME)))} ${verb}`];
  });
  return parts.join(", ");
}

/** `Shop`, `Shop and API`, `Shop, API and Blog`, `Shop, API and 10 more`. */
function nameList(names: readonly string[]): string {
  const shown = names.length <= MOST_NAMES ? names.slice(0, -1) : names.slice(0, MOST_NAMES - 1);
  const last = names.length <= MOST_NAMES ? names.at(-1)! : `${names.length - shown.length} more`;
  return shown.length === 0 ? last : `${shown.join(", ")} and ${last}`;
}

/** Longest list of sites, in UTF-16 units. */
const LONGEST_LIST = 300;

/**
 * Explains an event by dependencies, to be appended to its reason; empty if there are none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(dependencyWords({ affected: ["Shop", "Blog"] }), "Also failing, because they depend on it: Shop, Blog");
 * assertEquals(dependencyWords({ affected: ["Shop"] }), "Also failing, because it depends on this: Shop");
 * const released = { name: "Router", isBack: true };
 * assertEquals(dependencyWords({ released }), "Until now this was put down to Router, which is up again");
 * ```
 */
export function dependencyWords(
  { affected = [], released }: Pick<SiteEvent, "affected" | "released">,
): string {
  const why = affected.length === 1 ? "it depends on this" : "they depend on it";
  const list = joinFitting(affected, { separator: ", ", longest: LONGEST_LIST });
  return [
    ...released === undefined ? [] : [releaseWords(released)],
    ...list === "" ? [] : [`Also failing, because ${why}: ${list}`],
  ].join(". ");
}

function releaseWords({ name, isBack }: NonNullable<SiteEvent["released"]>): string {
  return `Until now this was put down to ${name}${isBack ? ", which is up again" : ""}`;
}

/** Appends missed outages and dependencies to a reason. */
export function withDependencies(
  reason: string,
  event: Pick<SiteEvent, "affected" | "released" | "missed" | "kind" | "was">,
): string {
  return [reason, missedWords(event), dependencyWords(event)].filter((part) => part !== "")
    .join(". ");
}

/**
 * The outages of a site that had ended before an event could be sent; empty if there were none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const missed = { kind: "down", times: 2, lasted: 480_000 } as const;
 * assertEquals(missedWords({ kind: "down", missed }), "Before that it was down 2 times, for 8 minutes in all");
 * assertEquals(missedWords({ kind: "up", missed: { ...missed, times: 1 } }), "Meanwhile it was down once more, for 8 minutes");
 * ```
 */
export function missedWords(
  { kind, was, missed }: Pick<SiteEvent, "kind" | "was" | "missed">,
): string {
  if (missed === undefined) return "";
  const { times, lasted } = missed;
  const how = missed.kind === "down" ? "was down" : "had degraded performance";
  const isEnd = kind === "up" && was === undefined;
  const more = isEnd ? " more" : "";
  const often = times === 1 ? `once${more}` : `${times}${more} times`;
  const all = times === 1 ? "" : " in all";
  return `${isEnd ? "Meanwhile" : "Before that"} it ${how} ${often}, for ${lengthOf(lasted)}${all}`;
}

/** A length of time in milliseconds, in words. */
export function lengthOf(milliseconds: number): string {
  return milliseconds < 1000 ? "a moment" : describeDuration(milliseconds);
}
