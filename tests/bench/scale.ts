import { makeScratch } from "../helpers/scratch.ts";
import { type HistorySize, makeBigHistory } from "./big_history.ts";
import { median } from "./figures.ts";
import { measureTask } from "./measure_task.ts";
import type { BenchPart } from "./part.ts";

interface Case {
  size: HistorySize;
  tasks: readonly string[];
}

const DELAY = 20;
const TEN_DAYS = { years: 0, incidents: 12, keptDays: 10 };
const TASKS = ["update", "response-time", "status", "readme --add-markers", "site"];
const SLOW_TASKS = ["response-time", "graphs", "site"];

const CASES: readonly Case[] = [
  ...[10, 100, 200, 1000, 5000].map((sites) => ({ size: { sites, ...TEN_DAYS }, tasks: TASKS })),
  { size: { sites: 50, years: 5, incidents: 12 }, tasks: SLOW_TASKS },
  { size: { sites: 200, years: 5, incidents: 1 }, tasks: SLOW_TASKS },
];

/** Time and memory of the tasks of a repository, by its sites and years. */
export const scale: BenchPart = {
  title: "What sites and years cost",
  note:
    `sites that answer in ${DELAY} ms, checked every five minutes: ten days of checks, or 35 and` +
    " years of rolled-up days; start to end of each process, later runs by their median",
  async measure({ servers, runs, quick, progress }) {
    const rows = [["sites", "years", "task", "first run", "later", "processor", "memory"]];
    for (const { size, tasks } of quick ? CASES.slice(0, 2) : CASES) {
      const { sites, years } = size;
      const what = `${sites} sites over ${years} years`;
      progress(`the history of ${what}`);
      await using scratch = await makeScratch("monitor-scale-");
      const url = servers.url("http", DELAY);
      const folder = await makeBigHistory(`${scratch.path}/status`, { ...size, url });
      for (const task of tasks) {
        progress(`${task} of ${what}`);
        const [name, ...args] = task.split(" ");
        const first = await measureTask(name!, folder, args);
        const later = [];
        for (let run = 1; run <= runs; run++) later.push(await measureTask(name!, folder, args));
        const memory = Math.max(...[first, ...later].map(({ memory }) => memory ?? NaN));
        rows.push([
          String(sites),
          String(years),
          name!,
          inSeconds(first.wall),
          inSeconds(median(later.map(({ wall }) => wall))),
          inSeconds(median(later.map(({ processor }) => processor ?? NaN))),
          `${memory.toFixed(0)} MB`,
        ]);
      }
    }
    return rows;
  },
};

function inSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}
