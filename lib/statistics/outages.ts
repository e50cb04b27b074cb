import type { Evidence } from "./evidence.ts";
import type { Statistics } from "./statistics.ts";
import { overlap, type Window } from "../history/windows.ts";

/** Seconds of a window in which the site was seen to be up and down, outside of maintenance. */
interface SeenTimes {
  up: number;
  down: number;
}

/** What incidents have to say of a window. */
type Outages = Pick<Statistics, "outages" | "degradations" | "longestOutage" | "mttr" | "mtbf">;

/**
 * The outages of a window. The longest is no longer than all of the time that the site
 * was seen to be down: an incident that is still open says nothing of the time since the last check.
 */
export function outagesIn(
  { outages, degradations, now }: Pick<Evidence, "outages" | "degradations" | "now">,
  window: Window,
  { up, down }: SeenTimes,
): Outages {
  const seen = { from: window.from, to: Math.min(window.to, now) };
  const pieces = [...outages.values()].flat().filter(({ from }) => from < now);
  const ended = pieces.filter(({ to }) => to >= seen.from && to < seen.to);
  const begun = pieces.filter(({ from }) => from >= seen.from && from < seen.to);
  return {
    outages: countMeeting(outages, seen),
    degradations: countMeeting(degradations, seen),
    longestOutage: Math.min(
      down,
      Math.max(0, ...pieces.map((piece) => overlap(piece, seen))) / 1000,
    ),
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
