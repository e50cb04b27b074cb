import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Fonts, Render } from "./raster.ts";

/** Pictures between two collections of garbage. */
const COLLECT_AFTER = 32;

/** The picture after which it is collected first: whoever draws fewer, as a status page does, needs no collection. */
const FIRST = 4;

/**
 * Draws with the native addon, in threads of its own.
 *
 * @throws Where the addon cannot be loaded, or may not.
 */
export async function nativeRender({ family, files }: Fonts): Promise<Render> {
  const { renderAsync } = await import("@resvg/resvg-js");
  let collect: (() => void) | undefined;
  // Fonts that are given as bytes are ignored by this version of the addon.
  const fontFiles = files.map(({ url }) => fileURLToPath(url));
  let drawn = 0;
  return async (svg, isForeign) => {
    const font = { fontFiles, loadSystemFonts: isForeign, defaultFontFamily: family };
    const { width, height, pixels } = await renderAsync(svg, { font, logLevel: "off" });
    if (++drawn % COLLECT_AFTER === FIRST) (collect ??= garbageCollector())();
    return { width, height, pixels };
  };
}

/** The runtime does not see the megabytes that each picture holds outside of it, and would let them pile up. */
function garbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
}
