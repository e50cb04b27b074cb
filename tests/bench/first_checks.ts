import { against, median } from "./figures.ts";
import { makeBenchRepository } from "./measure_update.ts";
import type { BenchPart } from "./part.ts";

const SITES = 12;
const DELAY = 100;
/** Milliseconds that the first check may seem slower than the later ones. */
const MOST = 3;

/** How much slower the first check of a process seems than the later ones. */
export const firstChecks: BenchPart = {
  title: "First check of a process",
  note: `ms beyond what the server waits, one site after the other; median of several processes`,
  async measure({ servers, runs, progress }) {
    const rows = [["over", "first", "later", "beyond", "aim"]];
    for (const scheme of ["http", "https"] as const) {
      progress(`first ${scheme} checks`);
      const firsts: number[] = [];
      const laters: number[] = [];
      const load = { scheme, sites: SITES, delay: DELAY, concurrency: 1 };
      await using repository = await makeBenchRepository(load, servers);
      for (let run = 1; run <= 2 * runs + 1; run++) {
        const [first, ...later] = (await repository.update()).errors;
        firsts.push(first!);
        laters.push(median(later));
      }
      const [first, later] = [median(firsts), median(laters)];
      const aim = against(first - later, MOST);
      rows.push([scheme, ...[first, later, first - later].map((figure) => figure.toFixed(1)), aim]);
    }
    return rows;
  },
};
