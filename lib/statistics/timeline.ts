import type { State } from "../state.ts";
import { HOUR } from "../time.ts";
import { type Check, findCheck } from "../history/site_history.ts";
import type { Window } from "../history/windows.ts";

/** A time in which a site was in one state; `unknown` if no check covers it. */
export interface Interval extends Window {
  state: State;
}

/** Appends an interval to others: an empty one is left out, and one that continues the last makes it longer. */
export function appendInterval(intervals: Interval[], interval: Interval): void {
  if (interval.to <= interval.from) return;
  const last = intervals.at(-1);
  if (last?.to === interval.from && last.state === interval.state) last.to = interval.to;
  else intervals.push({ ...interval });
}

/** Limits of the time that checks cover. */
export interface TimelineOptions {
  /** Milliseconds that a check covers at most. */
  maxGap: number;
  /** Milliseconds since 1970; anything later is ignored. */
  now: number;
}

/** Milliseconds that a check of Upptime covers at most: it writes one on a change and once a day. */
export const IMPORTED_GAP = 26 * HOUR;

/** End of the time that a check covers, in milliseconds since 1970, if no other follows. */
export function coverageOfCheck({ time, isImported }: Check, maxGap: number): number {
  return time + (isImported ? Math.max(IMPORTED_GAP, maxGap) : maxGap);
}

/**
 * Computes the states of a site over time from its checks: each covers the time until the next, at most
 * `maxGap`. Time that no check covers, or only one without a result, is in no interval. An outage starts
 * and ends when its incident does, between two checks.
 *
 * Maintenance starts and ends when its window does, also between two checks, and an outage that is still
 * ongoing continues after it. If no window ends the maintenance, its last check covers the time
 * until the next one, or until an outage that starts meanwhile.
 *
 * `outages` and `maintenance` (windows that have a file) are ascending; the latter don't overlap.
 */
export function computeTimeline(
  checks: readonly Check[],
  outages: readonly Window[],
  maintenance: readonly Window[],
  { maxGap, now }: TimelineOptions,
): Interval[] {
  const firstDown = outages.map((outage) => findDownCheck(checks, outage));
  const intervals: Interval[] = [];
  let past = 0;
  let window = 0;
  for (let index = 0; index < checks.length; index++) {
    const { time: from, state, isImported } = checks[index]!;
    if (from >= now) break;
    const reach = from + (isImported ? IMPORTED_GAP : maxGap);
    const next = Math.min(checks[index + 1]?.time ?? Infinity, reach);
    const to = Math.min(next, now);
    while (past < outages.length && outages[past]!.to <= from) past++;
    while (window < maintenance.length && maintenance[window]!.to <= from) window++;
    if (to <= from || state === "unknown") continue;
    if (state === "degraded") {
      appendInterval(intervals, { from, to, state });
      continue;
    }
    const hasWindow = window < maintenance.length && maintenance[window]!.from <= from;
    const otherwise = state === "maintenance" && !hasWindow ? state : "up";
    let cursor = from;
    let isMet = false;
    // The time of a check is the start of its run. If the time before it is not covered, that of a failing
    // check is not either until the first attempt, with which the outage starts.
    let isCovered = state !== "down" || intervals.at(-1)?.to === from;
    for (let at = past; at < outages.length && outages[at]!.from < next; at++) {
      const outage = outages[at]!;
      if (outage.to <= from) continue;
      isMet = true;
      if (outage.from >= to) break;
      const counts = state === "up"
        ? index < firstDown[at]! || outage.to < next
        : state === "down" || hasWindow || outage.from >= from;
      if (!counts || outage.to <= cursor) continue;
      const start = Math.max(cursor, outage.from);
      const end = Math.min(to, outage.to);
      if (isCovered) appendInterval(intervals, { from: cursor, to: start, state: otherwise });
      appendInterval(intervals, { from: start, to: end, state: "down" });
      cursor = end;
      isCovered = true;
    }
    // A failing check whose incident is lost is still an outage.
    if (!isMet && state === "down") appendInterval(intervals, { from: cursor, to, state });
    else if (isCovered) appendInterval(intervals, { from: cursor, to, state: otherwise });
  }
  return withMaintenance(intervals, maintenance);
}

/** Index of the first check that saw an outage; -1 if none did. */
function findDownCheck(checks: readonly Check[], { from, to }: Window): number {
  // The attempts of a run come after its start, which is the time of its checks.
  let index = Math.max(0, findCheck(checks, from) - 1);
  for (; index < checks.length && checks[index]!.time < to; index++) {
    if (checks[index]!.state === "down") return index;
  }
  return -1;
}

/** Marks checks in maintenance windows, even if those were created later; a check without a result stays one. */
export function checksWithMaintenance(
  checks: readonly Check[],
  windows: readonly Window[],
): readonly Check[] {
  if (windows.length === 0) return checks;
  const marked = [...checks];
  for (const { from, to } of windows) {
    const end = findCheck(checks, to);
    for (let index = findCheck(checks, from); index < end; index++) {
      const { time, state, isImported } = checks[index]!;
      if (state !== "unknown") marked[index] = { time, state: "maintenance", isImported };
    }
  }
  return marked;
}

/** Marks the parts of intervals that lie in maintenance windows; both ascending and without overlaps. */
export function withMaintenance(
  intervals: readonly Interval[],
  windows: readonly Window[],
): Interval[] {
  const marked: Interval[] = [];
  let past = 0;
  for (const interval of intervals) {
    while (past < windows.length && windows[past]!.to <= interval.from) past++;
    let cursor = interval.from;
    for (let at = past; at < windows.length && windows[at]!.from < interval.to; at++) {
      const from = Math.max(cursor, windows[at]!.from);
      const to = Math.min(interval.to, windows[at]!.to);
      appendInterval(marked, { ...interval, from: cursor, to: from });
      appendInterval(marked, { from, to, state: "maintenance" });
      cursor = to;
    }
    appendInterval(marked, { ...interval, from: cursor });
  }
  return marked;
}
