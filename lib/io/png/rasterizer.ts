import { parseFont } from "../../text/font.ts";
import { encodePng } from "./encode.ts";
import { isDrawn, withoutUnknown } from "./foreign.ts";
import { nativeRender } from "./native.ts";
import type { Fonts, Render } from "./raster.ts";

/** What draws SVG: an addon of the system, or the same in the sandbox of the runtime. */
export type Engine = "native" | "wasm";

/** Makes PNGs of SVGs. */
export interface Rasterizer {
  engine: Engine;
  /** A PNG with a palette, the same bytes for the same text. Several may be under way at once. */
  png(svg: string): Promise<Uint8Array>;
}

/** Pictures that are drawn at the same time: more would take memory and gain nothing. */
const AT_ONCE = 4;

/** Makes a rasterizer: the native one where it can be had, unless another is asked for. */
export async function openRasterizer(fonts: Fonts, wanted?: Engine): Promise<Rasterizer> {
  const native = wanted === "wasm" ? undefined : await workingNative(fonts);
  const render = native ?? await (await import("./wasm.ts")).wasmRender(fonts);
  const drawable = withoutUnknown(render, fonts, parseFont(fonts.files[0]!.bytes));
  const inTurn = turns(AT_ONCE);
  return {
    engine: native === undefined ? "wasm" : "native",
    png: (text) =>
      inTurn(async () => {
        const { svg, isForeign } = await drawable(text);
        return encodePng(await render(svg, isForeign));
      }),
  };
}

/** The native engine, where the addon loads and finds the fonts: without them it would leave out every text. */
async function workingNative(fonts: Fonts): Promise<Render | undefined> {
  try {
    const render = await nativeRender(fonts);
    return await isDrawn(render, "M", fonts.family, false) ? render : undefined;
  } catch {
    return undefined;
  }
}

/** Lets so many at a time do their work, in the order they came. */
function turns(free: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}
