import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { readHistories } from "../../../lib/history/read_histories.ts";
import { measure } from "../../../lib/statistics/measure.ts";
import { bruteForce, type Piece } from "../../helpers/brute_force.ts";
import { stories, writeStory } from "../../helpers/random_history.ts";
import { assertSame } from "../../helpers/same_statistics.ts";
import { configOf } from "../../helpers/sites.ts";
import { times } from "../../helpers/thorough.ts";

const DAY = 86_400;
const OPTIONS = { maxGap: 1800, apdex: 500, slo: 99.9 };

const { sites } = await configOf([
  { slug: "shop", url: "https://example.com" },
  { slug: "blog", url: "https://example.com", failureThreshold: 3, degradedRuns: [1, 1] },
  { slug: "api", url: "https://example.com", failureThreshold: 2, reopenWithin: 240 },
]);

/** Seconds since 1970. */
function at(text: string): number {
  return Date.parse(text) / 1000;
}

/** The rolling windows, and some that lie anywhere. */
function windowsOf(now: number, first: number, within: readonly [number, number][]): Piece[] {
  const rolling = [DAY, 7 * DAY, 30 * DAY, 365 * DAY].map((length) => now - length);
  return [
    ...[...rolling, Math.min(first, now)].map((from) => ({ from, to: now })),
    ...within.map(([start, length]) => {
      const from = first + Math.floor(start * (now - first));
      return { from, to: Math.min(now, from + length) };
    }),
  ];
}

const WITHIN = fc.array(
  fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 2 * DAY })),
  { maxLength: 3 },
);

/** Days on which something is special: ends of years and months, a leap day, changes of summer time. */
const STARTS = [
  "2026-11-20T00:00:00Z",
  "2026-12-31T00:00:00Z",
  "2027-02-27T12:00:00Z",
  "2028-02-28T12:00:00Z",
  "2027-03-27T12:00:00Z",
  "2027-10-30T12:00:00Z",
].map(at);

function holds(from: number, days: number, numRuns: number): Promise<void> {
  return fc.assert(
    fc.asyncProperty(stories(from, sites.length, days), WITHIN, async (story, within) => {
      const { store, plain, now } = await writeStory(story, sites);
      const { histories } = await readHistories(await store.read(), sites);
      for (const [slug, own] of plain) {
        const history = histories.get(slug)!;
        assertEquals(history.first, 1000 * own.first);
        for (const window of windowsOf(now, own.first, within)) {
          const ours = measure(
            history,
            { from: 1000 * window.from, to: 1000 * window.to },
            { ...OPTIONS, maxGap: 1000 * OPTIONS.maxGap, now: 1000 * now },
          );
          assertSame(ours, bruteForce(own, window, { ...OPTIONS, now }));
        }
      }
    }),
    { numRuns },
  );
}

Deno.test("statistics are what a count of every second comes to, whatever the files say", async () => {
  for (const from of STARTS) await holds(from, 1, times(8, 200));
});

Deno.test("statistics of several days are what a count of every second comes to", async () => {
  await holds(STARTS[3]!, 4, times(6, 100));
});
