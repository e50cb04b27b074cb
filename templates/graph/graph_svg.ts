import { type Window, WINDOWS } from "../../lib/history/windows.ts";
import type { Graph, GraphPoint, LocationLines } from "../../lib/statistics/graph.ts";
import type { GraphTheme } from "../../lib/statistics/graphs/graph_files.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { formatMilliseconds, formatShare } from "../words.ts";
import {
  computeTimeTicks,
  computeValueAxis,
  DRAWN_STATES,
  type DrawnState,
  formatMoment,
  type TimeTick,
  toPaths,
  toPlottedWindow,
  toStretches,
  type ValueAxis,
} from "./plot.ts";
import {
  FONT_FAMILY,
  measureText,
  round,
  svgText,
  type TextStyle,
  type Theme,
  THEMES,
} from "./style.ts";

const WIDTH = 600;
const HEIGHT = 400;
const MARGIN = 20;
/** Whole pixels, so that straight lines stay sharp. */
const PLOT = { left: 60, right: 580, top: 84, bottom: 316 } as const;
type Plot = Omit<typeof PLOT, "top"> & { top: number };

/** Renders a graph of response times, 600 x 400 pixels. The same graph gives the same text. */
export function renderGraph(graph: Graph, themeName: GraphTheme): string {
  const theme = THEMES[themeName];
  const { locations } = graph;
  const legend = locations && renderLegend(locations, theme, { left: MARGIN, right: PLOT.right });
  const plot = { ...PLOT, top: PLOT.top + (legend?.height ?? 0) };
  const time = timeAxis(graph);
  const drawn = locations ? listLinePoints(locations) : graph.points;
  const value = computeValueAxis(drawn, plot);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"` +
    ` viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="${FONT_FAMILY}, system-ui, sans-serif">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${theme.background}"/>`,
    renderMajorTicks(time, plot, theme),
    renderValueAxis(value, plot, theme),
    renderStates(graph, time, plot, theme),
    value === undefined ? renderEmpty(graph, plot, theme) : renderLine(graph, time, value, theme),
    value && locations ? renderLines(locations, { x: time.x, y: value.y }, theme) : "",
    renderTimeAxis(time, theme),
    renderHeading(graph, theme),
    legend?.svg ?? "",
    renderCaption(graph, theme),
    "</svg>\n",
  ].filter((part) => part !== "").join("\n");
}

interface TimeAxis {
  window: Window;
  zone: string;
  x(time: number): number;
  ticks: readonly TimeTick[];
}

/** Pixels between two labels. */
const LABEL_GAP = 14;

export function timeAxis({ statistics, timezone: zone }: Graph): TimeAxis {
  const window = toPlottedWindow(statistics.window);
  const scale = (PLOT.right - PLOT.left) / (window.to - window.from);
  const x = (time: number) => PLOT.left + (time - window.from) * scale;
  const fits = (ticks: readonly TimeTick[]) => {
    let end = -Infinity;
    return ticks.every((tick) => {
      const half = measureText(tick.label, labelStyle(tick)) / 2;
      const hasRoom = x(tick.time) - half >= end + LABEL_GAP;
      end = x(tick.time) + half;
      return hasRoom;
    });
  };
  return { window, zone, x, ticks: computeTimeTicks(window, zone, fits) };
}

function labelStyle({ isMajor }: TimeTick, theme?: Theme): TextStyle {
  return {
    size: 11,
    weight: isMajor ? "semibold" : "regular",
    color: (isMajor ? theme?.text : theme?.muted) ?? "",
  };
}

function renderTimeAxis({ window, zone, x, ticks }: TimeAxis, theme: Theme): string {
  const marks = ticks.map(({ time }) => `M${Math.floor(x(time)) + 0.5} ${PLOT.bottom + 1}v5`);
  const base = `M${PLOT.left} ${PLOT.bottom + 0.5}H${PLOT.right}`;
  const labels = ticks.map((tick) =>
    svgText(tick.label, labelStyle(tick, theme), {
      ...{ x: round(x(tick.time)), y: PLOT.bottom + 20, anchor: "middle" },
    })
  );
  const until = `until ${formatMoment(window.to, zone)} ${zone}`;
  return [
    `<path d="${base}${marks.join("")}" stroke="${theme.axis}"/>`,
    ...labels,
    svgText(until, { size: 11, color: theme.muted }, {
      ...{ x: PLOT.right, y: PLOT.bottom + 40, anchor: "end" },
    }),
  ].join("");
}

/** Vertical lines at days among hours, or years among months. */
function renderMajorTicks({ x, ticks }: TimeAxis, { top, bottom }: Plot, theme: Theme): string {
  const path = ticks.filter(({ isMajor }) => isMajor)
    .map(({ time }) => `M${Math.floor(x(time)) + 0.5} ${top}V${bottom}`).join("");
  return path === "" ? "" : `<path d="${path}" stroke="${theme.grid}"/>`;
}

