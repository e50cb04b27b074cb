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
