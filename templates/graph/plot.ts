// @ts-types="@types/d3-scale"
import { scaleLinear, scaleUtc } from "d3-scale";
import type { Window } from "../../lib/history/windows.ts";
import type { GraphPoint } from "../../lib/statistics/graph.ts";
import type { Interval } from "../../lib/statistics/timeline.ts";
import type { State } from "../../lib/state.ts";
import { HOUR } from "../../lib/time.ts";
import { round } from "./style.ts";

/** States drawn behind the line, each over those before it. */
export const DRAWN_STATES = [
  "unknown",
  "maintenance",
  "degraded",
  "down",
] as const satisfies State[];
export type DrawnState = typeof DRAWN_STATES[number];

/** The window of a graph, which is at least an hour long. */
export function toPlottedWindow({ from, to }: Window): Window {
  return { from: Math.min(from, to - HOUR), to };
}

/** Pixel columns in one state; `right` is exclusive. */
interface Stretch {
  left: number;
  right: number;
  state: DrawnState;
}

/** Converts intervals to whole columns in the worst state, known ones at least `narrowest` columns wide. */
export function toStretches(
  intervals: readonly Interval[],
  { window, x, left: first, right: end, narrowest }: {
    window: Window;
    x(time: number): number;
    left: number;
    right: number;
    narrowest: number;
  },
): Stretch[] {
  const columns: (DrawnState | undefined)[] = Array(end).fill(undefined);
  for (const state of DRAWN_STATES) {
    for (const interval of intervals) {
      if (interval.state !== state || interval.to <= window.from || interval.from >= window.to) {
        continue;
      }
      const isUnknown = state === "unknown";
      const left = Math.max(first, Math.floor(x(interval.from)));
      const to = isUnknown ? Math.floor(x(interval.to)) : Math.ceil(x(interval.to));
      const least = isUnknown ? 0 : narrowest;
      const right = Math.min(end, Math.max(to, left + least));
      columns.fill(state, Math.min(left, end - least), right);
    }
  }
  const stretches: Stretch[] = [];
  for (let left = first; left < end;) {
    const state = columns[left];
    let right = left + 1;
    while (right < end && columns[right] === state) right++;
    if (state !== undefined) stretches.push({ left, right, state });
    left = right;
  }
  return stretches;
}

/** The axis of milliseconds; the ticks start at 0, and the last is the upper end. */
export interface ValueAxis {
  y(milliseconds: number): number;
  ticks: readonly number[];
}

const VALUE_TICKS = 4;

/** Computes an axis from zero to a round number above all points; `undefined` if there are none. */
export function computeValueAxis(
  points: readonly GraphPoint[],
  { top, bottom }: { top: number; bottom: number },
): ValueAxis | undefined {
  if (points.length === 0) return undefined;
  const most = points.reduce((most, { median, p95 }) => Math.max(most, median, p95 ?? 0), 0);
  // At least a millisecond for each tick, and some room above.
  const end = Math.max(VALUE_TICKS, most * 1.04);
  const scale = scaleLinear([0, end], [bottom, top]).nice(VALUE_TICKS);
  return { y: (value) => round(scale(value)), ticks: scale.ticks(VALUE_TICKS) };
}

/** SVG paths of response times, each empty if there is nothing to draw. */
interface ResponseTimePaths {
  /** Area from the medians to p95. */
  band: string;
  line: string;
  /** Medians of points that are joined to none: lines of length 0. */
  dots: string;
}

/** Draws points in runs of joined ones; a single point's band is `2 * half` wide. */
export function toPaths(
  points: readonly GraphPoint[],
  { x, y, half }: { x(time: number): number; y(milliseconds: number): number; half: number },
): ResponseTimePaths {
  const runs = splitBefore(points, ({ isJoined }) => !isJoined);
  const paths: ResponseTimePaths = { band: "", line: "", dots: "" };
  const at = ({ time }: GraphPoint, value: number) => `${x(time)},${y(value)}`;
  for (const run of runs) {
    const medians = run.map((point) => at(point, point.median));
    if (run.length > 1) paths.line += `M${medians.join("L")}`;
    else paths.dots += `M${medians[0]!.replace(",", " ")}h0`;
    const bands = splitBefore(run, ({ p95 }) => p95 === undefined)
      .map((band) => band.filter(({ p95 }) => p95 !== undefined));
    for (const band of bands) {
      const [first] = band;
      if (first === undefined) continue;
      const upper = band.map((point) => at(point, point.p95!));
      const lower = band.map((point) => at(point, point.median)).reverse();
      paths.band += band.length > 1
        ? `M${[...upper, ...lower].join("L")}Z`
        : `M${round(x(first.time) - half)} ${y(first.median)}h${2 * half}V${y(first.p95!)}h-${
          2 * half
        }Z`;
    }
  }
  return paths;
}

