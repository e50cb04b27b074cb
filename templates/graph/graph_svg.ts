import type { GraphTheme } from "../../lib/statistics/graphs/graph_files.ts";
import type { Graph } from "../../lib/statistics/graph.ts";
import { FAMILY, round, svgText, type TextStyle, type Theme, THEMES, widthOf } from "./style.ts";
import {
  DRAWN_STATES,
  type DrawnState,
  responseTimePaths,
  stretchesOf,
  type ValueAxis,
  valueScale,
} from "./plot.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { type Window, WINDOWS } from "../../lib/history/windows.ts";
import { formatMilliseconds, formatShare } from "../words.ts";
import { HOUR } from "../../lib/time.ts";
import { momentLabel, TICK_STEPS, type TimeTick } from "./time_ticks.ts";

/** A graph of response times as SVG, 600 x 400 pixels. The same graph gives the same text. */
export function graphSvg(graph: Graph, theme: GraphTheme): string {
  const colours = THEMES[theme];
  const time = timeAxis(graph);
  const value = valueScale(graph.points, PLOT);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"` +
    ` viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="${FAMILY}, system-ui, sans-serif">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${colours.background}"/>`,
    drawGreaterTicks(time, colours),
    drawValueAxis(value, colours),
    drawStates(graph, time, colours),
    value === undefined
      ? drawAbsence(graph, colours)
      : drawResponseTimes(graph, { time, value }, colours),
    drawTimeAxis(time, colours),
    drawHeading(graph, colours),
    drawCaption(graph, colours),
    "</svg>\n",
  ].filter((part) => part !== "").join("\n");
}

/** Pixels of a graph. */
const WIDTH = 600;
const HEIGHT = 400;

/** Pixels between what is written and the edge. */
const MARGIN = 20;

/** Where the line is drawn: whole pixels, so that what is straight stays sharp. */
const PLOT = { left: 60, right: 580, top: 84, bottom: 316 } as const;

/** Base lines of the title and of what stands below it. */
const TITLE = 35;
const BELOW = 56;
/** Pixels of a sample of colour, up to its word, and between two entries. */
const SAMPLE = { width: 10, height: 9, gap: 4 };
const BETWEEN = 9;

/** Title, window, and the words for the colours that are there. */
function drawHeading(graph: Graph, theme: Theme): string {
  const title = { size: 18, weight: "semibold", colour: theme.text } as const;
  return [
    svgText(plainText(graph.name), title, { x: MARGIN, y: TITLE, width: PLOT.right - MARGIN }),
    svgText(`Response time, ${WINDOWS[graph.window].words}`, { size: 13, colour: theme.muted }, {
      x: MARGIN,
      y: BELOW,
    }),
    drawKey(graph, theme),
  ].join("");
}

/** A sample of each colour with its word, to the right. */
function drawKey(graph: Graph, theme: Theme): string {
  const style = { size: 11, colour: theme.muted };
  let right: number = PLOT.right;
  return entriesOf(graph, theme).toReversed().map(({ word, sample }) => {
    const left = round(right - widthOf(word, style));
    const start = Math.round(left - SAMPLE.gap - SAMPLE.width);
    right = start - BETWEEN;
    return sample(start) + svgText(word, style, { x: left, y: BELOW });
  }).join("");
}

/** A word of the key, and what draws its sample from a pixel on. */
interface Entry {
  word: string;
  sample(left: number): string;
}

function entriesOf({ points, spans }: Graph, theme: Theme): Entry[] {
  const box = (fill: string) => (left: number) =>
    `<rect x="${left}" y="${
      BELOW - SAMPLE.height
    }" width="${SAMPLE.width}" height="${SAMPLE.height}" ${fill}/>`;
  const line = (left: number) =>
    `<path d="M${left} ${BELOW - 4}h${SAMPLE.width}" stroke="${theme.line}" stroke-width="2"/>`;
  const { fill, opacity } = theme.band;
  return [
    ...points.length > 0 ? [{ word: "median", sample: line }] : [],
    ...points.some(({ p95 }) => p95 !== undefined)
      ? [{ word: "p95", sample: box(`fill="${fill}" fill-opacity="${opacity}"`) }]
      : [],
    ...DRAWN_STATES.filter((drawn) => spans.some(({ state }) => state === drawn)).toReversed()
      .map((state) => ({
        word: state === "unknown" ? "no data" : state,
        sample: box(`fill="${stateFill(state, theme)}"`),
      })),
  ];
}

/** Pixels between a word and its figure, and between two figures. */
const CAPTION_GAP = 5;
const CAPTION_BETWEEN = 24;

/** Mean, p95 and uptime of the window. */
function drawCaption({ statistics }: Graph, theme: Theme): string {
  const { responseTimes, uptime } = statistics;
  const word: TextStyle = { size: 12, colour: theme.muted };
  const figure: TextStyle = { size: 13, weight: "semibold", colour: theme.text };
  const y = HEIGHT - 18;
  let x = MARGIN;
  return [
    ["mean", formatMilliseconds(responseTimes?.mean)],
    ["p95", formatMilliseconds(responseTimes?.p95)],
    ["uptime", formatShare(uptime)],
  ].map(([name, value]) => {
    const at = x + widthOf(name!, word) + CAPTION_GAP;
    const drawn = svgText(name!, word, { x, y }) + svgText(value!, figure, { x: at, y });
    x = at + widthOf(value!, figure) + CAPTION_BETWEEN;
    return drawn;
  }).join("");
}

