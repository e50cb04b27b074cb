import { graphemes } from "./graphemes.ts";

/** What is known of a font: which characters it has, and how far each moves the pen. */
export interface Font {
  /** Width of a character in ems; absent where the font does not have it. */
  advance(codePoint: number): number | undefined;
}

/**
 * Reads widths from a TrueType font: its tables `cmap` (formats 4 and 12), `head`, `hhea` and `hmtx`.
 *
 * @throws {TypeError} Where a table is missing.
 */
export function parseFont(bytes: Uint8Array): Font {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tables = new Map<string, number>();
  for (let index = 0; index < view.getUint16(4); index++) {
    const at = 12 + index * 16;
    const tag = String.fromCharCode(...bytes.subarray(at, at + 4));
    tables.set(tag, view.getUint32(at + 8));
  }
  const table = (tag: string) => {
    const at = tables.get(tag);
    if (at === undefined) throw new TypeError(`Cannot read the font: it has no table "${tag}"`);
    return at;
  };
  const unitsPerEm = view.getUint16(table("head") + 18);
  const metrics = view.getUint16(table("hhea") + 34);
  const hmtx = table("hmtx");
  const glyphs = glyphsOf(view, table("cmap"));
  return {
    advance(codePoint) {
      const glyph = glyphs.get(codePoint);
      // Glyphs beyond the last metric have the width of that one.
      return glyph && view.getUint16(hmtx + 4 * Math.min(glyph, metrics - 1)) / unitsPerEm;
    },
  };
}

/** Glyphs by code point, of every encoding for Unicode that the table has. */
function glyphsOf(view: DataView, cmap: number): Map<number, number> {
  const glyphs = new Map<number, number>();
  for (let index = 0; index < view.getUint16(cmap + 2); index++) {
    const encoding = cmap + view.getUint32(cmap + 4 + index * 8 + 4);
    const format = view.getUint16(encoding);
    if (format === 4) readSegments(view, encoding, glyphs);
    if (format === 12) readGroups(view, encoding, glyphs);
  }
  return glyphs;
}

/** Format 4: segments of the first 65,536 characters. */
function readSegments(view: DataView, at: number, glyphs: Map<number, number>): void {
  const size = view.getUint16(at + 6);
  for (let segment = 0; segment < size; segment += 2) {
    const last = view.getUint16(at + 14 + segment);
    const first = view.getUint16(at + 16 + size + segment);
    const delta = view.getUint16(at + 16 + 2 * size + segment);
    const offsetAt = at + 16 + 3 * size + segment;
    const offset = view.getUint16(offsetAt);
    for (let code = first; code <= last && code !== 0xffff; code++) {
      const listed = offset === 0 ? code : view.getUint16(offsetAt + offset + 2 * (code - first));
      const glyph = offset !== 0 && listed === 0 ? 0 : (listed + delta) & 0xffff;
      if (glyph !== 0) glyphs.set(code, glyph);
    }
  }
}

/** Format 12: groups of characters whose glyphs follow each other. */
function readGroups(view: DataView, at: number, glyphs: Map<number, number>): void {
  for (let group = 0; group < view.getUint32(at + 12); group++) {
    const entry = at + 16 + 12 * group;
    const first = view.getUint32(entry);
    const last = view.getUint32(entry + 4);
    const glyph = view.getUint32(entry + 8);
    for (let code = first; code <= last; code++) glyphs.set(code, glyph + code - first);
  }
}

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

/** The different characters of a text that a font lacks, but those that are never seen. */
export function foreignCharacters(text: string, font: Font): string[] {
  return [...new Set(text)].filter((character) =>
    font.advance(character.codePointAt(0)!) === undefined && !/[\s\p{Cf}]/u.test(character)
  );
}
