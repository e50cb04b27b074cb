import type { Evidence } from "./evidence.ts";
import type { Statistics } from "./statistics.ts";
import { overlap, type Window } from "./windows.ts";

/** What incidents have to say of a window. */
type Outages = Pick<Statistics, "outages" | "degradations" | "longestOutage" | "mttr" | "mtbf">;

/** The outages of a window; `up` is the time in seconds that the site was up in it. */
export function outagesIn(
  { outages, degradations, now }: Pick<Evidence, "outages" | "degradations" | "now">,
  window: Window,
  up: number,
): Outages {
  const seen = { from: window.from, to: Math.min(window.to, now) };
  const pieces = [...outages.values()].flat().filter(({ from }) => from < now);
  const ended = pieces.filter(({ to }) => to >= seen.from && to < seen.to);
  const begun = pieces.filter(({ from }) => from >= seen.from && from < seen.to);
  return {
    outages: countMeeting(outages, seen),
    degradations: countMeeting(degradations, seen),
    longestOutage: Math.max(0, ...pieces.map((piece) => overlap(piece, seen))) / 1000,
    mttr: ended.length === 0
      ? undefined
      : ended.reduce((sum, { from, to }) => sum + (to - from), 0) / ended.length / 1000,
    mtbf: begun.length === 0 ? undefined : up / begun.length,
  };
}

function countMeeting(
  incidents: ReadonlyMap<string, readonly Window[]>,
  { from, to }: Window,
): number {
  const meets = (piece: Window) => piece.from < to && piece.to > from;
  return [...incidents.values()].filter((pieces) => pieces.some(meets)).length;
}
