import { assertEquals } from "@std/assert";
import type { Check } from "../../../lib/history/site_history.ts";
import type { State } from "../../../lib/state.ts";
import { computeTimeline } from "../../../lib/statistics/timeline.ts";
import { MINUTE } from "../../../lib/time.ts";

/** Checks of a site that is up, by their minutes; those of `imported` are Upptime's. */
function upAt(minutes: readonly number[], imported: readonly number[] = []): Check[] {
  return minutes.map((minute) => ({
    time: minute * MINUTE,
    state: "up",
    isImported: imported.includes(minute),
  }));
}

/** When a site was up, in minutes; each of its own checks covers half an hour at most. */
function upTimes(checks: Check[], now: number): [from: number, to: number][] {
  return computeTimeline(checks, [], [], { maxGap: 30 * MINUTE, now: now * MINUTE })
    .map(({ from, to }) => [from / MINUTE, to / MINUTE]);
}

Deno.test("checks cover the time up to each other, and none beyond its reach or now", () => {
  assertEquals(upTimes(upAt([0, 5, 10, 40, 71]), 1000), [[0, 70], [71, 101]]);
  assertEquals(upTimes(upAt([0, 5, 10, 40]), 50), [[0, 50]]);
  assertEquals(upTimes(upAt([0, 5, 10, 40]), 7), [[0, 7]]);
  assertEquals(upTimes(upAt([0, 60, 65, 600], [0]), 10_000), [[0, 95], [600, 630]]);
  assertEquals(upTimes(upAt([0, 60, 600], [60, 600]), 10_000), [[0, 30], [60, 600 + 26 * 60]]);
});

Deno.test("the time from the start of a run to the first failing attempt counts as up only if checks before cover it", () => {
  const lengths = (states: readonly State[], from: number, now: number) => {
    const checks = states.map((state, index) => ({
      time: 5 * index * MINUTE,
      state,
      isImported: false,
    }));
    const outages = [{ from, to: Infinity }];
    const timeline = computeTimeline(checks, outages, [], { maxGap: 30 * MINUTE, now });
    return timeline.map(({ state, from, to }) => [state, to - from]);
  };
  assertEquals(lengths(["down"], 70, 1500), [["down", 1430]]);
  assertEquals(lengths(["down", "down"], 70, 6 * MINUTE), [["down", 6 * MINUTE - 70]]);
  assertEquals(lengths(["unknown", "down"], 5 * MINUTE + 70, 6 * MINUTE), [["down", MINUTE - 70]]);
  assertEquals(lengths(["up", "down"], 5 * MINUTE + 70, 6 * MINUTE), [
    ["up", 5 * MINUTE + 70],
    ["down", MINUTE - 70],
  ]);
});
