import { STATES } from "../state.ts";
import { firstAtOrAfter } from "../history/first_at_or_after.ts";
import { spansInMaintenance } from "./in_maintenance.ts";
import type { Checks } from "../history/site_history.ts";
import { appendSpan, type Span } from "./span.ts";
import type { Window } from "../history/windows.ts";

const UP = STATES.indexOf("up");

/** What is known of a site, by time. */
export interface Known {
  checks: Checks;
  /** The pieces of all outages. */
  outages: readonly Window[];
  /** The windows of maintenance that have a file, ascending and without overlaps. */
  maintenance: readonly Window[];
}

/** What the time between checks is taken for. */
export interface TimelineOptions {
  /** Milliseconds that a check speaks for at most. */
  maxGap: number;
  /** Milliseconds since 1970; nothing after it is looked at. */
  now: number;
}

/** Milliseconds that a check of Upptime covers at most: it writes one on a change and once a day. */
export const IMPORTED_GAP = 26 * 3_600_000;

/**
 * The states of a site over time, as its checks tell them: each speaks for the time until the next, at
 * most `maxGap`. Time that none speaks for, or one in which nothing was learnt, is in no span. An outage
 * begins and ends when its incident does, between two checks.
 *
 * Maintenance begins and ends when its window does, also between two checks, and an outage that goes on
 * is one again behind it. Where no window tells when maintenance ended, its last check speaks until the
 * next one, up to an outage that begins meanwhile: that of a site still failing begins with the end.
 */
export function timelineOf(
  { checks, outages, maintenance }: Known,
  { maxGap, now }: TimelineOptions,
): readonly Span[] {
  const pieces = outages.toSorted((a, b) => a.from - b.from);
  const firstDown = pieces.map((piece) => firstDownCheck(checks, piece));
  const spans: Span[] = [];
  let past = 0;
  let window = 0;
  for (let index = 0; index < checks.length && checks.times[index]! < now; index++) {
    const from = checks.times[index]!;
    const reach = checks.imported[index] === 1 ? IMPORTED_GAP : maxGap;
    while (past < pieces.length && pieces[past]!.to <= from) past++;
    index = lastAlike(checks, index, { reach, end: Math.min(now, pieces[past]?.from ?? Infinity) });
    const next = Math.min(checks.times[index + 1] ?? Infinity, checks.times[index]! + reach);
    const to = Math.min(next, now);
    const state = STATES[checks.states[index]!]!;
    if (to <= from || state === "unknown") continue;
    if (state === "degraded") {
      appendSpan(spans, { from, to, state });
      continue;
    }
    while (window < maintenance.length && maintenance[window]!.to <= from) window++;
    const hasWindow = window < maintenance.length && maintenance[window]!.from <= from;
    const otherwise = state === "maintenance" && !hasWindow ? state : "up";
    let cursor = from;
    let isMet = false;
    // The time of a check is the start of its run. If the time before it is not covered, that of a failing
    // check is not either until the first attempt, with which the outage starts.
    let isCovered = state !== "down" || spans.at(-1)?.to === from;
    for (let at = past; at < pieces.length && pieces[at]!.from < next; at++) {
      const piece = pieces[at]!;
      if (piece.to <= from) continue;
      isMet = true;
      if (piece.from >= to) break;
      const counts = state === "up"
        ? index < firstDown[at]! || piece.to < next
        : state === "down" || hasWindow || piece.from >= from;
      if (!counts || piece.to <= cursor) continue;
      const begin = Math.max(cursor, piece.from);
      const end = Math.min(to, piece.to);
      if (isCovered) appendSpan(spans, { from: cursor, to: begin, state: otherwise });
      appendSpan(spans, { from: begin, to: end, state: "down" });
      cursor = end;
      isCovered = true;
    }
    // An outage whose incident is lost is one all the same.
    if (!isMet && state === "down") appendSpan(spans, { from: cursor, to, state });
    else if (isCovered) appendSpan(spans, { from: cursor, to, state: otherwise });
  }
  return spansInMaintenance(spans, maintenance);
}

/**
 * Index of the last of the checks from one on that are up, without a gap between them, and speak for no time
 * behind `end`: together they say what one of them would, and nearly all are such. It is the index of that
 * one where it is none of them. `reach` and `end` are in milliseconds.
 */
function lastAlike(
  { times, states, imported, length }: Checks,
  index: number,
  { reach, end }: { reach: number; end: number },
): number {
  let last = index;
  if (states[index] !== UP) return last;
  for (let next = index + 1; next < length && times[next]! + reach <= end; last = next++) {
    const isAlike = states[next] === UP && imported[next] === imported[index];
    if (!isAlike || times[next]! - times[last]! > reach) break;
  }
  return last;
}

/** Index of the first check in which a piece was seen; -1 where there is none. */
function firstDownCheck({ times, states, length }: Checks, { from, to }: Window): number {
  let index = firstAtOrAfter(times, from);
  // The attempts of a run come after its start, which is the time of its checks.
  if (index > 0) index--;
  for (; index < length && times[index]! < to; index++) {
    if (STATES[states[index]!] === "down") return index;
  }
  return -1;
}
