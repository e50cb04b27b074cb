import type { CheckResult } from "./judge.ts";

/**
 * True if no site of a run had a result, so that nothing is monitored. Sites that asked not to be checked for a
 * while don't count.
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
