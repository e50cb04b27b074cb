import type { Window, WindowName } from "../../lib/history/windows.ts";
import type { Graph, LocationLines } from "../../lib/statistics/graph.ts";
import type { GraphTheme } from "../../lib/statistics/graphs/graph_files.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import type { Language } from "../../lib/text/language.ts";
import type { MessageKey } from "../../lib/text/messages.ts";
import { toPercent } from "../../lib/statistics/statistics.ts";
import { NOTHING } from "../words.ts";
import {
  computePlot,
  DRAWN_STATES,
  type DrawnState,
  HATCHES,
  type Plot,
  type Shape,
  toPlottedWindow,
} from "./plot.ts";
import { createGraphTimes, type GraphTimes } from "./graph_times.ts";
import { computeTimeTicks, type TimeTick } from "./time_ticks.ts";
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

/**
 * Renders a graph of response times, 600 x 400 pixels, in a language whose characters the font has. The same graph gives
 * the same text.
 */
export function renderGraph(graph: Graph, themeName: GraphTheme, language: Language): string {
  const theme = THEMES[themeName];
  const { locations } = graph;
  const legend = locations &&
    renderLegend(locations, { left: MARGIN, right: PLOT.right, theme, language });
  const top = PLOT.top + (legend?.height ?? 0);
  const frame = { width: PLOT.right - PLOT.left, height: PLOT.bottom - top, unit: 1, round };
  const plot = computePlot(graph, frame);
  const time = timeAxis(graph, language);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"` +
    ` viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="${FONT_FAMILY}, system-ui, sans-serif">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${theme.background}"/>`,
    renderMajorTicks(time, top, theme),
    renderPatterns(plot, theme),
    `<g transform="translate(${PLOT.left} ${top})" fill="none" stroke-linejoin="round">`,
    ...plot.shapes.map(({ part, path }) => `<path d="${path}" ${paintPart(part, graph, theme)}/>`),
    "</g>",
    plot.values === undefined
      ? renderEmpty(graph, { top, theme, language })
      : renderValues(plot.values, { top, theme, language }),
    renderTimeAxis(time, theme, language),
    renderHeading(graph, theme, language),
    legend?.svg ?? "",
    renderKey(graph, plot, { theme, language }),
    renderCaption(graph, theme, language),
    "</svg>\n",
  ].filter((part) => part !== "").join("\n");
}

/** The attributes of a path: its color, and the stroke of a line. */
function paintPart(part: Shape["part"], graph: Graph, theme: Theme): string {
  const line = graph.locations === undefined ? theme.line : theme.muted;
  const { fill, opacity } = theme.band;
  const [, index, isDots] = /^l(\d)( dots)?$/.exec(part) ?? [];
  if (index !== undefined) {
    const stroke = `stroke="${theme.lines[Number(index)]}"`;
    return `${stroke} ${
      isDots ? 'stroke-width="5" stroke-linecap="round"' : lineStyle(Number(index))
    }`;
  }
  switch (part) {
    case "grid":
      return `stroke="${theme.grid}"`;
    case "band":
      return `fill="${fill}" fill-opacity="${opacity}"`;
    case "peaks":
      return `stroke="${line}" stroke-opacity="0.45"`;
    case "line":
      return `stroke="${line}" stroke-width="1.75" stroke-linecap="round"`;
    case "clipped":
      return `fill="${theme.text}"`;
    case "dots":
      return `stroke="${line}" stroke-width="6" stroke-linecap="round"`;
    default:
      return `fill="${stateFill(part as DrawnState, theme)}"`;
  }
}

interface TimeAxis {
  window: Window;
  zone: string;
  times: GraphTimes;
  x(time: number): number;
  ticks: readonly (TimeTick & { label: string })[];
}

/** Pixels between two labels. */
const LABEL_GAP = 14;

