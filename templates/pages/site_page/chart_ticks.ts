import { TICK_STEPS, type TimeTick } from "../../graph/time_ticks.ts";
import type { Window } from "../../../lib/history/windows.ts";

/** Labels that stand beside each other on a wide screen, and on a narrow one. */
const WIDE = 13;
const NARROW = 5;

/** A tick of a chart that is as wide as its page. */
export interface ChartTick extends TimeTick {
  /** Whether it has room on a wide screen only. */
  isWide: boolean;
}

/** Share of a chart's width at each edge in which a label is aligned with its tick instead of centred on it. */
export const EDGE = 0.06;

/** Ticks of windows in a zone: a page of every site has the same. */
export type ChartTicks = (window: Window) => readonly ChartTick[];

/** Remembers the ticks of windows. */
export function rememberedTicks(zone: string): ChartTicks {
  const known = new Map<string, readonly ChartTick[]>();
  return (window) => {
    const key = `${window.from} ${window.to}`;
    const ticks = known.get(key) ?? chartTicks(window, zone);
    known.set(key, ticks);
    return ticks;
  };
}

/** The ticks of a window. */
export function chartTicks(window: Window, zone: string): ChartTick[] {
  const length = window.to - window.from;
  for (const step of TICK_STEPS) {
    if (length / step.length > WIDE + 1) continue;
    const all = step.ticks(window, zone);
    if (all.length > WIDE) continue;
    const ticks = all.filter((tick, index) =>
      !isCrowded(tick, [all[index - 1], all[index + 1]], window)
    );
    const every = Math.ceil(ticks.length / NARROW);
    return ticks.map((tick, index) => ({ ...tick, isWide: index % every !== 0 }));
  }
  return [];
}

/** True if the label of a tick at the edge, which is not centred on it, would touch the one beside it. */
function isCrowded(
  { time }: TimeTick,
  neighbours: readonly (TimeTick | undefined)[],
  { from, to }: Window,
): boolean {
  const share = (moment: number) => (moment - from) / (to - from);
  const isAtEdge = share(time) < EDGE || share(time) > 1 - EDGE;
  return isAtEdge &&
    neighbours.some((other) =>
      other !== undefined && Math.abs(share(other.time) - share(time)) < 2 * EDGE
    );
}