const number = new Intl.NumberFormat("en");

function renderValueAxis(
  axis: ValueAxis | undefined,
  { top, bottom }: Plot,
  theme: Theme,
): string {
  const grid = (heights: readonly number[]) => {
    const path = heights.map((y) => `M${PLOT.left} ${Math.round(y) + 0.5}H${PLOT.right}`).join("");
    return `<path d="${path}" stroke="${theme.grid}"/>`;
  };
  if (axis === undefined) {
    const height = bottom - top;
    return grid([0.25, 0.5, 0.75, 1].map((share) => bottom - share * height));
  }
  const { ticks, y } = axis;
  const style = { size: 11, color: theme.muted };
  const place = { x: PLOT.left - 8, anchor: "end" } as const;
  return [
    grid(ticks.slice(1).map(y)),
    ...ticks.map((tick) => svgText(number.format(tick), style, { ...place, y: y(tick) + 4 })),
    svgText("ms", style, { ...place, y: top - 10 }),
  ].join("");
}

function renderStates(graph: Graph, axis: TimeAxis, plot: Plot, theme: Theme): string {
  const stretches = toStretches(graph.intervals, { ...axis, ...plot, narrowest: 2 });
  const paths = DRAWN_STATES.map((state) => {
    const path = stretches.filter((stretch) => stretch.state === state)
      .map(({ left, right }) => `M${left} ${plot.top}H${right}V${plot.bottom}H${left}Z`).join("");
    return path === "" ? "" : `<path d="${path}" fill="${stateFill(state, theme)}"/>`;
  });
  const { fill, hatch } = theme.maintenance;
  const pattern = graph.intervals.some(({ state }) => state === "maintenance")
    ? `<pattern id="maintenance" width="8" height="8" patternUnits="userSpaceOnUse">` +
      `<rect width="8" height="8" fill="${fill}"/>` +
      `<path d="M-2 2l4-4M0 8l8-8M6 10l4-4" stroke="${hatch}" stroke-width="1.5"/></pattern>`
    : "";
  return pattern + paths.join("");
}

function stateFill(state: DrawnState, theme: Theme): string {
  return state === "maintenance" ? "url(#maintenance)" : theme[state];
}

function lineColor({ locations }: Graph, theme: Theme): string {
  return locations === undefined ? theme.line : theme.muted;
}

function renderLine(graph: Graph, time: TimeAxis, value: ValueAxis, theme: Theme): string {
  const points = graph.locations?.earlier ?? graph.points;
  const x = (moment: number) => round(time.x(moment));
  const { band, line, dots } = toPaths(points, { x, y: value.y, half: 1.5 });
  const { fill, opacity } = theme.band;
  const stroke = `fill="none" stroke="${lineColor(graph, theme)}"`;
  return [
    band && `<path d="${band}" fill="${fill}" fill-opacity="${opacity}"/>`,
    line &&
    `<path d="${line}" ${stroke} stroke-width="1.75" stroke-linejoin="round" stroke-linecap="round"/>`,
    dots && `<path d="${dots}" ${stroke} stroke-width="6" stroke-linecap="round"/>`,
  ].join("");
}

function renderEmpty(
  { statistics: { observed } }: Graph,
  { left, right, top, bottom }: Plot,
  theme: Theme,
): string {
  const words = observed === 0 ? "No data" : "No response times";
  const style: TextStyle = { size: 14, color: theme.muted };
  const width = Math.ceil(measureText(words, style)) + 28;
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return `<rect x="${x - width / 2}" y="${y - 16}" width="${width}" height="32" rx="6" ` +
    `fill="${theme.background}"/>` + svgText(words, style, { x, y: y + 5, anchor: "middle" });
}

/** Base line of the second line of the heading. */
const BELOW = 56;

