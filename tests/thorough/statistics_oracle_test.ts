import { assert, assertEquals } from "@std/assert";
import { bruteForce, type Piece } from "../helpers/brute_force.ts";
import { measured } from "../helpers/measured.ts";
import type { MemoryStore } from "../helpers/memory_store.ts";
import fc from "../helpers/property.ts";
import { storeOf, stories, writeStory, type WrittenHistory } from "../helpers/random_history.ts";
import { configOf } from "../helpers/sites.ts";
import { dailyPath, formatDays } from "../../lib/history/daily_log.ts";
import { readHistories } from "../../lib/history/read_histories.ts";
import type { SiteHistory } from "../../lib/history/site_history.ts";
import { rollUp } from "../../lib/statistics/rolled_days.ts";
import { selectSamples } from "../../lib/statistics/samples.ts";
import type { Statistics } from "../../lib/statistics/statistics.ts";

/** How far two figures may lie apart. */
interface Leave {
  /** Seconds, for times and for shares of time. */
  time?: number;
  /** Share of a response time. */
  quantile?: number;
}

/** Asserts that statistics are those of an oracle; shares to a millionth, times to a millisecond. */
function assertSame(
  ours: Statistics,
  theirs: ReturnType<typeof bruteForce>,
  { time = 0.001, quantile = 1e-9 }: Leave = {},
): void {
  const both = `\n${JSON.stringify(ours)}\n${JSON.stringify(theirs)}`;
  const close = (one: number | undefined, other: number | undefined, leave: number, what: string) =>
    assert(
      one === other || Math.abs(one! - other!) <= leave,
      `${what}: ${one} and not ${other}${both}`,
    );
  const length = Math.max(1, theirs.observed - theirs.maintenance);
  const share = 1e-6 + 2 * (time > 0.001 ? time : 0) / length;
  for (const name of ["observed", "maintenance", "down", "degraded", "longestOutage"] as const) {
    close(ours[name], theirs[name], time, name);
  }
  for (const name of ["uptime", "coverage"] as const) close(ours[name], theirs[name], share, name);
  for (const name of ["checks", "outages", "incidents", "degradations"] as const) {
    assertEquals(ours[name], theirs[name], `${name}${both}`);
  }
  close(ours.apdex, theirs.apdex, quantile === 1e-9 ? 1e-9 : 1, "apdex");
  for (const name of ["mttr", "mtbf"] as const) close(ours[name], theirs[name], time, name);
  assertEquals(ours.responseTimes?.count, theirs.responseTimes?.count, both);
  for (const name of ["mean", "min", "max"] as const) {
    close(ours.responseTimes?.[name], theirs.responseTimes?.[name], 1e-6, name);
  }
  for (const name of ["p50", "p95", "p99"] as const) {
    const value = theirs.responseTimes?.[name];
    close(ours.responseTimes?.[name], value, quantile * (value ?? 0), name);
  }
  close(ours.objective?.target, theirs.objective?.target, 1e-12, "target");
  close(ours.objective?.budget, theirs.objective?.budget, time, "budget");
  close(ours.objective?.left, theirs.objective?.left, time, "left");
  if (Math.abs((theirs.uptime ?? 0) - (theirs.objective?.target ?? 0)) > share) {
    assertEquals(ours.objective?.isMet, theirs.objective?.isMet, both);
  }
}

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