export function timeAxis({ statistics, timezone: zone }: Graph, language: Language): TimeAxis {
  const window = toPlottedWindow(statistics.window);
  const times = createGraphTimes(zone, language);
  const scale = (PLOT.right - PLOT.left) / (window.to - window.from);
  const x = (time: number) => PLOT.left + (time - window.from) * scale;
  const fits = (ticks: readonly TimeTick[]) => {
    let end = -Infinity;
    return ticks.every((tick) => {
      const half = measureText(times.tick(tick), labelStyle(tick)) / 2;
      const hasRoom = x(tick.time) - half >= end + LABEL_GAP;
      end = x(tick.time) + half;
      return hasRoom;
    });
  };
  const ticks = computeTimeTicks(window, zone, fits)
    .map((tick) => ({ ...tick, label: times.tick(tick) }));
  return { window, zone, times, x, ticks };
}

function labelStyle({ isMajor }: TimeTick, theme?: Theme): TextStyle {
  return {
    size: 11,
    weight: isMajor ? "semibold" : "regular",
    color: (isMajor ? theme?.text : theme?.muted) ?? "",
  };
}

function renderTimeAxis(
  { window, zone, times, x, ticks }: TimeAxis,
  theme: Theme,
  { say }: Language,
): string {
  const marks = ticks.map(({ time }) => `M${Math.floor(x(time)) + 0.5} ${PLOT.bottom + 1}v5`);
  const base = `M${PLOT.left} ${PLOT.bottom + 0.5}H${PLOT.right}`;
  const labels = ticks.map((tick) =>
    svgText(tick.label, labelStyle(tick, theme), {
      ...{ x: round(x(tick.time)), y: PLOT.bottom + 20, anchor: "middle" },
    })
  );
  const until = say("graphUntil", { TIME: times.moment(window.to), ZONE: zone });
  return [
    `<path d="${base}${marks.join("")}" stroke="${theme.axis}"/>`,
    ...labels,
    svgText(until, { size: 11, color: theme.muted }, {
      ...{ x: PLOT.right, y: PLOT.bottom + 40, anchor: "end" },
    }),
  ].join("");
}

/** Vertical lines at days among hours, or years among months. */
function renderMajorTicks({ x, ticks }: TimeAxis, top: number, theme: Theme): string {
  const path = ticks.filter(({ isMajor }) => isMajor)
    .map(({ time }) => `M${Math.floor(x(time)) + 0.5} ${top}V${PLOT.bottom}`).join("");
  return path === "" ? "" : `<path d="${path}" stroke="${theme.grid}"/>`;
}

function renderValues(
  values: NonNullable<Plot["values"]>,
  { top, theme, language }: { top: number; theme: Theme; language: Language },
): string {
  const style = { size: 11, color: theme.muted };
  const place = { x: PLOT.left - 8, anchor: "end" } as const;
  return [
    ...values.map(({ value, y }) =>
      svgText(language.number(value), style, { ...place, y: top + y + 4 })
    ),
    svgText(language.say("ms"), style, { ...place, y: top - 10 }),
  ].join("");
}

/** The hatches that a plot uses. */
function renderPatterns({ stretches }: Plot, theme: Theme): string {
  const states = new Set(stretches.map(({ state }) => state));
  return DRAWN_STATES.flatMap((state) =>
    state === "down" || !states.has(state) ? [] : [
      `<pattern id="${state}" width="8" height="8" patternUnits="userSpaceOnUse">` +
      `<path d="${HATCHES[state]}" stroke="${theme.hatches[state]}"/></pattern>`,
    ]
  ).join("");
}

function stateFill(state: DrawnState, theme: Theme): string {
  return state === "down" ? theme.down : `url(#${state})`;
}

function renderEmpty(
  { statistics: { observed } }: Graph,
  { top, theme, language }: { top: number; theme: Theme; language: Language },
): string {
  const words = language.say(observed === 0 ? "unknown" : "noTimes");
  const style: TextStyle = { size: 14, color: theme.muted };
  const width = Math.ceil(measureText(words, style)) + 28;
  const [x, y] = [(PLOT.left + PLOT.right) / 2, (top + PLOT.bottom) / 2];
  return `<rect x="${x - width / 2}" y="${y - 16}" width="${width}" height="32" rx="6" ` +
    `fill="${theme.background}"/>` + svgText(words, style, { x, y: y + 5, anchor: "middle" });
}

/** Base line of the second line of the heading. */
const BELOW = 56;