function renderHeading(graph: Graph, theme: Theme): string {
  const { intervals, points: own, locations } = graph;
  const points = locations?.earlier ?? own;
  const title: TextStyle = { size: 18, weight: "semibold", color: theme.text };
  const small: TextStyle = { size: 11, color: theme.muted };
  const box = (fill: string) => (left: number) =>
    `<rect x="${left}" y="${BELOW - 9}" width="10" height="9" ${fill}/>`;
  const line = (left: number) =>
    `<path d="M${left} ${BELOW - 4}h10" stroke="${lineColor(graph, theme)}" stroke-width="2"/>`;
  const { fill, opacity } = theme.band;
  const band = box(`fill="${fill}" fill-opacity="${opacity}"`);
  const key: [word: string, sample: (left: number) => string][] = [];
  if (points.length > 0) key.push([locations === undefined ? "median" : "site", line]);
  if (points.some(({ p95 }) => p95 !== undefined)) key.push(["p95", band]);
  for (const state of DRAWN_STATES.toReversed()) {
    if (!intervals.some((one) => one.state === state)) continue;
    key.push([state === "unknown" ? "no data" : state, box(`fill="${stateFill(state, theme)}"`)]);
  }
  let right: number = PLOT.right;
  const samples = key.toReversed().map(([word, sample]) => {
    const left = round(right - measureText(word, small));
    const start = Math.round(left - 14);
    right = start - 9;
    return sample(start) + svgText(word, small, { x: left, y: BELOW });
  });
  const window = `Response time, ${WINDOWS[graph.window].words}`;
  return [
    svgText(plainText(graph.name), title, { x: MARGIN, y: 35, width: PLOT.right - MARGIN }),
    svgText(window, { size: 13, color: theme.muted }, { x: MARGIN, y: BELOW }),
    ...samples,
  ].join("");
}

function renderCaption({ statistics: { responseTimes, uptime } }: Graph, theme: Theme): string {
  const word: TextStyle = { size: 12, color: theme.muted };
  const figure: TextStyle = { size: 13, weight: "semibold", color: theme.text };
  const y = HEIGHT - 18;
  let x = MARGIN;
  return [
    ["mean", formatMilliseconds(responseTimes?.mean)] as const,
    ["p95", formatMilliseconds(responseTimes?.p95)] as const,
    ["uptime", formatShare(uptime)] as const,
  ].map(([name, value]) => {
    const at = x + measureText(name, word) + 5;
    const text = svgText(name, word, { x, y }) + svgText(value, figure, { x: at, y });
    x = at + measureText(value, figure) + 24;
    return text;
  }).join("");
}

/** Strokes and gaps of the lines, in pixels: they differ without their colors. */
export const DASHES = ["", "7 3", "2 2.5", "11 3 2 3", "5 5", "2 5"] as const;

/** Points that the axis of milliseconds has to hold. */
function listLinePoints({ lines, earlier }: LocationLines): GraphPoint[] {
  return [...earlier, ...lines.flatMap(({ points }) => points)];
}

/** Draws the lines, the slowest over the others. */
function renderLines(
  { lines }: LocationLines,
  { x, y }: { x(time: number): number; y(milliseconds: number): number },
  theme: Theme,
): string {
  const at = (time: number) => round(x(time));
  return lines.map(({ points }, index) => {
    const { line, dots } = toPaths(points, { x: at, y, half: 0 });
    const stroke = `fill="none" stroke="${theme.lines[index]}"`;
    return [
      line && `<path d="${line}" ${stroke} ${lineStyle(index)}/>`,
      dots && `<path d="${dots}" ${stroke} stroke-width="5" stroke-linecap="round"/>`,
    ].join("");
  }).toReversed().join("");
}

function lineStyle(index: number): string {
  const dash = DASHES[index] ? ` stroke-dasharray="${DASHES[index]}"` : "";
  return `stroke-width="1.75" stroke-linejoin="round"${dash}`;
}

const STYLE = { size: 11 };
const ROW = 18;
/** Base line of the first row. */
const FIRST = 76;
const SAMPLE = 18;
const GAP = 14;
/** Three of the longest names fit into a row, so that six and the rest need two. */
const LONGEST = 120;

/** Names the lines, the slowest first, in rows; `height` is what they take in pixels. */
function renderLegend(
  { lines, others }: LocationLines,
  theme: Theme,
  { left, right }: { left: number; right: number },
): { svg: string; height: number } {
  const style: TextStyle = { ...STYLE, color: theme.muted };
  let [x, row] = [left, 0];
  const advance = (width: number) => {
    if (x > left && x + width > right) [x, row] = [left, row + 1];
    const place = { x, y: FIRST + row * ROW };
    x += width + GAP;
    return place;
  };
  const names = lines.map(({ name }, index) => {
    const text = plainText(name);
    const width = SAMPLE + 5 + Math.min(LONGEST, Math.ceil(measureText(text, style)));
    const place = advance(width);
    const sample = `<path d="M${place.x} ${place.y - 4}h${SAMPLE}" ` +
      `stroke="${theme.lines[index]}" ${lineStyle(index)}/>`;
    return sample + svgText(text, style, { x: place.x + SAMPLE + 5, y: place.y, width: LONGEST });
  });
  const rest = `and ${others} more`;
  if (others > 0) names.push(svgText(rest, style, advance(measureText(rest, style))));
  return { svg: names.join(""), height: (row + 1) * ROW };
}
