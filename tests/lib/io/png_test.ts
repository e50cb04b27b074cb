import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
// @ts-types="@types/pngjs"
import { PNG } from "pngjs";
import { encodePng } from "../../../lib/io/png/encode.ts";
import { indexColours } from "../../../lib/io/png/palette.ts";
import { openRasterizer } from "../../../lib/io/png/rasterizer.ts";
import { graphSvg } from "../../../templates/graph/graph_svg.ts";
import { GRAPH_FONTS, THEMES } from "../../../templates/graph/style.ts";
import { graph, SKETCHES } from "../../helpers/graphs.ts";
import { output, PROJECT } from "../../helpers/program.ts";

const native = await openRasterizer(GRAPH_FONTS);
const wasm = await openRasterizer(GRAPH_FONTS, "wasm");

/** Where the title stands. */
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

function colourAt(png: PNG, x: number, y: number): string {
  const at = 4 * (y * png.width + x);
  return `#${png.data.subarray(at, at + 3).toString("hex")}`;
}

/** How many pixels of a box have a colour. */
function countColour(png: PNG, colour: string, { left, top, right, bottom }: Box): number {
  const wanted = parseInt(colour.slice(1), 16);
  let count = 0;
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      if (png.data.readUIntBE(4 * (y * png.width + x), 3) === wanted) count++;
    }
  }
  return count;
}

function named(name: string): string {
  return graphSvg(graph("one-point", "day", { name }), "light");
}

async function inkOf(name: string, rasterizer = native): Promise<number> {
  const png = decode(await rasterizer.png(named(name)));
  return (TITLE.right - TITLE.left) * (TITLE.bottom - TITLE.top) -
    countColour(png, THEMES.light.background, TITLE);
}

Deno.test("the native engine is used where it can be", () => {
  assertEquals([native.engine, wasm.engine], ["native", "wasm"]);
});

for (const [name, theme] of Object.entries(THEMES)) {
  Deno.test(`a ${name} graph is a palette PNG of 600 x 400 pixels with every colour exact, and text`, async () => {
    const bytes = await native.png(graphSvg(graph("maintenance", "day"), name as "light"));
    // Width, height, bits, colour type: 3 is a palette.
    const header = new DataView(bytes.buffer, 16);
    assertEquals([header.getUint32(0), header.getUint32(4)], [600, 400]);
    assertEquals([header.getUint8(8), header.getUint8(9)], [8, 3]);
    assert(bytes.length < 20_000, String(bytes.length));

    const png = decode(bytes);
    const all = { left: 0, top: 0, right: 600, bottom: 400 };
    for (const corner of [colourAt(png, 0, 0), colourAt(png, 599, 399)]) {
      assertEquals(corner, theme.background);
    }
    for (const colour of [theme.down, theme.degraded, theme.grid, theme.maintenance.fill]) {
      assert(countColour(png, colour, all) > 20, colour);
    }
    assert(countColour(png, theme.line, all) > 100);
    assert(countColour(png, theme.text, TITLE) > 50, "the title is written");
    const caption = { left: 20, top: 368, right: 580, bottom: 390 };
    assert(countColour(png, theme.text, caption) > 50, "the caption is written");
  });
}

Deno.test("the same graph gives the same bytes, again, at once, and by either engine", async () => {
  const svgs = Object.keys(SKETCHES).flatMap((sketch) => [
    graphSvg(graph(sketch, "week"), "light"),
    graphSvg(graph(sketch, "year", { name: "Ünïcödé — Ελλάδα Привет" }), "dark"),
  ]);
  const once = await Promise.all(svgs.map((svg) => native.png(svg)));
  for (const [index, svg] of svgs.entries()) {
    assertEquals(await native.png(svg), once[index]);
    assertEquals(await wasm.png(svg), once[index]);
  }
});

Deno.test("characters that no font has leave nothing behind, and what is beside them stays", async () => {
  // A character that no font has: it is not assigned.
  const none = "\u{8ffff}";
  assertEquals(await inkOf(none), 0);
  assertEquals(await inkOf(`${none}Shop${none}`), await inkOf("Shop"));
  assertEquals(await inkOf("日本 Shop", wasm), await inkOf(" Shop", wasm));
});

Deno.test("characters of other scripts are drawn with a font of the system where one has them", async () => {
  // Every font that is likely to be there has one of these, and the bundled one has none.
  const drawn = await Promise.all(["★", "☃", "日", "ع", "😀"].map((name) => inkOf(name)));
  const some = drawn.findIndex((ink) => ink > 0);
  if (some < 0) return;
  const beside = await inkOf(`\u{8ffff}${["★", "☃", "日", "ع", "😀"][some]}`);
  assert(beside > 0, "an unknown character does not take the others with it");
});

Deno.test("where the fonts cannot be found the sandbox draws instead, rather than leave out all text", async () => {
  const files = GRAPH_FONTS.files.map(({ bytes }) => ({ bytes, url: new URL("file:///none.ttf") }));
  const rasterizer = await openRasterizer({ ...GRAPH_FONTS, files });
  assertEquals(rasterizer.engine, "wasm");
  assert(await inkOf("Shop", rasterizer) > 50);
});

Deno.test("100 pictures do not pile up in memory", async () => {
  // Tests share one process, and so its memory: this needs one of its own.
  const script = `
    import { openRasterizer } from "./lib/io/png/rasterizer.ts";
    import { GRAPH_FONTS } from "./templates/graph/fonts.ts";
    import { graphSvg } from "./templates/graph/graph_svg.ts";
    import { graph } from "./tests/helpers/graphs.ts";
    const { png } = await openRasterizer(GRAPH_FONTS);
    const svg = graphSvg(graph("busy", "day"), "light");
    const before = Deno.memoryUsage().rss;
    await Promise.all(Array.from({ length: 100 }, () => png(svg)));
    console.log((Deno.memoryUsage().rss - before) / 1e6);`;
  const { stdout, stderr } = await output(
    new Deno.Command(Deno.execPath(), {
      args: ["eval", "--quiet", "--frozen", "--cached-only", script],
      cwd: PROJECT,
      env: { NO_COLOR: "1" },
      stdout: "piped",
      stderr: "piped",
    }).spawn(),
  );
  const grown = Number(stdout);
  assert(stdout !== "" && grown < 120, `it took ${grown} MB ${stderr}`);
});

Deno.test("more colours than a palette has become the nearest, and the frequent ones stay exact", async () => {
  // 64 x 64 pixels of as many colours, and as many of one more.
  const pixels = new Uint8Array(2 * 64 * 64 * 4).fill(255);
  for (let at = 0; at < 64 * 64; at++) {
    pixels.set([at % 64 * 4, Math.floor(at / 64) * 4, 0], at * 4);
  }
  pixels.subarray(64 * 64 * 4).forEach((_, at, half) => half[at] = at % 4 === 3 ? 255 : 7);
  const { palette, indices } = indexColours(pixels);
  assertEquals([palette.length, palette[0]], [256, 0x070707]);
  assertEquals(indices.at(-1), 0);
  const png = decode(await encodePng({ width: 64, height: 128, pixels }));
  assertEquals([png.width, png.height], [64, 128]);
  assertEquals(colourAt(png, 63, 127), "#070707");
});
