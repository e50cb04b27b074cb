import { graphemes } from "../graphemes.ts";
import type { Font } from "./font.ts";

/** Ems of a character that the font lacks: as wide as those of other scripts get. */
const FOREIGN = 1.1;

/** Width of a text on one line, in the unit of `size`; ample where the font lacks characters. */
export function measureText(text: string, { font, size }: { font: Font; size: number }): number {
  let ems = 0;
  for (const character of text) ems += font.advance(character.codePointAt(0)!) ?? FOREIGN;
  return ems * size;
}

/** A text that is no wider than `width`: cut between characters that people see, with an ellipsis. */
export function fitText(
  text: string,
  { font, size, width }: { font: Font; size: number; width: number },
): string {
  if (measureText(text, { font, size }) <= width) return text;
  let left = width - measureText("…", { font, size });
  let kept = "";
  for (const segment of graphemes(text)) {
    left -= measureText(segment, { font, size });
    if (left < 0) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}