/** The windows that end now, and some that lie anywhere. */
function windowsOf(now: number, first: number, within: readonly [number, number][]): Piece[] {
  const [today, firstDay] = [now, Math.min(first, now)].map((time) => time - time % DAY);
  const starts = [now - DAY, now - 7 * DAY, today! - 30 * DAY, today! - 365 * DAY, firstDay!];
  return [
    ...starts.map((from) => ({ from, to: now })),
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

function measuredAt(history: SiteHistory, { from, to }: Piece, now: number): Statistics {
  const options = { ...OPTIONS, maxGap: 1000 * OPTIONS.maxGap, now: 1000 * now };
  return measured(history, { from: 1000 * from, to: 1000 * to }, options);
}

function holds(from: number, days: number, numRuns: number): Promise<void> {
  return fc.assert(
    fc.asyncProperty(stories(from, sites.length, days), WITHIN, async (story, within) => {
      const { store, plain, now } = await writeStory(story, sites);
      const { histories } = await readHistories(await store.read(), sites);
      for (const [slug, own] of plain) {
        const history = histories.get(slug)!;
        assertEquals(history.first, 1000 * own.first);
        for (const window of windowsOf(now, own.first, within)) {
          assertSame(
            measuredAt(history, window, now),
            bruteForce(own, window, { ...OPTIONS, now }),
          );
        }
      }
    }),
    { numRuns },
  );
}

Deno.test("statistics equal a count of every second, whatever the files contain", async () => {
  for (const from of STARTS) await holds(from, 1, 4);
});

Deno.test("statistics of several days equal a count of every second", async () => {
  await holds(STARTS[3]!, 4, 3);
});

/** Rolls up all days that are over, and drops the logs of those before one. */
async function rolledUp({ store, now }: WrittenHistory, before: string): Promise<MemoryStore> {
  const { histories } = await readHistories(await store.read(), sites);
  const options = { maxGap: 1000 * OPTIONS.maxGap, now: 1000 * now };
  const days = [...histories].map(([slug, history]) =>
    [slug, rollUp(selectSamples(history, options))] as const
  );
  const kept = [...store.files].filter(([path]) =>
    !path.startsWith("history/checks/") || path >= `history/checks/${before}.csv`
  );
  const paths = new Set(days.flatMap(([, own]) => own.map(({ from }) => dailyPath(from))));
  const logs = [...paths].map((path): [string, string] => {
    const inYear = days.map(([slug, own]) =>
      [slug, own.filter(({ from }) => dailyPath(from) === path)] as const
    );
    return [path, formatDays(new Map(inYear))];
  });
  return await storeOf(new Map([...kept, ...logs]), store.pending);
}

function holdsRolledUp(from: number, numRuns: number): Promise<void> {
  const property = fc.asyncProperty(
    stories(from, sites.length, 4),
    fc.integer({ min: 1, max: 4 }),
    async (story, kept) => {
      const written = await writeStory(story, sites);
      const { plain, now } = written;
      const midnight = Math.floor(now / DAY) * DAY;
      const day = new Date(1000 * (midnight - kept * DAY)).toISOString().slice(0, 10);
      const store = await rolledUp(written, day);
      const { histories } = await readHistories(await store.read(), sites);
      for (const [slug, own] of plain) {
        const firstDay = Math.floor(own.first / DAY) * DAY;
        const starts = [firstDay, ...[0, 1, 2, 3, 30, 365].map((days) => midnight - days * DAY)];
        for (const window of starts.map((start) => ({ from: start, to: now }))) {
          const ours = measuredAt(histories.get(slug)!, window, now);
          const theirs = bruteForce(own, window, { ...OPTIONS, now });
          assertSame(ours, theirs, { time: 4, quantile: 0.05 });
          const [most, least] = [1.05, 1 / 1.05].map((leave) =>
            bruteForce(own, window, { ...OPTIONS, apdex: leave * OPTIONS.apdex, now }).apdex ?? 0
          );
          const { apdex = 0 } = ours;
          assert(apdex >= least! - 1e-9 && apdex <= most! + 1e-9, `${least} ${apdex} ${most}`);
        }
      }
    },
  );
  return fc.assert(property, { numRuns, interruptAfterTimeLimit: 40_000 });
}

Deno.test("rolled-up days match their checks, with response times within 5 %", async () => {
  await holdsRolledUp(STARTS[1]!, 2);
  await holdsRolledUp(STARTS[3]!, 2);
});
