import type { GraphTheme } from "../../lib/statistics/graphs/graph_files.ts";
import type { State } from "../../lib/state.ts";
import { graphemes } from "../../lib/text/columns.ts";
import { escapeXml } from "../../lib/notifications/channels/escape.ts";
import { mix, PICTURE_COLORS } from "./colors.ts";
import regular from "../fonts/inter-regular.ttf" with { type: "bytes" };
import semibold from "../fonts/inter-semibold.ttf" with { type: "bytes" };
import widths from "../fonts/widths.json" with { type: "json" };

/**
 * Colors of a graph, those of the page's charts. `lines` are those of locations: they contrast with the background by
 * 3 at least, and differ for people who confuse red and green.
 */
export interface Theme {
  background: string;
  text: string;
  muted: string;
  grid: string;
  axis: string;
  line: string;
  lines: readonly string[];
  band: { fill: string; opacity: number };
  down: string;
  hatches: Readonly<Record<Exclude<State, "up" | "down">, string>>;
}

export const THEMES: Readonly<Record<GraphTheme, Theme>> = {
  light: toTheme("light", ["#d2691e", "#20a396", "#b03a9c", "#1d2733", "#7a4a00"]),
  dark: toTheme("dark", ["#e0793f", "#3fd0b0", "#c9559b", "#eef2f6", "#f0cf3a"]),
};

function toTheme(name: GraphTheme, lines: readonly string[]): Theme {
  const { card, line, text, muted, accent, bars } = PICTURE_COLORS[name];
  return {
    ...{ background: card, text, muted, grid: line, axis: bars.unknown },
    line: accent,
    lines: [accent, ...lines],
    band: { fill: accent, opacity: 0.16 },
    down: mix(bars.down, card, 0.16),
    hatches: {
      degraded: mix(bars.degraded, card, 0.5),
      maintenance: mix(bars.maintenance, card, 0.5),
      unknown: mix(muted, card, 0.8),
    },
  };
}

export const FONT_FAMILY = "Inter";

export const GRAPH_FONTS = {
  family: FONT_FAMILY,
  isCovered,
  files: [
    { url: new URL("../fonts/inter-regular.ttf", import.meta.url), bytes: regular },
    { url: new URL("../fonts/inter-semibold.ttf", import.meta.url), bytes: semibold },
  ],
};

/** Widths of characters in ems. */
const WIDTHS = { regular: parseWidths(widths.regular), semibold: parseWidths(widths.semibold) };
/** Width of a character that the font lacks, such as a Chinese one. */
const MISSING_WIDTH = 1.1;
/** Width of an Arabic letter: they are joined, and narrower. */
const ARABIC_WIDTH = 0.75;

function parseWidths(groups: Readonly<Record<string, string>>): ReadonlyMap<string, number> {
  return new Map(
    Object.entries(groups).flatMap(([width, characters]) =>
      [...characters].map((one) => [one, Number(width) / 100])
    ),
  );
}

/** True if the bundled font has every visible character of a text. */
export function isCovered(text: string): boolean {
  return [...text].every((one) => WIDTHS.regular.has(one) || /[\s\p{Cf}]/u.test(one));
}

export interface TextStyle {
  /** Pixels. */
  size: number;
  weight?: keyof typeof WIDTHS;
  color: string;
}

/** Width of a text on one line, in pixels. */
export function measureText(text: string, { size, weight = "regular" }: TextStyle): number {
  let ems = 0;
  for (const character of text) ems += WIDTHS[weight].get(character) ?? findMissingWidth(character);
  return ems * size;
}

/** Width of a character that the font lacks; marks of direction and of vowels have none. */
function findMissingWidth(character: string): number {
  if (/[\u2066-\u2069\u200e\u200f\u064b-\u0652]/.test(character)) return 0;
  return /\p{Script=Arabic}/u.test(character) ? ARABIC_WIDTH : MISSING_WIDTH;
}

/** Cuts a text to a width in pixels, with an ellipsis. */
function fitText(text: string, style: TextStyle, width: number): string {
  if (measureText(text, style) <= width) return text;
  let left = width - measureText("…", style);
  let kept = "";
  for (const segment of graphemes(text)) {
    left -= measureText(segment, style);
    if (left < 0) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** Renders one line of text; `x` is its start, middle or end, `y` its base line, and `width` its limit. */
export function svgText(
  text: string,
  style: TextStyle,
  { x, y, anchor = "start", width = Infinity }: {
    x: number;
    y: number;
    anchor?: "start" | "middle" | "end";
    width?: number;
  },
): string {
  const weight = style.weight === "semibold" ? ' font-weight="600"' : "";
  const align = anchor === "start" ? "" : ` text-anchor="${anchor}"`;
  const words = escapeXml(fitText(text, style, width));
  return `<text x="${round(x)}" y="${round(y)}" font-size="${style.size}" ` +
    `fill="${style.color}"${weight}${align}>${words}</text>`;
}

/** Rounds a coordinate to a tenth of a pixel. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