const WINDOW_WORDS = {
  day: "graphDay",
  week: "graphWeek",
  month: "graphMonth",
  quarter: "graphQuarter",
  year: "graphYear",
  all: "graphAll",
} as const satisfies Record<WindowName, MessageKey>;

function renderHeading(graph: Graph, theme: Theme, { say }: Language): string {
  const title: TextStyle = { size: 18, weight: "semibold", color: theme.text };
  return [
    svgText(plainText(graph.name), title, { x: MARGIN, y: 35, width: PLOT.right - MARGIN }),
    svgText(say(WINDOW_WORDS[graph.window]), { size: 13, color: theme.muted }, {
      x: MARGIN,
      y: BELOW,
    }),
  ].join("");
}

const STATE_WORDS = {
  degraded: "wordDegraded",
  down: "wordDown",
  maintenance: "wordMaintenance",
  unknown: "noData",
} as const satisfies Record<DrawnState, MessageKey>;

/** Words of the parts of a plot, in the order of the key; lines of locations have a legend of their own. */
const PART_WORDS: readonly [part: Shape["part"], word: MessageKey, sample?: string][] = [
  ["line", "graphMedian", "M0 5h10"],
  ["band", "p95"],
  ["peaks", "graphSlowest", "M3 9V1M7 9V4"],
  ["clipped", "graphAboveScale", "M5 1l4 7h-8z"],
  ...DRAWN_STATES.toReversed().map((state): [DrawnState, MessageKey] => [
    state,
    STATE_WORDS[state],
  ]),
];

/** Names the parts of the plot below it. */
function renderKey(
  graph: Graph,
  { shapes }: Plot,
  { theme, language: { say } }: { theme: Theme; language: Language },
): string {
  const style: TextStyle = { size: 11, color: theme.muted };
  const y = HEIGHT - 18;
  const parts = new Set<Shape["part"]>(shapes.map(({ part }) => part === "dots" ? "line" : part));
  let x = MARGIN;
  const key = PART_WORDS.filter(([part]) => parts.has(part)).map(([part, own, path]) => {
    const word = say(part === "line" && graph.locations ? "graphSite" : own);
    const left = x;
    x = Math.round(left + 14 + measureText(word, style) + 14);
    return `<path transform="translate(${left} ${y - 9})" d="${path ?? "M0 0h10v9H0z"}" ${
      paintPart(part, graph, theme)
    }/>${svgText(word, style, { x: left + 14, y })}`;
  });
  return key.length === 0 ? "" : `<g fill="none">${key.join("")}</g>`;
}

/** The figures of the window, at the end of the heading. */
function renderCaption(
  { statistics: { responseTimes, uptime } }: Graph,
  theme: Theme,
  { say, responseTime, percent }: Language,
): string {
  const word: TextStyle = { size: 12, color: theme.muted };
  const figure: TextStyle = { size: 13, weight: "semibold", color: theme.text };
  const figures = [
    [say("graphMean"), responseTimes === undefined ? NOTHING : responseTime(responseTimes.mean)],
    [say("p95"), responseTimes === undefined ? NOTHING : responseTime(responseTimes.p95)],
    [say("wordUptime"), uptime === undefined ? NOTHING : percent(toPercent(uptime) / 100)],
  ] as const;
  const widths = figures.map(([name, value]) =>
    [measureText(name, word) + 5, measureText(value, figure)] as const
  );
  const gap = 18;
  let x = PLOT.right + gap - widths.reduce((sum, [name, value]) => sum + name + value + gap, 0);
  return figures.map(([name, value], index) => {
    const [own, other] = widths[index]!;
    const text = svgText(name, word, { x, y: BELOW }) +
      svgText(value, figure, { x: x + own, y: BELOW });
    x += own + other + gap;
    return text;
  }).join("");
}

/** Strokes and gaps of the lines, in pixels: they differ without their colors. */
export const DASHES = ["", "7 3", "2 2.5", "11 3 2 3", "5 5", "2 5"] as const;

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
  { left, right, theme, language }: {
    left: number;
    right: number;
    theme: Theme;
    language: Language;
  },
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
  const rest = language.say("andMore", { COUNT: others });
  if (others > 0) names.push(svgText(rest, style, advance(measureText(rest, style))));
  return { svg: names.join(""), height: (row + 1) * ROW };
}
