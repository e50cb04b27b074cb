import { findNextDue } from "../checks/heartbeat/next_due.ts";
import { cadence, scheduleTimes, shortestGap } from "../config/schedule.ts";
import { windowBack } from "../history/windows.ts";
import { DAY, HOUR, MINUTE } from "../time.ts";
import { percentile } from "./response_times.ts";

/** Runs of the last week and the gaps between them; times are milliseconds since 1970, lengths milliseconds. */
export interface RunGaps {
  /** Start of the week, or the first run if that was later. */
  from: number;
  runs: number;
  /** The last run; absent if there was none. */
  last?: number;
  /** Shortest time between two starts of the schedule, at most a day. */
  interval: number;
  /** Absent if there are too few runs. */
  gaps?: GapFigures;
}

interface GapFigures {
  median: number;
  /** 90th percentile. */
  p90: number;
  /** The longest, also one that has not ended. */
  longest: number;
  /** Share of those that took more than twice as long as the schedule plans. */
  late: number;
}

/** Fewest gaps, and least time from the first run to the last, from which something can be concluded. */
const [FEWEST, LEAST_TIME] = [5, DAY];
/** A gap longer than so many times the 90th percentile, and at least so long, is an alarm. */
const FACTOR = 3;
export const SHORTEST_ALARM = HOUR;
/** So many gaps in a week of at least this share of a length make it a usual one. */
const [USUAL, SIMILAR] = [3, 2 / 3];

/**
 * Computes the gaps between the runs of the week before `now`. `moments` are the starts of runs, ascending; of
 * those before the week the last counts, because the gap after it ended in the week. Later ones than `now` come
 * from clocks that are fast, and are left out.
 *
 * Gaps far shorter than usual are no gaps: of runs that somebody starts by hand, that overlap, or that `watch`
 * made for a while.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const HOUR = 3_600_000;
 * const moments = Array.from({ length: 31 }, (_, index) => index * HOUR);
 * const late = [...moments, 30 * HOUR + 60_000, 34 * HOUR];
 * const { runs, gaps } = computeRunGaps(late, { schedule: "0 * * * *", now: 34 * HOUR });
 * assertEquals(runs, 33);
 * assertEquals([gaps!.median, gaps!.p90, gaps!.longest].map((gap) => gap / HOUR), [1, 1, 4 - 1 / 60]);
 * assertEquals(gaps!.late, 1 / 31);
 * ```
 */
export function computeRunGaps(
  moments: readonly number[],
  { schedule, now }: { schedule: string; now: number },
): RunGaps {
  const rhythm = toRhythm(schedule);
  const { from: week } = windowBack("week", now, now);
  const known = moments.filter((moment) => moment <= now);
  const runs = known.filter((moment) => moment >= week);
  const last = runs.at(-1);
  const before = known[known.length - runs.length - 1];
  const from = before === undefined ? runs[0] ?? week : week;
  const found = { from, runs: runs.length, ...last === undefined ? {} : { last } };
  const all = listGaps(before === undefined ? runs : [before, ...runs]);
  const gaps = withoutBursts(all, rhythm.interval);
  if (last === undefined || gaps.length < FEWEST || last - runs[0]! < LEAST_TIME) {
    return { ...found, interval: rhythm.interval };
  }
  const lengths = Float64Array.from(gaps, ({ length }) => length).sort();
  const late = gaps.filter(({ from, length }) =>
    length > 2 * rhythm.interval && length > 2 * rhythm.planned(from)
  );
  return {
    ...found,
    interval: rhythm.interval,
    gaps: {
      median: percentile(lengths, 0.5),
      p90: percentile(lengths, 0.9),
      longest: Math.max(lengths.at(-1)!, now - last),
      late: late.length / gaps.length,
    },
  };
}

/** A time without runs that is far longer than usual. */
export interface LongGap {
  from: number;
  to: number;
  usual: GapFigures;
}

