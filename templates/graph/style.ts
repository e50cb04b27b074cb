import regular from "../fonts/inter-regular.ttf" with { type: "bytes" };
import semibold from "../fonts/inter-semibold.ttf" with { type: "bytes" };
import type { GraphTheme } from "../../lib/statistics/graphs/graph_files.ts";
import { fitText, type Font, measureText, parseFont } from "../../lib/text/font.ts";
import { escapeMarkup } from "../../lib/notifications/channels/inert/html.ts";

/** Colours of a graph, opaque but the band, so that few different ones come about. */
export interface Theme {
  background: string;
  /** Of the title and of figures. */
  text: string;
  /** Of everything else that is read. */
  muted: string;
  grid: string;
  axis: string;
  line: string;
  band: { fill: string; opacity: number };
  /** What stands behind the line. Down is the darkest on light, and the lightest on dark. */
  down: string;
  degraded: string;
  maintenance: { fill: string; hatch: string };
  /** Where nothing is known. */
  unknown: string;
}

/** How graphs may look. */
export const THEMES = {
  light: {
    background: "#ffffff",
    text: "#1f2328",
    muted: "#59636e",
    grid: "#e7eaee",
    axis: "#9aa3ad",
    line: "#0b63ce",
    band: { fill: "#0b63ce", opacity: 0.2 },
    down: "#f3a6a1",
    degraded: "#fce7ae",
    maintenance: { fill: "#f1f3f6", hatch: "#bcc4cf" },
    unknown: "#f1f3f5",
  },
  dark: {
    background: "#0d1117",
    text: "#e6edf3",
    muted: "#9aa4af",
    grid: "#222831",
    axis: "#606975",
    line: "#66b0ff",
    band: { fill: "#66b0ff", opacity: 0.28 },
    down: "#93292b",
    degraded: "#66490a",
    maintenance: { fill: "#171c23", hatch: "#3b4450" },
    unknown: "#181d24",
  },
} as const satisfies Record<GraphTheme, Theme>;

/** Name of the family that both fonts belong to. */
export const FAMILY = "Inter";

/** Weights that graphs are written in, with what is known of their fonts. */
export const WEIGHTS: Readonly<Record<"regular" | "semibold", { weight: number; font: Font }>> = {
  regular: { weight: 400, font: parseFont(regular) },
  semibold: { weight: 600, font: parseFont(semibold) },
};

/** The font files, for what makes pictures of graphs. */
export const GRAPH_FONTS = {
  family: FAMILY,
  files: [
    { url: new URL("../fonts/inter-regular.ttf", import.meta.url), bytes: regular },
    { url: new URL("../fonts/inter-semibold.ttf", import.meta.url), bytes: semibold },
  ],
};

/** A coordinate, to a tenth of a pixel. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** How a text looks. */
export interface TextStyle {
  /** Pixels. */
  size: number;
  weight?: keyof typeof WEIGHTS;
  colour: string;
}

/** Where a text stands: `x` is its start, middle or end. */
export interface Place {
  x: number;
  /** The base line. */
  y: number;
  anchor?: "start" | "middle" | "end";
  /** Pixels that it may take; what is longer is cut. */
  width?: number;
}

/** One line of text. */
export function svgText(text: string, style: TextStyle, place: Place): string {
  const { weight, font } = WEIGHTS[style.weight ?? "regular"];
  const { x, y, anchor = "start", width = Infinity } = place;
  const shown = fitText(text, { font, size: style.size, width });
  const attributes = [
    `x="${round(x)}" y="${round(y)}" font-size="${style.size}" fill="${style.colour}"`,
    ...(weight === 400 ? [] : [`font-weight="${weight}"`]),
    ...(anchor === "start" ? [] : [`text-anchor="${anchor}"`]),
  ];
  return `<text ${attributes.join(" ")}>${xmlText(shown)}</text>`;
}

/** Pixels that a text takes. */
export function widthOf(text: string, { size, weight = "regular" }: TextStyle): number {
  return measureText(text, { font: WEIGHTS[weight].font, size });
}

/**
 * A text within XML, also within an attribute. What no file of XML can hold becomes the sign for a
 * character that is lost; control characters have to be gone already.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(xmlText('<b> & "c"\ud800'), "&lt;b&gt; &amp; &quot;c&quot;\ufffd");
 * ```
 */
export function xmlText(text: string): string {
  return escapeMarkup(text.toWellFormed().replaceAll(/[\ufffe\uffff]/g, "\ufffd"));
}
