import { makeScratch } from "../helpers/scratch.ts";
import { type HistorySize, makeBigHistory } from "./big_history.ts";
import { against, median } from "./figures.ts";
import { measureTask } from "./measure_task.ts";
import type { BenchPart } from "./part.ts";

const SIZES = ([[10, 1], [10, 5], [25, 1], [25, 5], [50, 1], [50, 3], [50, 5]] as const)
  .map(([sites, years]): HistorySize => ({ sites, years, incidents: 12 }));

/** Seconds that tasks may take with the most history, and MB that they may hold. */
const AIMS = { "response-time": 2, graphs: 6 };
const MEMORY = 300;

/** The history of which pages are built, and seconds that it may take; each incident has a page. */
const PAGES: HistorySize = { sites: 200, years: 5, incidents: 1 };
const PAGES_AIMS = { site: 3 };
const MANY_INCIDENTS: HistorySize = { ...PAGES, incidents: 12 };

/** The size of a history. */
interface Sample {
  size: HistorySize;
  /** Limit in seconds for each task; absent for small histories. */
  tasks: Readonly<Record<string, number | undefined>>;
  /** MB that each may hold. */
  memory?: number;
}

const WITHOUT_AIMS = Object.fromEntries(Object.keys(AIMS).map((task) => [task, undefined]));

const SAMPLES: readonly Sample[] = [
  ...SIZES.slice(0, -1).map((size) => ({ size, tasks: WITHOUT_AIMS })),
  { size: SIZES.at(-1)!, tasks: AIMS, memory: MEMORY },
  { size: PAGES, tasks: PAGES_AIMS },
  { size: MANY_INCIDENTS, tasks: { site: undefined } },
];

/** Time and memory for the statistics, graphs and pages of years. */
export const statistics: BenchPart = {
  title: "Statistics, graphs and pages of years",
  note: "start to end of the process; 35 days of single checks every five minutes, and the years " +
    "of rolled-up days that include them; incidents of each site; five pictures of a site; later runs by their median, memory by its most",
  async measure({ runs, quick, progress }) {
    const rows = [[
      "sites",
      "years",
      "incidents",
      "task",
      "first run",
      "later",
      "aim",
      "memory",
      "aim",
    ]];
    for (const { size, tasks, memory: most } of quick ? SAMPLES.slice(-3) : SAMPLES) {
      const { sites, years, incidents } = size;
      progress(`the history of ${sites} sites over ${years} years`);
      await using scratch = await makeScratch("monitor-statistics-");
      const folder = await makeBigHistory(`${scratch.path}/status`, size);
      for (const [task, aim] of Object.entries(tasks)) {
        progress(`${task} of ${sites} sites over ${years} years`);
        const first = await measureTask(task, folder);
        const later = [];
        for (let run = 1; run <= runs; run++) later.push(await measureTask(task, folder));
        const wall = median(later.map(({ wall }) => wall / 1000));
        const memory = Math.max(...[first, ...later].map(({ memory }) => memory ?? NaN));
        rows.push([
          String(sites),
          String(years),
          `${incidents} a year`,
          task,
          `${(first.wall / 1000).toFixed(2)} s`,
          `${wall.toFixed(2)} s`,
          aim === undefined ? "" : against(wall, aim, " s"),
          Number.isNaN(memory) ? "unknown" : `${memory.toFixed(0)} MB`,
          most === undefined ? "" : against(memory, most, " MB"),
        ]);
      }
    }
    return rows;
  },
};
