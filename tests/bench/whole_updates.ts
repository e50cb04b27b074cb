import { against, median } from "./figures.ts";
import { measureUpdate } from "./measure_update.ts";
import type { BenchPart } from "./part.ts";

const SITES = [1, 50, 200, 1000];
const DELAYS = [20, 100];
/** The default of the configuration. */
const CONCURRENCY = 64;

/** Seconds and MB that a run may take, by `sites delay`, over http. */
const AIMS: Readonly<Record<string, { wall: number; memory?: number }>> = {
  "200 100": { wall: 1, memory: 120 },
  "1000 20": { wall: 3 },
};

/** How long a run takes, and how much memory it needs. */
export const wholeUpdates: BenchPart = {
  title: "Whole updates",
  note:
    "from the start of the process to its end, with the commit; median of the time, most of the memory",
  async measure({ servers, runs, progress }) {
    const rows = [["sites", "answer in", "over", "time", "aim", "memory", "aim"]];
    for (const scheme of ["http", "https"] as const) {
      for (const delay of DELAYS) {
        for (const sites of SITES) {
          progress(`update of ${sites} ${scheme} sites of ${delay} ms`);
          const measures = [];
          for (let run = 1; run <= runs; run++) {
            const load = { scheme, sites, delay, concurrency: CONCURRENCY };
            measures.push(await measureUpdate(load, servers));
          }
          const aim = scheme === "http" ? AIMS[`${sites} ${delay}`] : undefined;
          const wall = median(measures.map(({ wall }) => wall / 1000));
          const memory = Math.max(...measures.map(({ memory }) => memory ?? NaN));
          rows.push([
            String(sites),
            `${delay} ms`,
            scheme,
            `${wall.toFixed(2)} s`,
            aim === undefined ? "" : against(wall, aim.wall, " s"),
            Number.isNaN(memory) ? "not told" : `${memory.toFixed(0)} MB`,
            aim?.memory === undefined ? "" : against(memory, aim.memory, " MB"),
          ]);
        }
      }
    }
    return rows;
  },
};