/**
 * Finds the gap that a run at `to` has ended, if it is longer than `least` and three times the 90th percentile
 * of the week before it. No gap is one that the schedule plans, such as a night, nor one as long as three others
 * of that week: an alarm that rings every day helps nobody.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const MINUTE = 60_000;
 * const moments = Array.from({ length: 300 }, (_, index) => 5 * index * MINUTE);
 * const last = moments.at(-1)!;
 * const schedule = ["*", "5"].join("/") + " * * * *";
 * const lengthAt = (to: number) => {
 *   const gap = findLongGap(moments, { to, schedule, least: 60 * MINUTE });
 *   return gap && (gap.to - gap.from) / MINUTE;
 * };
 * assertEquals(lengthAt(last + 60 * MINUTE), undefined);
 * assertEquals(lengthAt(last + 61 * MINUTE), 61);
 * ```
 */
export function findLongGap(
  moments: readonly number[],
  { to, schedule, least }: { to: number; schedule: string; least: number },
): LongGap | undefined {
  const before = moments.filter((moment) => moment <= to);
  const from = before.at(-1);
  if (from === undefined || to - from <= least) return undefined;
  const { gaps: usual, interval } = computeRunGaps(before, { schedule, now: from });
  if (usual === undefined) return undefined;
  const length = to - from;
  if (length <= FACTOR * usual.p90) return undefined;
  // Runs that are far denser than the schedule are started from elsewhere.
  const isScheduled = interval <= FACTOR * usual.median;
  const planned = toRhythm(schedule).planned(from);
  if (isScheduled && planned > interval && length <= planned + least) return undefined;
  const { from: week } = windowBack("week", from, from);
  const similar = listGaps(before).filter((gap) =>
    gap.from + gap.length >= week && gap.length >= SIMILAR * length
  );
  return similar.length >= USUAL ? undefined : { from, to, usual };
}

interface Gap {
  /** Its start. */
  from: number;
  length: number;
}

function listGaps(moments: readonly number[]): Gap[] {
  return moments.slice(1).map((moment, index) => {
    const from = moments[index]!;
    return { from, length: moment - from };
  });
}

/** The gaps of at least half the usual length: that of the schedule, or which half of the time is spent in if less. */
function withoutBursts(gaps: readonly Gap[], interval: number): Gap[] {
  const ascending = gaps.map(({ length }) => length).sort((one, other) => one - other);
  const total = ascending.reduce((sum, length) => sum + length, 0);
  let passed = 0;
  const usual = ascending.find((length) => (passed += length) >= total / 2) ?? 0;
  const least = Math.min(interval, usual) / 2;
  return gaps.filter(({ length }) => length >= least);
}

/** The rhythm that a schedule plans. */
interface Rhythm {
  interval: number;
  /** Length of the gap that is planned after a moment, at least the interval. */
  planned(from: number): number;
}

/** Length of the gap that a schedule plans after a moment, both in milliseconds. */
export function plannedGap(schedule: string, from: number): number {
  return toRhythm(schedule).planned(from);
}

/** Rhythms by schedule: they take 2 ms, and `watch` may need one often. */
const RHYTHMS = new Map<string, Rhythm>();

function toRhythm(schedule: string): Rhythm {
  const known = RHYTHMS.get(schedule);
  if (known !== undefined) return known;
  const times = scheduleTimes(schedule);
  if (typeof times === "string") throw new RangeError(times);
  const { shortest, runs } = cadence(schedule);
  const interval = shortest * MINUTE;
  const isSteady = runs * interval === 30 * DAY || shortestGap(times) === Infinity;
  const rhythm: Rhythm = {
    interval,
    planned(from) {
      if (isSteady) return interval;
      const after = Temporal.Instant.fromEpochMilliseconds(from);
      return Math.max(interval, findNextDue(times, "UTC", after).epochMilliseconds - from);
    },
  };
  RHYTHMS.set(schedule, rhythm);
  return rhythm;
}
