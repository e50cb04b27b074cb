import { fitText, measureText } from "../../lib/text/font/measure.ts";
import { xmlText } from "../xml_text.ts";
import { WEIGHTS } from "./fonts.ts";
import { round } from "./round.ts";

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
