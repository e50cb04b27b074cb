import type { BadgeColor, Rendering } from "../../lib/statistics/api/badge.ts";
import type { Language } from "../../lib/text/language.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { escapeXml } from "../../lib/notifications/channels/escape.ts";
import { PICTURE_COLORS } from "./colors.ts";

const { bars, words } = PICTURE_COLORS.light;

/** A color, and one that is well read on it: at least 4.5 times as light or as dark. */
export const COLORS: Readonly<Record<BadgeColor, readonly [ground: string, text: string]>> = {
  brightgreen: [bars.up, "#111"],
  green: ["#7fb241", "#111"],
  yellowgreen: ["#b9a52a", "#111"],
  yellow: [bars.degraded, "#111"],
  orange: ["#e0662a", "#111"],
  red: [bars.down, "#fff"],
  blue: [words.maintenance, "#fff"],
  lightgrey: [words.unknown, "#fff"],
};
export const LABEL_COLORS = ["#3d444d", "#fff"] as const;

const HEIGHT = 20;
/** Between a text and the edges of its half, in pixels. */
const PADDING = 6;

/** Draws badges in a language. */
export function createBadges(language: Language): Rendering["draw"] {
  const { isRightToLeft } = language;
  return ({ label, message, color }) =>
    renderBadge({ label: label(language), message: message(language), color }, isRightToLeft);
}

/**
 * A flat SVG badge, the label on the left and the message on the right, or mirrored. It has no ids, so that any number fit
 * into one page.
 */
export function renderBadge(
  { color, ...texts }: { label: string; message: string; color: BadgeColor },
  isMirrored = false,
): string {
  const [label, message] = [plainText(texts.label), plainText(texts.message)];
  const [ground, ink] = COLORS[color];
  const [labelGround, labelInk] = LABEL_COLORS;
  const all = [
    { text: label, ground: labelGround, ink: labelInk },
    { text: message, ground, ink },
  ].map((half) => ({ ...half, width: measureWidth(half.text) }));
  const [left, right] = isMirrored ? [all[1]!, all[0]!] : [all[0]!, all[1]!];
  const edge = left.width + 2 * PADDING;
  const width = edge + right.width + 2 * PADDING;
  const words = escapeXml(`${label}: ${message}`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" role="img" aria-label="${words}">`,
    `<title>${words}</title>`,
    `<path fill="${left.ground}" d="M${edge} 0H3a3 3 0 0 0-3 3v14a3 3 0 0 0 3 3h${edge - 3}z"/>`,
    `<path fill="${right.ground}" d="M${edge} 0h${
      width - edge - 3
    }a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H${edge}z"/>`,
    `<g font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11"${
      isMirrored ? ' direction="rtl"' : ""
    }>`,
    ...all.map((half) => {
      const start = (half === left ? 0 : edge) + PADDING;
      return renderText(isMirrored ? start + half.width : start, half);
    }),
    "</g></svg>\n",
  ].join("");
}

/** Scripts whose letters are joined, so that they are stretched instead of spaced. */
const JOINED = /[\p{Script=Arabic}\p{Script=Devanagari}]/u;

function renderText(
  x: number,
  { text, width, ink }: { text: string; width: number; ink: string },
): string {
  const adjusted = JOINED.test(text) ? ' lengthAdjust="spacingAndGlyphs"' : "";
  return `<text x="${x}" y="14" fill="${ink}" textLength="${width}"${adjusted}>${
    escapeXml(text)
  }</text>`;
}

/** Characters by their width in pixels, in the font that badges are usually shown in, at its size. */
const WIDTHS = [
  [3, "',.IJijl"],
  [4, " !()-/:;[\\]ft|"],
  [5, '"r'],
  [6, "*?FL_`cksz"],
  [8, "ABCDHNRUVXZ"],
  [9, "#&+<=>GMOQ^w~"],
  [10, "%"],
  [11, "@Wm"],
  [4, "اأإآدذرزلى"],
] as const;
const WIDTH_OF = new Map(
  WIDTHS.flatMap(([width, characters]) => [...characters].map((one) => [one, width])),
);

/** Widths of other characters: marks of direction or of vowels, letters, and those of East Asia. */
function findUsualWidth(character: string): number {
  if (/^[\p{Mn}\p{Cf}]$/u.test(character)) return 0;
  if (/^\p{Mc}$/u.test(character)) return 4;
  return character.codePointAt(0)! < 0x1100 ? 7 : 11;
}

function measureWidth(text: string): number {
  return [...text].reduce((sum, one) => sum + (WIDTH_OF.get(one) ?? findUsualWidth(one)), 0);
}
