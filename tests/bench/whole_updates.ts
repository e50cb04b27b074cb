import { against, median } from "./figures.ts";
import { makeBenchRepository } from "./measure_update.ts";
import type { BenchPart } from "./part.ts";

const SITES = [10, 200, 1000, 5000];
const DELAYS = [20, 100];
/** The default of the configuration. */
const CONCURRENCY = 64;

/** Seconds and MB that a run may take, by `sites delay`, over http. */
const AIMS: Readonly<Record<string, { wall: number; memory?: number }>> = {
  "200 100": { wall: 1, memory: 120 },
  "1000 20": { wall: 3 },
};

/** Time and memory of a run. */
export const wholeUpdates: BenchPart = {
  title: "Whole updates",
  note:
    "start to end of the process, with the commit; later runs by their median, memory by its most",
  async measure({ servers, runs, progress }) {
    const rows = [["sites", "answer in", "over", "first run", "later", "aim", "memory", "aim"]];
    for (const scheme of ["http", "https"] as const) {
      for (const delay of DELAYS) {
        for (const sites of SITES) {
          progress(`update of ${sites} ${scheme} sites of ${delay} ms`);
          const load = { scheme, sites, delay, concurrency: CONCURRENCY };
          await using repository = await makeBenchRepository(load, servers);
          const first = await repository.update();
          const later = [];
          for (let run = 1; run <= runs; run++) later.push(await repository.update());
          const aim = scheme === "http" ? AIMS[`${sites} ${delay}`] : undefined;
          const wall = median(later.map(({ wall }) => wall / 1000));
          const memory = Math.max(...[first, ...later].map(({ memory }) => memory ?? NaN));
          rows.push([
            String(sites),
            `${delay} ms`,
            scheme,
            `${(first.wall / 1000).toFixed(2)} s`,
            `${wall.toFixed(2)} s`,
            aim === undefined ? "" : against(wall, aim.wall, " s"),
            Number.isNaN(memory) ? "unknown" : `${memory.toFixed(0)} MB`,
            aim?.memory === undefined ? "" : against(memory, aim.memory, " MB"),
          ]);
        }
      }
    }
    return rows;
  },
};
