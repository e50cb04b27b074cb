import type { Graph } from "../../lib/statistics/graph.ts";
import type { Window } from "../../lib/history/windows.ts";
import { HOUR } from "../../lib/time.ts";
import { PLOT } from "./frame.ts";
import { round } from "./round.ts";
import { svgText, type TextStyle, widthOf } from "./svg_text.ts";
import type { Theme } from "./themes.ts";
import { momentLabel, TICK_STEPS, type TimeTick } from "./time_ticks.ts";

/** Shorter windows are drawn as if they had begun earlier: an hour. */
const SHORTEST = HOUR;
/** Pixels between two labels. */
const GAP = 14;
/** Ticks that fit at most, whatever they are called. */
const MOST = 24;

/** The axis of time. */
export interface TimeAxis {
  window: Window;
  zone: string;
  /** Pixel of a moment in milliseconds since 1970. */
  x(time: number): number;
  ticks: readonly TimeTick[];
}

/** An axis of a graph's window, with as many ticks as can be read. */
export function timeAxis({ statistics, timezone }: Graph): TimeAxis {
  const { from, to } = statistics.window;
  const window = { from: Math.min(from, to - SHORTEST), to };
  const length = window.to - window.from;
  const x = (time: number) => PLOT.left + (time - window.from) / length * (PLOT.right - PLOT.left);
  for (const step of TICK_STEPS) {
    if (length / step.length > MOST) continue;
    const ticks = step.ticks(window, timezone);
    if (fit(ticks, x)) return { window, zone: timezone, x, ticks };
  }
  return { window, zone: timezone, x, ticks: [] };
}

function fit(ticks: readonly TimeTick[], x: TimeAxis["x"]): boolean {
  let end = -Infinity;
  for (const tick of ticks) {
    const half = widthOf(tick.label, labelStyle(tick)) / 2;
    if (x(tick.time) - half < end + GAP) return false;
    end = x(tick.time) + half;
  }
  return true;
}

function labelStyle({ isGreater }: TimeTick, theme?: Theme): TextStyle {
  return {
    size: 11,
    weight: isGreater ? "semibold" : "regular",
    colour: (isGreater ? theme?.text : theme?.muted) ?? "",
  };
}

/** Base line, ticks and their labels, and where the window ends in which zone. */
export function drawTimeAxis({ window, zone, x, ticks }: TimeAxis, theme: Theme): string {
  const marks = ticks.map(({ time }) => `M${Math.floor(x(time)) + 0.5} ${PLOT.bottom + 1}v5`);
  const base = `M${PLOT.left} ${PLOT.bottom + 0.5}H${PLOT.right}`;
  return [
    `<path d="${base}${marks.join("")}" stroke="${theme.axis}"/>`,
    ...ticks.map((tick) =>
      svgText(tick.label, labelStyle(tick, theme), {
        x: round(x(tick.time)),
        y: PLOT.bottom + 20,
        anchor: "middle",
      })
    ),
    svgText(`until ${momentLabel(window.to, zone)} ${zone}`, { size: 11, colour: theme.muted }, {
      x: PLOT.right,
      y: PLOT.bottom + 40,
      anchor: "end",
    }),
  ].join("");
}

/** Faint lines at the ticks that are greater than others. */
export function drawGreaterTicks({ x, ticks }: TimeAxis, theme: Theme): string {
  const path = ticks.filter(({ isGreater }) => isGreater)
    .map(({ time }) => `M${Math.floor(x(time)) + 0.5} ${PLOT.top}V${PLOT.bottom}`).join("");
  return path === "" ? "" : `<path d="${path}" stroke="${theme.grid}"/>`;
}
