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
  event: Pick<SiteEvent, "affected" | "released">,
): string {
  return [reason, dependencyWords(event)].filter((part) => part !== "").join(". ");
}
