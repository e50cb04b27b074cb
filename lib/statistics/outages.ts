import type { Incident } from "../history/incident.ts";
import { overlap, type Window } from "../history/windows.ts";

/**
 * The times in which an incident had its site down: without those between its ends and its reopenings, and
 * without those in which the site was only degraded. `to` is `Infinity` while it is down.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { parseIncident } from "../history/incident.ts";
 * const start = "2026-11-21T10:00:00.000Z";
 * const text = `slug: shop\nkind: down\nstart: ${start}\nconfirmed: ${start}\nchanges:\n  - at: 2026-11-21T10:05:00Z\n    state: down\n`;
 * assertEquals(downIntervals(parseIncident(text)!), [{ from: Date.parse("2026-11-21T10:05:00Z"), to: Infinity }]);
 * ```
 */
export function downIntervals(incident: Incident): Window[] {
  if (incident.kind !== "down") return [];
  const next = ascending();
  const changes = incident.changes.map(({ at, state }): Change => ({
    at: next(at.epochMilliseconds),
    state,
  }));
  return openIntervals(incident).flatMap(({ from, to }) => {
    const down: Window[] = [];
    let start: number | undefined = findState(changes, from) === "down" ? from : undefined;
    for (const { at, state } of changes) {
      if (at <= from || at >= to) continue;
      if (state === "down") start ??= down.at(-1)?.to === at ? down.pop()!.from : at;
      else if (start !== undefined) {
        if (start < at) down.push({ from: start, to: at });
        start = undefined;
      }
    }
    return start === undefined ? down : [...down, { from: start, to }];
  });
}

/** The times in which an incident was open; `to` is `Infinity` while it is. */
export function openIntervals({ start, end, ended, reopened }: Incident): Window[] {
  const ends = end === undefined ? ended : [...ended, end];
  const next = ascending();
  return [start, ...reopened].map((from, index) => ({
    from: next(from.epochMilliseconds),
    to: next(ends[index]?.epochMilliseconds ?? Infinity),
  }));
}

/** Seconds of a window in which an incident was open. */
export function secondsOpen(incident: Incident, window: Window): number {
  return openIntervals(incident).reduce((sum, one) => sum + overlap(one, window), 0) / 1000;
}

interface Change {
  at: number;
  state: "down" | "degraded";
}

function findState(changes: readonly Change[], moment: number): Change["state"] {
  const before = changes.findLast(({ at }) => at <= moment);
  if (before !== undefined) return before.state;
  return changes[0]?.state === "down" ? "degraded" : "down";
}

/** Makes moments ascend: if a clock was set back between two, the later one becomes the earlier one. */
function ascending(): (moment: number) => number {
  let last = -Infinity;
  return (moment) => last = Math.max(last, moment);
}
