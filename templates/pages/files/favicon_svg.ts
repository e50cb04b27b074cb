import type { State } from "../../../lib/state.ts";
import { SHAPES } from "../parts/shape.tsx";
import { PICTURE_COLOURS } from "../picture_colours.ts";

/** The icon of the page: the shape of a state in its colour, for light and dark windows. */
export function faviconSvg(state: State): string {
  const { light, dark } = PICTURE_COLOURS;
  const style = `path{fill:${light[state]}}@media(prefers-color-scheme:dark){path{fill:${
    dark[state]
  }}}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><style>${style}</style>` +
    `<path fill-rule="evenodd" d="${SHAPES[state]}"/></svg>\n`;
}
