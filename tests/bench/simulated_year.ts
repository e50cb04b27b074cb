import { parseConfig } from "../../lib/config/parse.ts";
import { MemoryStore } from "../helpers/memory_store.ts";
import { recordResults } from "../helpers/runs.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { openCommitStream } from "./commit_stream.ts";
import { against } from "./figures.ts";
import { commitGraphs, drawnGraphs, recordDay } from "./simulated_day.ts";
import { type PackedSize, packedSize, treeSize } from "./packed_size.ts";
import type { BenchPart } from "./part.ts";
import { seededRandom } from "../helpers/seeded_random.ts";
import { simulatedChecks, YEAR_OF_RUNS } from "./simulated_checks.ts";

const START = Temporal.Instant.from("2026-01-01T00:00:00Z");
const DAYS = 365;
const QUICK_DAYS = 30;
const RUNS_A_DAY = YEAR_OF_RUNS / DAYS;

/** MB that a year may take, by the number of sites. */
const AIMS: Readonly<Record<number, number>> = { 10: 30, 50: 120 };
/** MB that the files of the branch may take after it. */
const TREE_AIMS: Readonly<Record<number, number>> = { 10: 10, 50: 40 };

/**
 * The growth of a repository in a year. The decisions come from the code of `update`; only commits of the
 * branch are written: those of the pending ref have no parent, so nothing keeps them, and the next repack
 * drops all but the newest.
 */
export const simulatedYear: BenchPart = {
  title: "A year of checks every five minutes, with statistics and graphs of every day",
  note: "objects after a full repack, in MB of 10^6 bytes; --quick simulates " +
    `${QUICK_DAYS} days and scales "a year" and "a site" up`,
  async measure({ quick, progress }) {
    const days = quick ? QUICK_DAYS : DAYS;
    const rows = [[
      "sites",
      "simulated",
      "deciding a run",
      "commits",
      "objects",
      "logs",
      "records",
      "summary",
      "api",
      "graphs",
      "rest",
      "a year",
      "aim",
      "a site",
      "tree",
      "aim",
    ]];
    for (const [sites, aim] of Object.entries(AIMS)) {
      const { size, tree, perRun, commits } = await simulate(Number(sites), days, progress);
      const year = (size.total - size.graphs) * DAYS / days + size.graphs;
      rows.push([
        sites,
        `${days} days`,
        `${perRun.toFixed(2)} ms`,
        String(commits),
        ...[size.total, size.logs, size.records, size.summary, size.api, size.graphs, size.rest]
          .map((part) => part.toFixed(2)),
        `${year.toFixed(1)} MB`,
        against(year, aim, " MB"),
        (year / Number(sites)).toFixed(2),
        `${tree.toFixed(1)} MB`,
        against(tree, TREE_AIMS[Number(sites)]!, " MB"),
      ]);
    }
    return rows;
  },
};

async function simulate(
  count: number,
  days: number,
  progress: (text: string) => void,
): Promise<{ size: PackedSize; tree: number; perRun: number; commits: number }> {
  await using scratch = await makeScratch("monitor-year-");
  const stream = await openCommitStream(scratch.path);
  let writing = 0;
  const store = new MemoryStore(async (change) => {
    const start = performance.now();
    await stream.write(change);
    writing += performance.now() - start;
  });
  const named = Array.from({ length: count }, (_, index) => ({
    name: `Site ${index + 1}`,
    url: `https://site-${index + 1}.example.com/health`,
  }));
  const { config } = await parseConfig(JSON.stringify({ sites: named }));
  const random = seededRandom(count);
  const check = simulatedChecks(config!.sites, random);
  let deciding = 0;
  for (let index = 0; index < days * RUNS_A_DAY; index++) {
    if (index % RUNS_A_DAY === 0) {
      progress(`the growth by ${count} sites, day ${index / RUNS_A_DAY + 1} of ${days}`);
    }
    // Runs start when GitHub comes round to it.
    const time = START.add({ minutes: 5 * index, milliseconds: Math.floor(60_000 * random()) });
    const id = Math.floor(2 ** 32 * random()).toString(16).padStart(8, "0");
    const results = check(time);
    const start = performance.now();
    await recordResults(store, { run: { id, time }, results });
    deciding += performance.now() - start;
    if (index % RUNS_A_DAY === 0) {
      const writtenBefore = writing;
      await recordDay(store, config!, time);
      writing = writtenBefore;
    }
  }
  await stream.end();
  progress(`graphs of ${count} sites`);
  await commitGraphs(
    scratch.path,
    await drawnGraphs(store, config!, START.add({ hours: 24 * days })),
  );
  progress(`the size of ${store.commits.length} commits of ${count} sites`);
  await git(scratch.path, "repack", "-adf", "-q");
  const size = await packedSize(scratch.path);
  const perRun = (deciding - writing) / (days * RUNS_A_DAY);
  return { size, tree: await treeSize(scratch.path), perRun, commits: store.commits.length };
}
