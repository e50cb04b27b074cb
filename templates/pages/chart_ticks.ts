import type { Window } from "../../lib/history/windows.ts";
import { measureText } from "../graph/style.ts";
import { computeTimeTicks, type TimeTick } from "../graph/time_ticks.ts";

/** Most labels on a wide screen, and about as many as fit on one of 320 pixels. */
const WIDE = 13;
const NARROW = 4;
/** Share of the width at each edge in which a label is aligned with its tick instead of centred. */
export const EDGE = 0.04;

/** Least share between a label at an edge and the next one on a narrow screen. */
const NARROW_EDGE = 0.3;

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

/**
 * Computes the ticks of a window, without those at an edge whose label would touch its neighbour. Narrow screens show
 * days among hours, and years among months, because the hours alone could be of any day.
 */
export function computeChartTicks(window: Window, zone: string): ChartTick[] {
  const share = ({ time }: TimeTick) => (time - window.from) / (window.to - window.from);
  const withoutTouching = (all: readonly TimeTick[], least: number) =>
    all.filter((tick, index) => {
      const isAtEdge = Math.abs(share(tick) - 0.5) > 0.5 - EDGE;
      return !isAtEdge ||
        [all[index - 1], all[index + 1]].every((other) =>
          other === undefined || Math.abs(share(other) - share(tick)) >= least
        );
    });
  const ticks = withoutTouching(
    computeTimeTicks(window, zone, ({ length }) => length <= WIDE),
    3 * EDGE,
  );
  const major = ticks.filter(({ isMajor }) => isMajor);
  const every = Math.ceil(ticks.length / NARROW);
  const isByMajor = major.length > 1 && major.length <= NARROW;
  const some = isByMajor ? major : ticks.filter((_, index) => index % every === 0);
  const narrow = new Set(withoutTouching(some, NARROW_EDGE));
  return ticks.map((tick) => ({ ...tick, isWide: !narrow.has(tick) }));
}

/** Room for the values beside a plot, the padding of its card included, in pixels, and the size of their text. */
const VALUES = { width: 66, size: 12 };

/** Width of the values in pixels, if that of the style sheet is not enough for their unit. */
export function findValuesWidth(texts: readonly string[]): number | undefined {
  const widths = texts.map((text) =>
    Math.ceil(measureText(text.replaceAll(/\p{M}/gu, ""), { size: VALUES.size, color: "" }))
  );
  const width = Math.max(...widths);
  return width > VALUES.width ? width : undefined;
}
