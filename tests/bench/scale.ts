import { parseConfig } from "../../lib/config/parse.ts";
import { MemoryStore } from "../helpers/memory_store.ts";
import { recordResults } from "../helpers/runs.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { seededRandom } from "../helpers/seeded_random.ts";
import { makeBigHistory } from "./big_history.ts";
import { openCommitStream } from "./commit_stream.ts";
import { median } from "./figures.ts";
import { measureTask } from "./measure_task.ts";
import { packedSize } from "./packed_size.ts";
import type { BenchPart } from "./part.ts";
import { simulatedChecks } from "./simulated_checks.ts";

/** Numbers of sites, and hours that are simulated for their growth. */
const CASES = [[10, 240], [100, 120], [1000, 24], [5000, 6]] as const;
const TASKS = ["update", "response-time", "status", "readme --add-markers", "site"];
const DELAY = 20;
const RUNS_AN_HOUR = 12;
const HOURS_A_MONTH = 730;

/** Processor time and memory of the tasks of a repository. */
export const scale: BenchPart = {
  title: "What a number of sites costs",
  note:
    `sites that answer in ${DELAY} ms, with ten days of checks every five minutes; seconds of a processor` +
    " and MB of memory of each task, later runs by their median",
  async measure({ servers, runs, quick, progress }) {
    const rows = [["sites", "task", "first run", "later", "processor", "memory"]];
    for (const [sites] of quick ? CASES.slice(0, 2) : CASES) {
      progress(`the history of ${sites} sites`);
      await using scratch = await makeScratch("monitor-scale-");
      const folder = await makeBigHistory(`${scratch.path}/status`, {
        ...{ sites, years: 0, incidents: 12, keptDays: 10 },
        url: servers.url("http", DELAY),
      });
      for (const task of TASKS) {
        progress(`${task} of ${sites} sites`);
        const [name, ...args] = task.split(" ");
        const first = await measureTask(name!, folder, args);
        const later = [];
        for (let run = 1; run <= runs; run++) later.push(await measureTask(name!, folder, args));
        const memory = Math.max(...[first, ...later].map(({ memory }) => memory ?? NaN));
        rows.push([
          String(sites),
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

/** Growth of a repository by what runs commit, without statistics and graphs. */
export const growth: BenchPart = {
  title: "Growth by a number of sites, checked every five minutes",
  note:
    "hours are simulated and scaled to a month; objects after a full repack, in MB of 10^6 bytes",
  async measure({ quick, progress }) {
    const rows = [[
      "sites",
      "hours",
      "commits",
      "objects",
      "logs",
      "records",
      "summary",
      "a month",
    ]];
    for (const [sites, hours] of quick ? CASES.slice(0, 2) : CASES) {
      progress(`the growth by ${sites} sites`);
      const { size, commits } = await simulateHours(sites, hours);
      const { total, logs, records, summary } = size;
      rows.push([
        String(sites),
        String(hours),
        String(commits),
        ...[total, logs, records, summary].map((one) => one.toFixed(1)),
        `${(total * HOURS_A_MONTH / hours).toFixed(0)} MB`,
      ]);
    }
    return rows;
  },
};

async function simulateHours(count: number, hours: number) {
  await using scratch = await makeScratch("monitor-growth-");
  const stream = await openCommitStream(scratch.path);
  const store = new MemoryStore((change) => stream.write(change));
  const sites = Array.from({ length: count }, (_, index) => ({
    name: `Service number ${index + 1}`,
    url: `https://site-${index + 1}.example.com/health`,
  }));
  const { config } = await parseConfig(JSON.stringify({ sites }));
  const random = seededRandom(count);
  const check = simulatedChecks(config!.sites, random);
  const start = Temporal.Instant.from("2026-01-01T00:00:00Z");
  for (let index = 0; index <= hours * RUNS_AN_HOUR; index++) {
    const time = start.add({ minutes: 5 * index, milliseconds: Math.floor(60_000 * random()) });
    const id = Math.floor(2 ** 32 * random()).toString(16).padStart(8, "0");
    await recordResults(store, { run: { id, time }, results: check(time) });
  }
  await stream.end();
  await git(scratch.path, "repack", "-adf", "-q");
  return { size: await packedSize(scratch.path), commits: store.commits.length };
}
