import type { State } from "../lib/state.ts";

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
 * ```
 */
export function countStates(states: readonly State[]): string {
  const order: State[] = ["up", "degraded", "down", "maintenance", "unknown"];
  const counts = order
    .map((state) => ({ state, count: states.filter((one) => one === state).length }))
    .filter(({ count }) => count > 0);
  if (counts.length === 1 && states.length > 1) return `all ${counts[0]!.state}`;
  return counts.map(({ state, count }) => `${count} ${state}`).join(", ");
}

/** A number of sites. */
export function countSites(count: number): string {
  return count === 1 ? "1 site" : `${count} sites`;
}

const wholeNumber = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** Milliseconds with a unit, or a dash where there are none. */
export function formatMilliseconds(milliseconds: number | undefined): string {
  return milliseconds === undefined ? "–" : `${wholeNumber.format(Math.round(milliseconds))} ms`;
}
