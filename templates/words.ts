import type { State } from "../lib/state.ts";
import { utcDay, utcMinute } from "../lib/time.ts";

/** How a state is shown where there are no colours: a sign and a word. */
export const STATE_SIGNS: Readonly<Record<State, string>> = {
  up: "🟩",
  degraded: "🟨",
  down: "🟥",
  maintenance: "🔧",
  unknown: "⬜",
};

/**
 * How many of each state there are, the usual first.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(countStates(["up", "down", "up"]), "2 up, 1 down");
 * assertEquals(countStates(["up", "up"]), "all up");
 * assertEquals(countStates(["up", "maintenance"]), "1 up, 1 in maintenance");
 * ```
 */
export function countStates(states: readonly State[]): string {
  const order: State[] = ["up", "degraded", "down", "maintenance", "unknown"];
  const counts = order
    .map((state) => ({ state, number: states.filter((one) => one === state).length }))
    .filter(({ number }) => number > 0);
  const word = (state: State) => state === "maintenance" ? "in maintenance" : state;
  if (counts.length === 1 && states.length > 1) return `all ${word(counts[0]!.state)}`;
  return counts.map(({ state, number }) => `${number} ${word(state)}`).join(", ");
}

/** A number of sites. */
export function countSites(sites: number): string {
  return count(sites, "site");
}

/** A number of things, given the word for one of them. */
export function count(number: number, thing: string): string {
  return number === 1 ? `1 ${thing}` : `${number} ${thing}s`;
}

/**
 * A moment as people read it, to the minute.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(formatMinute(Temporal.Instant.from("2026-11-21T10:05:03Z")), "2026-11-21 10:05 UTC");
 * ```
 */
export function formatMinute(time: Temporal.Instant): string {
  return `${utcMinute(time)} UTC`;
}

/**
 * The same beside another moment: without the day where that is the same.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const now = Temporal.Instant.from("2026-11-21T10:05:03Z");
 * assertEquals(formatMinuteFrom(now.subtract({ hours: 1 }), now), "09:05 UTC");
 * assertEquals(formatMinuteFrom(now.subtract({ hours: 24 }), now), "2026-11-20 10:05 UTC");
 * ```
 */
export function formatMinuteFrom(time: Temporal.Instant, other: Temporal.Instant): string {
  const text = formatMinute(time);
  return utcDay(time) === utcDay(other) ? text.slice("YYYY-MM-DD ".length) : text;
}
