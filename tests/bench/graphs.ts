import { join } from "node:path";
import { PROJECT } from "../helpers/program.ts";
import type { DrawnGraphs } from "./draw_graphs.ts";
import { against, median } from "./figures.ts";
import type { BenchPart } from "./part.ts";

/** Graphs of 50 sites, alone and with those for a dark page, and the seconds they may take. */
const AIMS = new Map([[250, 2], [500, 4]]);
/** MB. */
const MEMORY = 250;

/** Time and memory for the pictures of graphs. */
export const graphs: BenchPart = {
  title: "Graphs",
  note: "from the numbers to palette PNGs of 600 x 400, 264 points each, in a process of its own",
  async measure({ runs, progress }) {
    const rows = [["engine", "graphs", "wall", "aim", "each", "size", "memory", "aim"]];
    for (const engine of ["native", "wasm"]) {
      for (const [count, aim] of AIMS) {
        progress(`${count} graphs, ${engine}`);
        const drawn: DrawnGraphs[] = [];
        for (let run = 1; run <= runs; run++) drawn.push(await draw(count, engine));
        const wall = median(drawn.map(({ svg, png }) => (svg + png) / 1000));
        const memory = Math.max(...drawn.map(({ memory }) => memory ?? NaN));
        rows.push([
          drawn[0]!.engine,
          String(count),
          `${wall.toFixed(2)} s`,
          engine === "native" ? against(wall, aim, " s") : "",
          `${(1000 * wall / count).toFixed(1)} ms`,
          `${(drawn[0]!.size / 1000).toFixed(1)} kB`,
          Number.isNaN(memory) ? "unknown" : `${memory.toFixed(0)} MB`,
          Number.isNaN(memory) ? "" : against(memory, MEMORY, " MB"),
        ]);
      }
    }
    return rows;
  },
};

async function draw(count: number, engine: string): Promise<DrawnGraphs> {
  const flags = ["--no-prompt", "--frozen", "--cached-only", "--allow-all"];
  const script = join(PROJECT, "tests/bench/draw_graphs.ts");
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", ...flags, script, String(count), engine],
    cwd: PROJECT,
  }).output();
  if (!success) throw new Error(`Cannot measure: ${new TextDecoder().decode(stderr)}`);
  return JSON.parse(new TextDecoder().decode(stdout));
}
