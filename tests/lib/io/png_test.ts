import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { PNG } from "pngjs";
import { drawGraph, graph } from "../../helpers/graphs.ts";
import { openRasterizer } from "../../../lib/io/png.ts";
import { GRAPH_FONTS, THEMES } from "../../../templates/graph/style.ts";

const native = await openRasterizer(GRAPH_FONTS);

/** The addon can't use fonts without files. */
const wasm = await openRasterizer({
  ...GRAPH_FONTS,
  files: GRAPH_FONTS.files.map(({ bytes }) => ({ bytes, url: new URL("file:///none.ttf") })),
});

/** The position of the title. */
const TITLE = { left: 20, top: 18, right: 580, bottom: 42 };

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

function decode(bytes: Uint8Array): PNG {
  return PNG.sync.read(Buffer.from(bytes));
}

function colorAt(png: PNG, x: number, y: number): string {
  const at = 4 * (y * png.width + x);
  return `#${png.data.subarray(at, at + 3).toString("hex")}`;
}

/** How many pixels of a box have a color. */
function countColor(png: PNG, color: string, { left, top, right, bottom }: Box): number {
  const [red, green, blue] = Uint8Array.fromHex(color.slice(1));
  const { data, width } = png;
  let count = 0;
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const at = 4 * (y * width + x);
      if (data[at] === red && data[at + 1] === green && data[at + 2] === blue) count++;
    }
  }
  return count;
}

function named(name: string): string {
  return drawGraph(graph("one-point", "day", { name }), "light");
}

async function inkOf(name: string, rasterizer = native): Promise<number> {
  const png = decode(await rasterizer.png(named(name)));
  return (TITLE.right - TITLE.left) * (TITLE.bottom - TITLE.top) -
    countColor(png, THEMES.light.background, TITLE);
}

Deno.test("the native engine is used if it can read the fonts, and else WebAssembly, so that no text is lost", async () => {
  assertEquals([native.engine, wasm.engine], ["native", "wasm"]);
  assert(await inkOf("Shop", wasm) > 50);
});

for (const [name, theme] of Object.entries(THEMES)) {
  Deno.test(`a ${name} graph is a PNG of 600 x 400 pixels with every color exact, and text`, async () => {
    const bytes = await native.png(drawGraph(graph("maintenance", "day"), name as "light"));
    assert(bytes.length < 60_000, String(bytes.length));
    const png = decode(bytes);
    assertEquals([png.width, png.height], [600, 400]);
    const all = { left: 0, top: 0, right: 600, bottom: 400 };
    for (const corner of [colorAt(png, 0, 0), colorAt(png, 599, 399)]) {
      assertEquals(corner, theme.background);
    }
    for (const color of [theme.down, theme.grid]) {
      assert(countColor(png, color, all) > 20, color);
    }
    assert(countColor(png, theme.line, all) > 100);
    assert(countColor(png, theme.text, TITLE) > 50, "the title is written");
    const caption = { left: 300, top: 44, right: 580, bottom: 62 };
    assert(countColor(png, theme.text, caption) > 50, "the caption is written");
  });
}

Deno.test("characters that no font contains leave blanks, and the rest is drawn", async () => {
  // A character that no font has: it is not assigned.
  const none = "\u{8ffff}";
  assertEquals(await inkOf(none), 0);
  const shop = await inkOf("Shop");
  for (const ink of [await inkOf(`${none}Shop${none}`), await inkOf("日本 Shop", wasm)]) {
    assert(Math.abs(ink - shop) < 20, `${ink} and not ${shop}`);
  }
});
