import { makeScratch } from "../helpers/scratch.ts";
import { type HistorySize, makeBigHistory } from "./big_history.ts";
import { against, median } from "./figures.ts";
import { measureTask } from "./measure_task.ts";
import type { BenchPart } from "./part.ts";

const SIZES: readonly HistorySize[] = [
  { sites: 10, years: 1 },
  { sites: 10, years: 5 },
  { sites: 25, years: 1 },
  { sites: 25, years: 5 },
  { sites: 50, years: 1 },
  { sites: 50, years: 3 },
  { sites: 50, years: 5 },
];

/** Seconds that a task may take with the most history, and MB that it may hold. */
const AIMS: Readonly<Record<string, number>> = { "response-time": 2, graphs: 6 };
const MEMORY = 300;

/** How long statistics and graphs of years take, and how much memory they need. */
export const statistics: BenchPart = {
  title: "Statistics and graphs of years",
  note:
    "start to end of the process; 35 days of single checks every five minutes behind the years " +
    "of rolled-up days; five pictures of a site; later runs by their median, memory by its most",
  async measure({ runs, quick, progress }) {
    const rows = [["sites", "years", "task", "first run", "later", "aim", "memory", "aim"]];
    for (const size of quick ? SIZES.slice(-1) : SIZES) {
      const { sites, years } = size;
      progress(`the history of ${sites} sites over ${years} years`);
      await using scratch = await makeScratch("monitor-statistics-");
      const folder = await makeBigHistory(`${scratch.path}/status`, size);
      for (const [task, aim] of Object.entries(AIMS)) {
        progress(`${task} of ${sites} sites over ${years} years`);
        const first = await measureTask(task, folder);
        const later = [];
        for (let run = 1; run <= runs; run++) later.push(await measureTask(task, folder));
        const isMost = size === SIZES.at(-1);
        const wall = median(later.map(({ wall }) => wall / 1000));
        const memory = Math.max(...[first, ...later].map(({ memory }) => memory ?? NaN));
        rows.push([
          String(sites),
          String(years),
          task,
          `${(first.wall / 1000).toFixed(2)} s`,
          `${wall.toFixed(2)} s`,
          isMost ? against(wall, aim, " s") : "",
          Number.isNaN(memory) ? "not told" : `${memory.toFixed(0)} MB`,
          isMost ? against(memory, MEMORY, " MB") : "",
        ]);
      }
    }
    return rows;
  },
};
