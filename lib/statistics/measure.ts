import { STATES } from "../state.ts";
import type { DownPiece } from "./down_pieces.ts";
import { DAY, type Evidence, evidenceOf, type RolledDay } from "./evidence.ts";
import { Histogram } from "./histogram.ts";
import { outagesIn } from "./outages.ts";
import { ofSums, ofValues } from "./response_times.ts";
import { isSuccess } from "./roll_up.ts";
import type { SiteHistory } from "./site_history.ts";
import type { Objective, Statistics } from "./statistics.ts";
import { firstAtOrAfter, type TimelineOptions } from "./timeline.ts";
import type { Window } from "./windows.ts";

/** What a site is held against. */
export interface Goals {
  /** Milliseconds up to which an answer satisfies. */
  apdex: number;
  /** Percent of the time that the site shall be up. */
  slo?: number;
}

/** The statistics of a site in a window, straight from its history. */
export function measure(
  history: SiteHistory,
  window: Window,
  { apdex, slo, ...options }: TimelineOptions & Goals,
): Statistics {
  return measureEvidence(evidenceOf(history, options), window, { apdex, slo });
}

/** The statistics of a site in a window; the part of the window that is still to come tells nothing. */
export function measureEvidence(evidence: Evidence, window: Window, goals: Goals): Statistics {
  const { first, now } = evidence;
  const parts = evidence.days.flatMap((day) => partOf(day, window, first));
  const times = timesIn(evidence, window, parts);
  const { observed, maintenance, down } = times;
  const seen = checksIn(evidence, window, parts, goals.apdex);
  const judged = observed - maintenance;
  const length = (Math.min(window.to, now) - Math.max(window.from, first ?? now)) / 1000;
  const uptime = judged <= 0 ? undefined : Math.max(0, 1 - down / judged);
  return {
    window,
    ...times,
    coverage: length > 0 ? Math.min(1, observed / length) : undefined,
    uptime,
    ...seen,
    ...outagesIn(evidence, window, Math.max(0, judged - down)),
    objective: goals.slo === undefined
      ? undefined
      : objectiveOf(Number((goals.slo / 100).toPrecision(12)), { judged, down, uptime }),
  };
}

/** A day whose totals count, and the share of it that lies in a window. */
interface DayPart extends RolledDay {
  share: number;
  window: Window;
}

/** Of the day on which a site was first monitored, all that is known lies behind that moment. */
function partOf(day: RolledDay, { from, to }: Window, first = day.from): DayPart[] {
  const end = day.from + DAY;
  if (end <= from || day.from >= to) return [];
  const begin = Math.min(Math.max(day.from, first), end - 1);
  const window = { from: Math.max(from, begin), to: Math.min(to, end) };
  const length = window.to - window.from;
  return length <= 0 ? [] : [{ ...day, window, share: length / (end - begin) }];
}

function timesIn(
  { spans, outages }: Evidence,
  { from, to }: Window,
  parts: readonly DayPart[],
): Pick<Statistics, "observed" | "maintenance" | "down" | "degraded"> {
  const times = { observed: 0, maintenance: 0, down: 0, degraded: 0 };
  for (const span of spans) {
    const seconds = (Math.min(to, span.to) - Math.max(from, span.from)) / 1000;
    if (seconds <= 0) continue;
    times.observed += seconds;
    if (span.state !== "up" && span.state !== "unknown") times[span.state] += seconds;
  }
  const pieces = parts.some(({ share }) => share < 1) ? [...outages.values()].flat() : [];
  for (const { from: begin, totals, share, window } of parts) {
    const day = { from: begin, to: begin + DAY };
    const inDay = lengthIn(pieces, day);
    const ofDown = share === 1 || inDay === 0 ? share : lengthIn(pieces, window) / inDay;
    times.observed += totals.observedTime * share;
    times.maintenance += totals.maintenanceTime * share;
    times.degraded += totals.degradedTime * share;
    times.down += Math.min(totals.downTime * ofDown, totals.observedTime * share);
  }
  return times;
}

function lengthIn(pieces: readonly DownPiece[], { from, to }: Window): number {
  return pieces.reduce(
    (sum, piece) => sum + Math.max(0, Math.min(to, piece.to) - Math.max(from, piece.from)),
    0,
  );
}

function checksIn(
  { checks: { times, states, durations } }: Evidence,
  { from, to }: Window,
  parts: readonly DayPart[],
  target: number,
): Pick<Statistics, "checks" | "responseTimes" | "apdex"> {
  let [checks, failed, satisfied, tolerated] = [0, 0, 0, 0];
  const [begin, end] = [firstAtOrAfter(times, from), firstAtOrAfter(times, to)];
  const room = new Float64Array(Math.max(0, end - begin));
  let successes = 0;
  for (let index = begin; index < end; index++) {
    const state = STATES[states[index]!]!;
    if (state !== "unknown") checks++;
    if (state === "down") failed++;
    const value = durations[index]!;
    if (!isSuccess(state) || Number.isNaN(value)) continue;
    room[successes++] = value;
    if (value <= target) satisfied++;
    else if (value <= 4 * target) tolerated++;
  }
  const values = room.subarray(0, successes);
  const score = (count: number) =>
    count + failed === 0 ? undefined : (satisfied + tolerated / 2) / (count + failed);
  if (parts.length === 0) {
    const responseTimes = ofValues(values);
    return { checks, responseTimes, apdex: score(values.length) };
  }
  const histogram = new Histogram();
  let [count, sum, min, max] = [0, 0, Infinity, -Infinity];
  for (const { totals, share } of parts) {
    const { responseTimes } = totals;
    checks += (totals.up + totals.degraded + totals.down + totals.maintenance) * share;
    failed += totals.down * share;
    histogram.addText(responseTimes.histogram, share);
    if (responseTimes.count === 0) continue;
    count += responseTimes.count * share;
    sum += responseTimes.sum * share;
    min = Math.min(min, responseTimes.min);
    max = Math.max(max, responseTimes.max);
  }
  satisfied += histogram.countUpTo(target);
  tolerated += histogram.countUpTo(4 * target) - histogram.countUpTo(target);
  for (const value of values) {
    histogram.add(value);
    sum += value;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  count += values.length;
  return {
    checks: Math.round(checks),
    responseTimes: ofSums({ count, sum, min, max, histogram }),
    apdex: score(count),
  };
}

function objectiveOf(
  target: number,
  { judged, down, uptime }: { judged: number; down: number; uptime?: number },
): Objective {
  const budget = (1 - target) * Math.max(0, judged);
  return {
    target,
    isMet: uptime === undefined ? undefined : uptime >= target,
    budget,
    left: budget - down,
  };
}
