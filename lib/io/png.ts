import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

interface Fonts {
  family: string;
  isCovered(text: string): boolean;
  /** TrueType files. */
  files: readonly { url: URL; bytes: Uint8Array }[];
}

/** Converts SVG to PNG; the same text gives the same bytes. */
interface Rasterizer {
  /** A native addon, or the same library as WebAssembly, which is half as fast. */
  engine: "native" | "wasm";
  png(svg: string): Promise<Uint8Array>;
}

/** Opens the native engine if it works, or WebAssembly, which can't use fonts of the system. */
export async function openRasterizer(fonts: Fonts): Promise<Rasterizer> {
  const native = await openNative(fonts);
  return native === undefined
    ? { engine: "wasm", png: await openWasm(fonts) }
    : { engine: "native", png: native };
}

/** Pictures between two garbage collections, which free the megabytes that each holds in the addon. */
const COLLECT_AFTER = 32;
/** Picture after which the first collection happens; a status page draws fewer. */
const FIRST_COLLECTION = 4;

/** Opens the addon; `undefined` if it can't be loaded, or can't read the fonts and would omit all text. */
async function openNative(fonts: Fonts): Promise<Rasterizer["png"] | undefined> {
  const { family: defaultFontFamily, files } = fonts;
  try {
    const { renderAsync } = await import("@resvg/resvg-js");
    // This version of the addon ignores fonts given as bytes.
    const fontFiles = files.map(({ url }) => fileURLToPath(url));
    for (const file of fontFiles) await Deno.stat(file);
    let drawn = 0;
    // More at once take memory and gain nothing.
    const lanes: Promise<unknown>[] = Array(4).fill(Promise.resolve());
    let next = 0;
    const draw = async (svg: string) => {
      const loadSystemFonts = !fonts.isCovered(svg.replaceAll(/<[^>]*>/g, ""));
      const font = { fontFiles, loadSystemFonts, defaultFontFamily };
      const png = (await renderAsync(svg, { font, logLevel: "off" })).asPng();
      if (++drawn % COLLECT_AFTER === FIRST_COLLECTION) collectGarbage();
      return png;
    };
    return (svg) => {
      const lane = next++ % lanes.length;
      const png = lanes[lane]!.then(() => draw(svg));
      lanes[lane] = png.catch(() => {});
      return png;
    };
  } catch {
    return undefined;
  }
}

let collect: (() => void) | undefined;

function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as () => void;
  }
  collect();
}

let loading: Promise<unknown> | undefined;

async function openWasm({ family: defaultFontFamily, files }: Fonts): Promise<Rasterizer["png"]> {
  const { initWasm, Resvg } = await import("@resvg/resvg-wasm");
  const { default: binary } = await import("@resvg/resvg-wasm/index_bg.wasm", {
    with: { type: "bytes" },
  });
  await (loading ??= initWasm(binary));
  const fontBuffers = files.map(({ bytes }) => bytes);
  const font = { fontBuffers, loadSystemFonts: false, defaultFontFamily };
  return (svg) => {
    const resvg = new Resvg(svg, { font });
    const image = resvg.render();
    const png = image.asPng();
    image.free();
    resvg.free();
    return Promise.resolve(png);
  };
}
