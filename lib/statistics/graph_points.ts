import { SUCCESSFUL } from "../state.ts";
import { DAY, HOUR, MINUTE } from "../time.ts";
import type { Evidence } from "./evidence.ts";
import { firstAtOrAfter } from "../history/first_at_or_after.ts";
import type { GraphPoint } from "./graph.ts";
import { firstFrom } from "./days_in.ts";
import { Histogram } from "../history/histogram.ts";
import { percentilesOf } from "./percentiles.ts";
import type { Checks, RolledDays } from "../history/site_history.ts";
import type { Window } from "../history/windows.ts";

/** Lengths of the pieces a graph may be cut into, in milliseconds. */
const PIECES = [
  5 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  4 * DAY,
  7 * DAY,
  14 * DAY,
  28 * DAY,
];

const MIDDLE_AND_LATE = [0.5, 0.95];

/** Length of the pieces that a window is cut into so that there are about `most` of them at most, in milliseconds; they begin at multiples of it. */
export function pieceLength({ from, to }: Window, most: number): number {
  return PIECES.find((piece) => (to - from) / piece <= most) ?? PIECES.at(-1)!;
}

/** A point of which is not known yet whether a line leads to it. */
export type Point = Omit<GraphPoint, "isJoined">;

/** The points of a window, by time: one for each of its pieces, about `most` at most, in which a check was successful. */
export function pointsOf(evidence: Evidence, window: Window, most: number): Point[] {
  const { checks, days } = evidence;
  const { from, to } = window;
  const length = pieceLength(window, most);
  const points: Point[] = [];
  const histogram = new Histogram();
  let check = firstAtOrAfter(checks.times, from);
  let day = firstFrom(days, from - DAY / 2);
  const room = new Float64Array(firstAtOrAfter(checks.times, to) - check);
  for (let begin = Math.floor(from / length) * length; begin < to; begin += length) {
    const end = Math.min(to, begin + length);
    const [firstCheck, firstDay] = [check, day];
    check = firstAtOrAfter(checks.times, end);
    day = firstFrom(days, end - DAY / 2);
    const { values, moment } = timesOf(checks, [firstCheck, check], { begin, room });
    const slowest = firstDay < day ? putDays(histogram, days, [firstDay, day]) : undefined;
    const isRolled = slowest !== undefined;
    if (values.length === 0 && !isRolled) continue;
    // What is rolled up stands for all of the piece, and single checks may fill a part of it.
    const middle = isRolled ? length / 2 : moment;
    const time = Math.min(to, Math.max(from, begin + middle));
    points.push(
      isRolled ? nearly(time, values, { histogram, slowest }) : exactly(time, values),
    );
  }
  return points;
}

/** From one index up to another. */
type Range = readonly [from: number, to: number];

/**
 * Response times of the successful checks of a piece of time, in the room they are given, and their mean
 * moment, from its begin on: `NaN` where there are none.
 */
function timesOf(
  { times, states, durations }: Checks,
  [from, to]: Range,
  { begin, room }: { begin: number; room: Float64Array },
): { values: Float64Array; moment: number } {
  let count = 0;
  let moments = 0;
  for (let index = from; index < to; index++) {
    const value = durations[index]!;
    if (!SUCCESSFUL[states[index]!] || Number.isNaN(value)) continue;
    room[count++] = value;
    moments += times[index]! - begin;
  }
  return { values: room.subarray(0, count), moment: moments / count };
}

/** Makes a histogram hold the response times of some days and nothing else, and returns the slowest; `undefined` if they have none. */
function putDays(histogram: Histogram, days: RolledDays, [from, to]: Range): number | undefined {
  histogram.clear();
  let slowest: number | undefined;
  days.forEach(
    ({ totals: { responseTimes } }) => {
      if (responseTimes.count === 0) return;
      histogram.addDay(responseTimes);
      slowest = Math.max(slowest ?? 0, responseTimes.max);
    },
    from,
    to,
  );
  return slowest;
}

function slowestOf(values: Float64Array): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}

/** A point of single response times. */
function exactly(time: number, values: Float64Array): Point {
  const [median, p95] = percentilesOf(values, MIDDLE_AND_LATE) as [number, number];
  return values.length === 1 ? { time, median } : { time, median, p95, max: slowestOf(values) };
}

/** A point of the response times in a histogram, and of single ones, which are added to it. */
function nearly(
  time: number,
  values: Float64Array,
  { histogram, slowest }: { histogram: Histogram; slowest: number },
): Point {
  for (let index = 0; index < values.length; index++) histogram.add(values[index]!);
  return {
    time,
    median: histogram.quantile(0.5) ?? 0,
    p95: histogram.quantile(0.95),
    max: Math.max(slowest, slowestOf(values)),
  };
}
