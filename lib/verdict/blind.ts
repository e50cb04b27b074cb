import type { CheckResult } from "./judge.ts";

/**
 * True if a run learnt nothing about any of its sites, so that nothing is monitored. A site that asked to
 * be left alone for a while doesn't count either way.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const [up, unknown, resting] = [{ state: "up" }, { state: "unknown" }, { state: "unknown", missing: "resting" }] as const;
 * assertEquals([[unknown, resting], [unknown, up], [resting], []].map(isBlind), [true, false, false, false]);
 * ```
 */
export function isBlind(results: readonly Pick<CheckResult, "state" | "missing">[]): boolean {
  const asked = results.filter(({ missing }) => missing !== "resting");
  return asked.length > 0 && asked.every(({ state }) => state === "unknown");
}