/** Says in the middle of a graph why there is no line. */
function drawAbsence({ statistics: { observed } }: Graph, theme: Theme): string {
  const words = observed === 0 ? "No data" : "No response times";
  const style: TextStyle = { size: 14, colour: theme.muted };
  const width = Math.ceil(widthOf(words, style)) + 28;
  const [x, y] = [(PLOT.left + PLOT.right) / 2, (PLOT.top + PLOT.bottom) / 2];
  return `<rect x="${x - width / 2}" y="${y - 16}" width="${width}" height="32" rx="6" ` +
    `fill="${theme.background}"/>` + svgText(words, style, { x, y: y + 5, anchor: "middle" });
}

/** Median and p95 in the colours of a theme. */
function drawResponseTimes(
  { points }: Pick<Graph, "points">,
  { time, value }: { time: TimeAxis; value: ValueAxis },
  theme: Theme,
): string {
  const x = (moment: number) => round(time.x(moment));
  const { band, line, dots } = responseTimePaths(points, { x, y: value.y, half: 1.5 });
  const { fill, opacity } = theme.band;
  return [
    band && `<path d="${band}" fill="${fill}" fill-opacity="${opacity}"/>`,
    line &&
    `<path d="${line}" fill="none" stroke="${theme.line}" stroke-width="1.75" stroke-linejoin="round" stroke-linecap="round"/>`,
    dots &&
    `<path d="${dots}" fill="none" stroke="${theme.line}" stroke-width="6" stroke-linecap="round"/>`,
  ].join("");
}

/** What stands behind the line. */
function drawStates(graph: Graph, axis: TimeAxis, theme: Theme): string {
  const stretches = stretchesOf(graph.spans, { ...axis, ...PLOT, narrowest: 2 });
  const drawn = DRAWN_STATES.map((state) => {
    const path = stretches.filter((stretch) => stretch.state === state)
      .map(({ left, right }) => `M${left} ${PLOT.top}H${right}V${PLOT.bottom}H${left}Z`).join("");
    return path === "" ? "" : `<path d="${path}" fill="${stateFill(state, theme)}"/>`;
  });
  const isHatched = graph.spans.some(({ state }) => state === "maintenance");
  return (isHatched ? hatching(theme) : "") + drawn.join("");
}

/** What a state is painted with; the pattern of maintenance comes with the states that are drawn. */
function stateFill(state: DrawnState, theme: Theme): string {
  return state === "maintenance" ? "url(#maintenance)" : theme[state];
}

function hatching({ maintenance: { fill, hatch } }: Theme): string {
  return `<pattern id="maintenance" width="8" height="8" patternUnits="userSpaceOnUse">` +
    `<rect width="8" height="8" fill="${fill}"/>` +
    `<path d="M-2 2l4-4M0 8l8-8M6 10l4-4" stroke="${hatch}" stroke-width="1.5"/></pattern>`;
}

const number = new Intl.NumberFormat("en");

/** Grid and figures of the axis; the grid alone where nothing is shown. */
function drawValueAxis(axis: ValueAxis | undefined, theme: Theme): string {
  if (axis === undefined) return drawGrid([0.25, 0.5, 0.75, 1].map(heightAt), theme);
  const { ticks, y } = axis;
  const style = { size: 11, colour: theme.muted };
  const x = PLOT.left - 8;
  return [
    drawGrid(ticks.slice(1).map(y), theme),
    ...ticks.map((tick) =>
      svgText(number.format(tick), style, {
        x,
        y: y(tick) + 4,
        anchor: "end",
      })
    ),
    svgText("ms", style, { x, y: PLOT.top - 10, anchor: "end" }),
  ].join("");
}

function heightAt(share: number): number {
  return PLOT.bottom - share * (PLOT.bottom - PLOT.top);
}

function drawGrid(heights: readonly number[], theme: Theme): string {
  const path = heights.map((y) => `M${PLOT.left} ${Math.round(y) + 0.5}H${PLOT.right}`).join("");
  return `<path d="${path}" stroke="${theme.grid}"/>`;
}

/** Shorter windows are drawn as if they had begun earlier: an hour. */
const SHORTEST = HOUR;
/** Pixels between two labels. */
const LABEL_GAP = 14;
/** Ticks that fit at most, whatever they are called. */
const MOST = 24;

/** The axis of time. */
interface TimeAxis {
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
    if (x(tick.time) - half < end + LABEL_GAP) return false;
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
function drawTimeAxis({ window, zone, x, ticks }: TimeAxis, theme: Theme): string {
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
function drawGreaterTicks({ x, ticks }: TimeAxis, theme: Theme): string {
  const path = ticks.filter(({ isGreater }) => isGreater)
    .map(({ time }) => `M${Math.floor(x(time)) + 0.5} ${PLOT.top}V${PLOT.bottom}`).join("");
  return path === "" ? "" : `<path d="${path}" stroke="${theme.grid}"/>`;
}
