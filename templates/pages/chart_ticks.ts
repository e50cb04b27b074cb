import type { Window } from "../../lib/history/windows.ts";
import { computeTimeTicks, type TimeTick } from "../graph/time_ticks.ts";

/** Most labels on a wide screen, and about as many as fit on a narrow one. */
const WIDE = 13;
const NARROW = 5;
/** Share of the width at each edge in which a label is aligned with its tick instead of centred. */
export const EDGE = 0.06;

interface ChartTick extends TimeTick {
  /** True if the label is shown on wide screens only. */
  isWide: boolean;
}

export type ChartTicks = (window: Window) => readonly ChartTick[];

/** Caches ticks by window: the pages of all sites have the same. */
export function cacheTicks(zone: string): ChartTicks {
  const known = new Map<string, readonly ChartTick[]>();
  return (window) =>
    known.getOrInsertComputed(
      `${window.from} ${window.to}`,
      () => computeChartTicks(window, zone),
    );
}

/** Computes the ticks of a window, without those at an edge whose label would touch its neighbour. */
export function computeChartTicks(window: Window, zone: string): ChartTick[] {
  const share = ({ time }: TimeTick) => (time - window.from) / (window.to - window.from);
  const all = computeTimeTicks(window, zone, ({ length }) => length <= WIDE);
  const ticks = all.filter((tick, index) => {
    const isAtEdge = Math.abs(share(tick) - 0.5) > 0.5 - EDGE;
    return !isAtEdge ||
      [all[index - 1], all[index + 1]].every((other) =>
        other === undefined || Math.abs(share(other) - share(tick)) >= 2 * EDGE
      );
  });
  const every = Math.ceil(ticks.length / NARROW);
  return ticks.map((tick, index) => ({ ...tick, isWide: index % every !== 0 }));
}
