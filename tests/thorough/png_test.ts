import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { PNG } from "pngjs";
import { drawGraph, graph, SKETCHES } from "../helpers/graphs.ts";
import { output, PROJECT } from "../helpers/program.ts";
import { openRasterizer } from "../../lib/io/png.ts";
import { GRAPH_FONTS } from "../../templates/graph/style.ts";

Deno.test("100 pictures do not pile up in memory", async () => {
  // Tests share one process with its memory; this needs its own.
  const script = `
    import { openRasterizer } from "./lib/io/png.ts";
    import { GRAPH_FONTS } from "./templates/graph/style.ts";
    import { drawGraph, graph } from "./tests/helpers/graphs.ts";
    const { png } = await openRasterizer(GRAPH_FONTS);
    const svg = drawGraph(graph("busy", "day"), "light");
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

const native = await openRasterizer(GRAPH_FONTS);

/** The addon can't use fonts without files. */
const wasm = await openRasterizer({
  ...GRAPH_FONTS,
  files: GRAPH_FONTS.files.map(({ bytes }) => ({ bytes, url: new URL("file:///none.ttf") })),
});

function decode(bytes: Uint8Array): PNG {
  return PNG.sync.read(Buffer.from(bytes));
}

Deno.test("the same graph gives the same bytes each time, and the same pixels by either engine", async () => {
  const svgs = Object.keys(SKETCHES).flatMap((sketch) => [
    drawGraph(graph(sketch, "week"), "light"),
    drawGraph(graph(sketch, "year", { name: "Ünïcödé — Ελλάδα Привет" }), "dark"),
  ]);
  const once = await Promise.all(svgs.map((svg) => native.png(svg)));
  for (const [index, svg] of svgs.entries()) {
    assertEquals(await native.png(svg), once[index]);
    const [one, other] = [decode(once[index]!).data, decode(await wasm.png(svg)).data];
    assertEquals(Buffer.compare(one, other), 0, `picture ${index}`);
  }
});
