import type { Font } from "./font.ts";

/** The different characters of a text that a font lacks, but those that are never seen. */
export function foreignCharacters(text: string, font: Font): string[] {
  return [...new Set(text)].filter((character) =>
    font.advance(character.codePointAt(0)!) === undefined && !/[\s\p{Cf}]/u.test(character)
  );
}
