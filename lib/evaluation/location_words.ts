import { shorten } from "../text/plain_text.ts";
import { joinFirst, joinNames } from "../text/words.ts";
import type { LocationResult } from "./results.ts";

const MOST_NAMES = 5;
const LONGEST_NAME = 30;

/** Describes which locations see a failure: `down in A and B (up in C; no result from D)`. */
export function describeVotes(locations: readonly LocationResult[]): string {
  const failing = locations.some(({ state }) => state === "down") ? "down" : "degraded";
  const named = locations.filter(({ state }) => state === failing);
  const others = (["degraded", "up", "unknown"] as const).flatMap((state) => {
    const own = locations.filter((one) => one.state === state && state !== failing);
    const words = state === "unknown" ? "no result from" : `${state} in`;
    return own.length === 0 ? [] : [`${words} ${joinLocations(own)}`];
  });
  const all = others.length === 0 && named.length > 2;
  const places = all ? `all ${named.length} locations` : joinLocations(named);
  return `${failing} in ${places}${others.length === 0 ? "" : ` (${others.join("; ")})`}`;
}

/** Joins names without brackets, which would be nested, and without the end of {@linkcode readVotes}. */
function joinLocations(parts: readonly LocationResult[]): string {
  const names = parts.slice(0, MOST_NAMES).map(({ location }) =>
    shorten(location.replace(/[\p{Ps}\p{Pe}:\s]+/gu, " ").trim(), LONGEST_NAME)
  );
  const rest = parts.length - names.length;
  return joinNames(rest === 0 ? names : [...names, `${rest} more`]);
}

/** Names the locations without a result: `only 1 of 3 locations has a result, 2 are needed; A: offline, B: asleep`. */
export function describeLack(quorum: number, locations: readonly LocationResult[]): string {
  const lacking = locations.filter(({ state }) => state === "unknown");
  const reasons = joinFirst(
    lacking,
    MOST_NAMES,
    ({ location, error = "no result" }) => `${location}: ${error}`,
  );
  if (locations.length === 1) return `no result from ${reasons}`;
  const count = locations.length - lacking.length;
  const have = count === 0
    ? `none of ${locations.length} locations has a result`
    : `only ${count} of ${locations.length} locations ${count === 1 ? "has" : "have"} a result`;
  return `${have}, ${quorum} ${quorum === 1 ? "is" : "are"} needed; ${reasons}`;
}

/** An error of several locations in parts: `down`, `in A and B (up in C)` and `timed out`. */
interface Votes {
  state: string;
  places: string;
  /** Empty if the error was cut off before it. */
  reason: string;
}

/** Reads {@linkcode describeVotes} and the reason behind it; older incidents have `down from 2 of 3 (A, B; up from C)`. */
export function readVotes(error: string): Votes | undefined {
  const [, state, places, reason = ""] =
    /^(down|degraded) ((?:in|from \d+ of \d+) [^:]*)(?:: (.*)|…)$/s.exec(error) ?? [];
  return state === undefined ? undefined : { state, places: places!, reason };
}

/**
 * The part of an error that doesn't depend on which locations see it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(withoutLocations("down in Frankfurt and São Paulo (up in Virginia): timed out"), "timed out");
 * assertEquals(withoutLocations("timed out"), "timed out");
 * assertEquals(withoutLocations("down in Frankfurt, São P…"), "");
 * ```
 */
export function withoutLocations(error: string): string {
  return readVotes(error)?.reason ?? error;
}

/**
 * Appends an error to a sentence that ends with a state, which an error of several locations would repeat.
 */
export function withError(sentence: string, error: string): string {
  const votes = readVotes(error);
  if (votes === undefined) return error === "" ? sentence : `${sentence}: ${error}`;
  const isSaid = new RegExp(`\\b${votes.state}(?: performance)?(?: for [\\w ]+)?$`).test(sentence);
  return isSaid ? sentence + error.slice(votes.state.length) : `${sentence}, ${error}`;
}
