import { assert } from "@std/assert";
import { output, PROJECT } from "../helpers/program.ts";

Deno.test("100 pictures do not pile up in memory", async () => {
  // Tests share one process, and so its memory: this needs one of its own.
  const script = `
    import { openRasterizer } from "./lib/io/png.ts";
    import { GRAPH_FONTS } from "./templates/graph/style.ts";
    import { renderGraph } from "./templates/graph/graph_svg.ts";
    import { graph } from "./tests/helpers/graphs.ts";
    const { png } = await openRasterizer(GRAPH_FONTS);
    const svg = renderGraph(graph("busy", "day"), "light");
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
