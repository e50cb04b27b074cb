import type { State } from "../../lib/state.ts";
import type { Pulse } from "../../lib/statistics/pulse.ts";
import { percentile } from "../../lib/statistics/response_times.ts";
import { STATE_COLOURS } from "../terminal/state_colours.ts";

const BLOCKS = [..."▁▂▃▄▅▆▇█"];
/** What stands for a piece of time that has no response times. */
const SIGNS: Readonly<Record<State, string>> = {
  up: "·",
  degraded: "·",
  down: "×",
  maintenance: "•",
  unknown: " ",
};

/**
 * Response times as blocks, a sign for each piece of time: higher is slower, `×` is an outage, `•` is
 * maintenance, and a blank is nothing known. Half the height is twice the usual at most, so that what
 * is steady looks steady.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(sparkline([
 *   { state: "unknown" },
 *   { state: "up", median: 100 },
 *   { state: "up", median: 110 },
 *   { state: "down" },
 *   { state: "degraded", median: 800 },
 * ]), " ▁▂×█");
 * ```
 */
export function sparkline(pulses: readonly Pulse[]): string {
  const medians = Float64Array.from(pulses.flatMap(({ median }) => median ?? [])).sort();
  const usual = medians.length === 0 ? 0 : percentile(medians, 0.5);
  const top = Math.max(2 * usual, medians.at(-1) ?? 0, 1);
  let line = "";
  for (let at = 0; at < pulses.length;) {
    const { state } = pulses[at]!;
    let signs = "";
    for (; pulses[at]?.state === state; at++) signs += signOf(pulses[at]!, top);
    // Blanks stay what they are, so that those at the end can be left out.
    line += state === "unknown" ? signs : STATE_COLOURS[state](signs);
  }
  return line;
}

function signOf({ state, median }: Pulse, top: number): string {
  if (median === undefined) return SIGNS[state];
  const level = Math.ceil(median / top * BLOCKS.length) - 1;
  return BLOCKS[Math.min(BLOCKS.length - 1, Math.max(0, level))]!;
}
