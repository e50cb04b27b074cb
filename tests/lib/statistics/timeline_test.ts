import { assertEquals } from "@std/assert";
import { STATES } from "../../../lib/state.ts";
import type { Checks } from "../../../lib/history/site_history.ts";
import { timelineOf } from "../../../lib/statistics/timeline.ts";

const MINUTE = 60_000;

/** Checks at which a site was up, by their minutes; those of `imported` are Upptime's. */
function upAt(minutes: readonly number[], imported: readonly number[] = []): Checks {
  return {
    length: minutes.length,
    times: Float64Array.from(minutes, (minute) => minute * MINUTE),
    states: new Uint8Array(minutes.length).fill(STATES.indexOf("up")),
    durations: new Float64Array(minutes.length),
    imported: Uint8Array.from(minutes, (minute) => imported.includes(minute) ? 1 : 0),
  };
}

/** When a site was up, in minutes; each of its own checks speaks for half an hour at most. */
function upTimes(checks: Checks, now: number): [from: number, to: number][] {
  const spans = timelineOf(
    { checks, outages: [], maintenance: [] },
    { maxGap: 30 * MINUTE, now: now * MINUTE },
  );
  return spans.map(({ from, to }) => [from / MINUTE, to / MINUTE]);
}

Deno.test("checks that are alike speak for the time up to each other, and none beyond its reach or now", () => {
  assertEquals(upTimes(upAt([0, 5, 10, 40, 71]), 1000), [[0, 70], [71, 101]]);
  assertEquals(upTimes(upAt([0, 5, 10, 40]), 50), [[0, 50]]);
  assertEquals(upTimes(upAt([0, 5, 10, 40]), 7), [[0, 7]]);
});

Deno.test("a check of one's own speaks no longer where Upptime's come before it", () => {
  assertEquals(upTimes(upAt([0, 60, 65, 600], [0]), 10_000), [[0, 95], [600, 630]]);
  assertEquals(upTimes(upAt([0, 60, 600], [60, 600]), 10_000), [[0, 30], [60, 600 + 26 * 60]]);
});

Deno.test("the time from the start of a run to the first failing attempt counts as up only if checks before cover it", () => {
  const checks = (states: readonly ("up" | "down" | "unknown")[]): Checks => ({
    ...upAt(states.map((_, index) => 5 * index)),
    states: Uint8Array.from(states, (state) => STATES.indexOf(state)),
  });
  const lengths = (states: Parameters<typeof checks>[0], from: number, now: number) => {
    const known = { checks: checks(states), outages: [{ from, to: Infinity }], maintenance: [] };
    const spans = timelineOf(known, { maxGap: 30 * MINUTE, now });
    return Map.groupBy(spans, ({ state }) => state).entries()
      .map(([state, own]) => [state, own.reduce((sum, one) => sum + one.to - one.from, 0)])
      .toArray();
  };
  assertEquals(lengths(["down"], 70, 1500), [["down", 1430]]);
  assertEquals(lengths(["down", "down"], 70, 6 * MINUTE), [["down", 6 * MINUTE - 70]]);
  assertEquals(lengths(["unknown", "down"], 5 * MINUTE + 70, 6 * MINUTE), [["down", MINUTE - 70]]);
  assertEquals(lengths(["up", "down"], 5 * MINUTE + 70, 6 * MINUTE), [
    ["up", 5 * MINUTE + 70],
    ["down", MINUTE - 70],
  ]);
});
