import { cutText } from "./cut_text.ts";
import type { SiteEvent } from "./message.ts";

/**
 * One headline for what happened to several sites: how many came to what.
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

/** What happened to a site, behind its number in a headline, the most urgent first. */
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
 * One headline that names up to three sites, the most urgent first, and counts the others.
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
