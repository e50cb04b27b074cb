import { describeDuration } from "../time.ts";
import { joinFitting } from "./fit_parts.ts";
import type { SiteEvent } from "./message.ts";

/** Longest list of sites, in UTF-16 units. */
const LONGEST_LIST = 300;

/**
 * What there is to say of how an event hangs together with other sites, to stand behind its reason; empty
 * where it does not.
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

/** A reason with what there is to say behind it. */
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