function splitBefore<T>(all: readonly T[], isStart: (one: T) => boolean): T[][] {
  const parts: T[][] = [];
  for (const one of all) {
    if (parts.length === 0 || isStart(one)) parts.push([]);
    parts.at(-1)!.push(one);
  }
  return parts;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

export interface TimeTick {
  /** Milliseconds since 1970. */
  time: number;
  label: string;
  /** Part of the time that the label names. */
  by: "clock" | "weekday" | "date" | "month" | "year";
  /** True for a day among hours and a year among months. */
  isMajor: boolean;
}

/** Numbers of ticks to try, so that fewer are found if labels don't fit. */
const TIME_TICKS = [24, 18, 12, 8, 6, 4, 3, 2];

/** Computes the ticks of a window in a time zone: as many as `fits` accepts. */
export function computeTimeTicks(
  window: Window,
  zone: string,
  fits: (ticks: readonly TimeTick[]) => boolean,
): TimeTick[] {
  const domain = [wallClock(window.from, zone), wallClock(window.to, zone)];
  const scale = scaleUtc().domain(domain);
  for (const count of TIME_TICKS) {
    const dates = scale.ticks(count);
    const ticks = dates.flatMap((date) => timeTick(date, dates, zone))
      .filter(({ time }) => time >= window.from && time <= window.to);
    if (fits(ticks)) return ticks;
  }
  return [];
}

/** The time that clocks of a zone show, as if they were clocks of UTC. */
function wallClock(time: number, zone: string): Date {
  const zoned = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone);
  return new Date(time + zoned.offsetNanoseconds / 1e6);
}

/** A tick at a wall-clock time; none if the clocks skip it. */
function timeTick(date: Date, all: readonly Date[], zone: string): TimeTick[] {
  const step = all.length < 2 ? HOUR : all[1]!.getTime() - all[0]!.getTime();
  const plain = Temporal.PlainDateTime.from(date.toISOString().slice(0, -1));
  const zoned = plain.toZonedDateTime(zone);
  const { day, month, year, hour, minute } = plain;
  const isMidnight = hour === 0 && minute === 0;
  if (!isMidnight && !zoned.toPlainDateTime().equals(plain)) return [];
  const clock = plain.toPlainTime().toString({ smallestUnit: "minute" });
  const tick = (label: string, by: TimeTick["by"], isMajor = false): TimeTick[] => [
    { time: zoned.epochMilliseconds, label, by, isMajor },
  ];
  if (step < 20 * HOUR) {
    return isMidnight
      ? tick(`${WEEKDAYS[date.getUTCDay()]} ${day}`, "weekday", true)
      : tick(clock, "clock");
  }
  if (step < 5 * 24 * HOUR) return tick(`${WEEKDAYS[date.getUTCDay()]} ${day}`, "weekday");
  if (step < 20 * 24 * HOUR) return tick(`${day} ${MONTHS[month - 1]}`, "date");
  if (step > 300 * 24 * HOUR) return tick(String(year), "year");
  return month === 1 ? tick(String(year), "year", true) : tick(MONTHS[month - 1]!, "month");
}

/** A moment in a zone, such as `21 Nov 2026, 10:05`. */
export function formatMoment(time: number, zone: string): string {
  const zoned = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone);
  const clock = zoned.toPlainTime().toString({ smallestUnit: "minute" });
  return `${zoned.day} ${MONTHS[zoned.month - 1]} ${zoned.year}, ${clock}`;
}
