import type { Incident } from "../history/incident.ts";
import { overlap, type Window } from "../history/windows.ts";

/**
 * The times in which an incident had its site down: without those between its ends and its reopenings,
 * and without those in which the site was degraded only. None where it never was down; `to` is `Infinity`
 * where it still is.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { parseIncident } from "../history/incident.ts";
 * const start = "2026-11-21T10:00:00.000Z";
 * const text = `slug: shop\nkind: down\nstart: ${start}\nconfirmed: ${start}\nchanges:\n  - at: 2026-11-21T10:05:00Z\n    state: down\n`;
 * assertEquals(downPieces(parseIncident(text)!), [{ from: Date.parse("2026-11-21T10:05:00Z"), to: Infinity }]);
 * ```
 */
export function downPieces(incident: Incident): Window[] {
  if (incident.kind !== "down") return [];
  const changes = changesOf(incident);
  return openTimes(incident).flatMap(({ from, to }) => {
    const pieces: Window[] = [];
    let began: number | undefined = stateAt(changes, from) === "down" ? from : undefined;
    for (const { at, state } of changes) {
      if (at <= from || at >= to) continue;
      if (state === "down") began ??= pieces.at(-1)?.to === at ? pieces.pop()!.from : at;
      else if (began !== undefined) {
        if (began < at) pieces.push({ from: began, to: at });
        began = undefined;
      }
    }
    return began === undefined ? pieces : [...pieces, { from: began, to }];
  });
}

/** The times in which an incident was open, whatever it was; `to` is `Infinity` where it still is. */
export function openTimes({ start, end, ended, reopened }: Incident): Window[] {
  const ends = end === undefined ? ended : [...ended, end];
  const next = ascending();
  return [start, ...reopened].map((from, index) => ({
    from: next(from.epochMilliseconds),
    to: next(ends[index]?.epochMilliseconds ?? Infinity),
  }));
}

/** Seconds of a window in which an incident was open. */
export function secondsOpen(incident: Incident, window: Window): number {
  const lengths = openTimes(incident).map((time) => overlap(time, window));
  return lengths.reduce((sum, length) => sum + length, 0) / 1000;
}

interface Change {
  at: number;
  state: "down" | "degraded";
}

function changesOf({ changes }: Incident): Change[] {
  const next = ascending();
  return changes.map(({ at, state }) => ({ at: next(at.epochMilliseconds), state }));
}

/** Hands moments on so that they follow each other: where a clock was set back between two, the later is taken to be the earlier. */
function ascending(): (moment: number) => number {
  let last = -Infinity;
  return (moment) => last = Math.max(last, moment);
}

/** What an incident that has been down was at a moment. */
function stateAt(changes: readonly Change[], moment: number): Change["state"] {
  const before = changes.findLast(({ at }) => at <= moment);
  if (before !== undefined) return before.state;
  return changes[0]?.state === "down" ? "degraded" : "down";
}
