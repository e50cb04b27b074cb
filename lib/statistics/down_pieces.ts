import type { Incident } from "../history/incident.ts";

/** A time in which a site was down, in milliseconds since 1970. */
export interface DownPiece {
  from: number;
  /** `Infinity` where it goes on. */
  to: number;
}

/**
 * The times in which an incident had its site down: without those between its ends and its reopenings,
 * and without those in which the site was degraded only. None where it never was down.
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
export function downPieces(incident: Incident): DownPiece[] {
  if (incident.kind !== "down") return [];
  return openTimes(incident).flatMap(({ from, to }) => {
    const pieces: DownPiece[] = [];
    let began: number | undefined = stateAt(incident, from) === "down" ? from : undefined;
    for (const { at, state } of incident.changes) {
      const moment = at.epochMilliseconds;
      if (moment <= from || moment >= to) continue;
      if (state === "down") began ??= moment;
      else if (began !== undefined) {
        pieces.push({ from: began, to: moment });
        began = undefined;
      }
    }
    return began === undefined ? pieces : [...pieces, { from: began, to }];
  });
}

/** The times in which an incident was open, in milliseconds since 1970. */
export function openTimes({ start, end, ended, reopened }: Incident): DownPiece[] {
  const starts = [start, ...reopened].map(({ epochMilliseconds }) => epochMilliseconds);
  const ends = [...ended, ...end === undefined ? [] : [end]].map((one) => one.epochMilliseconds);
  return starts.map((from, index) => ({ from, to: Math.max(from, ends[index] ?? Infinity) }));
}

/** What an incident that has been down was at a moment. */
function stateAt({ changes }: Incident, moment: number): "down" | "degraded" {
  const before = changes.findLast(({ at }) => at.epochMilliseconds <= moment);
  if (before !== undefined) return before.state;
  return changes[0]?.state === "down" ? "degraded" : "down";
}
