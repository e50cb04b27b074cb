import { initWasm, Resvg } from "@resvg/resvg-wasm";
import binary from "@resvg/resvg-wasm/index_bg.wasm" with { type: "bytes" };
import type { Fonts, Render } from "./raster.ts";

/** There is one such engine to a program, and it begins once. */
let begun: Promise<void> | undefined;

/** Draws without leaving the sandbox of the runtime, half as fast; fonts of the system are out of its reach. */
export async function wasmRender({ family, files }: Fonts): Promise<Render> {
  await (begun ??= initWasm(binary));
  const font = {
    fontBuffers: files.map(({ bytes }) => bytes),
    loadSystemFonts: false,
    defaultFontFamily: family,
  };
  return (svg) => {
    const resvg = new Resvg(svg, { font });
    const image = resvg.render();
    const raster = { width: image.width, height: image.height, pixels: image.pixels };
    image.free();
    resvg.free();
    return Promise.resolve(raster);
  };
}
