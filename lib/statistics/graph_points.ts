import { SUCCESSFUL } from "../state.ts";
import { DAY, HOUR, MINUTE } from "../time.ts";
import type { Evidence } from "./evidence.ts";
import { firstAtOrAfter } from "./first_at_or_after.ts";
import type { GraphPoint } from "./graph.ts";
import { firstFrom } from "./days_in.ts";
import { Histogram } from "./histogram.ts";
import { percentilesOf } from "./percentiles.ts";
import type { Window } from "./windows.ts";

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
  const { checks: { times }, days } = evidence;
  const { from, to } = window;
  const length = pieceLength(window, most);
  const points: Point[] = [];
  const histogram = new Histogram();
  let check = firstAtOrAfter(times, from);
  let day = firstFrom(days, from - DAY / 2);
  const room = new Float64Array(firstAtOrAfter(times, to) - check);
  for (let begin = Math.floor(from / length) * length; begin < to; begin += length) {
    const end = Math.min(to, begin + length);
    const [firstCheck, firstDay] = [check, day];
    check = firstAtOrAfter(times, end);
    day = firstFrom(days, end - DAY / 2);
    const piece = gather(
      evidence,
      { begin, checks: [firstCheck, check], days: [firstDay, day] },
      room,
    );
    if (piece === undefined) continue;
    // What is rolled up stands for all of the piece, and single checks may fill a part of it.
    const middle = piece.days.length > 0 ? length / 2 : piece.moment;
    const time = Math.min(to, Math.max(from, begin + middle));
    points.push(pointAt(time, piece, histogram));
  }
  return points;
}

/** Where the checks and the rolled-up days of a piece of time stand: from one index up to another. */
interface Place {
  /** Begin of the piece. */
  begin: number;
  checks: [from: number, to: number];
  days: [from: number, to: number];
}

/** Response times of a piece of time. */
interface Piece {
  values: Float64Array;
  /** The mean moment of the values, from the begin of the piece on. */
  moment: number;
  /** Those of the days that have any. */
  days: Evidence["days"];
}

/** The response times of a piece, in the room they are given; `undefined` where it has none. */
function gather(
  { checks: { times, states, durations }, days }: Evidence,
  place: Place,
  room: Float64Array,
): Piece | undefined {
  const [from, to] = place.checks;
  let [count, moments] = [0, 0];
  for (let index = from; index < to; index++) {
    const value = durations[index]!;
    if (!SUCCESSFUL[states[index]!] || Number.isNaN(value)) continue;
    room[count++] = value;
    moments += times[index]! - place.begin;
  }
  const [firstDay, nextDay] = place.days;
  const rolled = firstDay === nextDay
    ? []
    : days.slice(firstDay, nextDay).filter(({ totals }) => totals.responseTimes.count > 0);
  if (count === 0 && rolled.length === 0) return undefined;
  return { values: room.subarray(0, count), moment: moments / count, days: rolled };
}

/** What a piece is at a moment of it: its median and 95th percentile. A histogram is lent for it. */
function pointAt(time: number, { values, days }: Piece, histogram: Histogram): Point {
  if (days.length === 0) {
    const [median, p95] = percentilesOf(values, MIDDLE_AND_LATE) as [number, number];
    return values.length === 1 ? { time, median } : { time, median, p95 };
  }
  histogram.clear();
  for (let index = 0; index < days.length; index++) {
    histogram.addDay(days.at(index)!.totals.responseTimes);
  }
  for (const value of values) histogram.add(value);
  return { time, median: histogram.quantile(0.5) ?? 0, p95: histogram.quantile(0.95) };
}
