import { type Font, foreignCharacters } from "../../text/font.ts";
import type { Fonts, Render } from "./raster.ts";

/** An SVG of which all text can be drawn, and whether that takes fonts of the system. */
interface Drawable {
  svg: string;
  isForeign: boolean;
}

/**
 * Makes what takes the characters out of a text that no font here has: the engines give up at the first of them,
 * and leave out also what comes after it.
 */
export function withoutUnknown(
  render: Render,
  { family }: Fonts,
  font: Font,
): (svg: string) => Promise<Drawable> {
  const known = new Map<string, Promise<boolean>>();
  const isKnown = (character: string) => {
    const found = known.get(character) ?? isDrawn(render, character, family, true);
    known.set(character, found);
    return found;
  };
  return async (svg) => {
    const foreign = foreignCharacters(svg.replaceAll(/<[^>]*>/g, ""), font);
    let isForeign = false;
    for (const character of foreign) {
      if (await isKnown(character)) isForeign = true;
      else svg = svg.replaceAll(character, "");
    }
    return { svg, isForeign };
  };
}

/** Whether anything of a character is seen, with or without the fonts of the system. */
export async function isDrawn(
  render: Render,
  character: string,
  family: string,
  isForeign: boolean,
): Promise<boolean> {
  const { pixels } = await render(
    `<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32">` +
      `<text x="8" y="24" font-size="16" font-family="${family}">${character}</text></svg>`,
    isForeign,
  );
  return pixels.some((value) => value !== 0);
}
