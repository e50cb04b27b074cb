import { TICK_STEPS, type TimeTick } from "../../graph/time_ticks.ts";
import type { Window } from "../../../lib/statistics/windows.ts";

/** Labels that stand beside each other on a wide screen, and on a narrow one. */
const WIDE = 13;
const NARROW = 5;

/** A tick of a chart that is as wide as its page. */
export interface ChartTick extends TimeTick {
  /** Whether it has room on a wide screen only. */
  isWide: boolean;
}

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
    const ticks = step.ticks(window, zone);
    if (ticks.length > WIDE) continue;
    const every = Math.ceil(ticks.length / NARROW);
    return ticks.map((tick, index) => ({ ...tick, isWide: index % every !== 0 }));
  }
  return [];
}
