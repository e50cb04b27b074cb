/** Draws a number of graphs with the given engine in a separate process, and prints the cost. */
import { type Engine, openRasterizer } from "../../lib/io/png.ts";
import { WINDOW_NAMES } from "../../lib/history/windows.ts";
import { renderGraph } from "../../templates/graph/graph_svg.ts";
import { GRAPH_FONTS } from "../../templates/graph/style.ts";
import { graph } from "../helpers/graphs.ts";

/** The cost of drawing. */
export interface DrawnGraphs {
  engine: Engine;
  /** Milliseconds for all texts, and for all pictures of them. */
  svg: number;
  png: number;
  /** Bytes of a picture on average. */
  size: number;
  /** Peak memory of the process in MB; absent if the system does not report it. */
  memory?: number;
}

const SKETCHES = ["busy", "gaps", "maintenance"];

async function drawGraphs(count: number, wanted: Engine): Promise<DrawnGraphs> {
  const graphs = Array.from(
    { length: count },
    (_, index) =>
      graph(SKETCHES[index % SKETCHES.length]!, WINDOW_NAMES[index % WINDOW_NAMES.length]!, {
        name: `Site ${index}`,
        timezone: "Europe/Berlin",
      }),
  );
  const start = performance.now();
  const { engine, png } = await openRasterizer(GRAPH_FONTS, wanted);
  const svgs = graphs.map((one, index) => renderGraph(one, index % 2 === 0 ? "light" : "dark"));
  const written = performance.now();
  const sizes = await Promise.all(svgs.map(async (svg) => (await png(svg)).length));
  return {
    engine,
    svg: written - start,
    png: performance.now() - written,
    size: sizes.reduce((sum, size) => sum + size, 0) / count,
    memory: await peakMemory(),
  };
}

async function peakMemory(): Promise<number | undefined> {
  try {
    const status = await Deno.readTextFile("/proc/self/status");
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
  } catch {
    return undefined; // This system has no /proc.
  }
}

if (import.meta.main) {
  const [count, engine] = Deno.args;
  const drawn = await drawGraphs(Number(count), engine as Engine);
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(drawn)));
}
