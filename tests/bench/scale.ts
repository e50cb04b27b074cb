import { join } from "node:path";
import { chooseLayout } from "../../lib/config/layout.ts";
import { parseConfig } from "../../lib/config/parse.ts";
import { MemoryStore } from "../helpers/memory_store.ts";
import { makeRepository } from "../helpers/repositories.ts";
import { recordResults } from "../helpers/runs.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { seededRandom } from "../helpers/seeded_random.ts";
import { openCommitStream } from "./commit_stream.ts";
import { measureTask, type TaskMeasure } from "./measure_task.ts";
import { countEntries, packedSize, sizeOf } from "./packed_size.ts";
import type { BenchPart } from "./part.ts";
import type { Servers } from "./servers.ts";
import { simulatedChecks } from "./simulated_checks.ts";

const SITES = 10_000;
const SHARDS = 10;
const DELAY = 20;
const MB = 1_000_000;
const RUNS_AN_HOUR = 12;
const HOURS_A_MONTH = 730;

/** Runs of 10,000 sites by the real program, whose remote counts what is pushed. */
export const scale: BenchPart = {
  title: `${SITES} sites that answer in ${DELAY} ms`,
  note:
    `a run of one process, and ${SHARDS} shards one after the other with the run that decides;` +
    " seconds and MB of memory of the processes, MB that are pushed",
  async measure({ servers, progress }) {
    const rows = [["run", "in all", "checking", "deciding", "memory", "pushed"]];
    for (const shards of [1, SHARDS]) {
      await using rig = await openRig(servers, shards);
      for (const name of ["first", "second", "third"]) {
        progress(`the ${name} run of ${SITES} sites in ${shards} shards`);
        const probes: TaskMeasure[] = [];
        for (let shard = 1; shards > 1 && shard <= shards; shard++) {
          probes.push(await rig.probe(shard));
        }
        const update = await rig.update();
        const seconds = (all: readonly TaskMeasure[]) =>
          (all.reduce((sum, { wall }) => sum + wall, 0) / 1000).toFixed(1);
        const memory = Math.max(...[...probes, update].map(({ memory }) => memory ?? NaN));
        rows.push([
          `${name}, ${shards === 1 ? "one process" : `${shards} shards`}`,
          `${seconds([...probes, update])} s`,
          probes.length === 0 ? "" : `${seconds(probes)} s`,
          probes.length === 0 ? "" : `${seconds([update])} s`,
          `${memory.toFixed(0)} MB`,
          `${(await rig.countPushed() / MB).toFixed(2)} MB`,
        ]);
      }
    }
    return rows;
  },
};

async function openRig(servers: Servers, shards: number) {
  const scratch = await makeScratch("monitor-scale-");
  const sites = Array.from({ length: SITES }, (_, index) => ({
    name: `Service number ${index + 1}`,
    url: servers.url("http", DELAY),
    group: `Group ${index % 40}`,
  }));
  const config = { shards, concurrency: 64, retry: { delays: [] }, canaries: [], sites };
  const folder = await makeRepository(join(scratch.path, "status"), {
    ".monitorrc.yml": JSON.stringify(config),
    ".gitignore": "results/\n",
  });
  const remote = join(scratch.path, "remote.git");
  await git(scratch.path, "init", "--quiet", "--bare", "--initial-branch=main", remote);
  // Each push leaves a pack, as it was sent.
  await git(remote, "config", "receive.unpackLimit", "1");
  await git(folder, "remote", "add", "origin", `file://${remote}`);
  await git(folder, "push", "--quiet", "--set-upstream", "origin", "HEAD:main");
  const objects = join(remote, "objects");
  let pushed = await sizeOf(objects);
  return {
    probe: (shard: number) =>
      measureTask("probe", folder, [
        `--shard=${shard}/${shards}`,
        `--results=results/results-all-${shard}-of-${shards}.json`,
      ]),
    update: () =>
      measureTask("update", folder, ["--json", ...shards === 1 ? [] : ["--results=results"]]),
    async countPushed() {
      const before = pushed;
      pushed = await sizeOf(objects);
      return pushed - before;
    },
    [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose](),
  };
}

/** Growth of a repository by what runs of many sites commit, without checks. */
export const growth: BenchPart = {
  title: "Growth by many sites, checked every five minutes",
  note:
    "hours are simulated and scaled to a month; objects after a full repack, in MB of 10^6 bytes;" +
    " deciding includes loading what waits",
  async measure({ quick, progress }) {
    const rows = [[
      "sites",
      "hours",
      "deciding a run",
      "commits",
      "objects",
      "logs",
      "records",
      "summary",
      "a month",
      "largest object",
      "largest folder",
    ]];
    const cases = quick ? [[SITES, 2]] : [[1000, 24], [SITES, 6], [100_000, 1]];
    for (const [sites, hours] of cases as [number, number][]) {
      progress(`the growth by ${sites} sites`);
      const { size, deciding, commits, largest, entries } = await simulateHours(sites, hours);
      rows.push([
        String(sites),
        String(hours),
        `${(deciding / 1000).toFixed(2)} s`,
        String(commits),
        size.total.toFixed(1),
        size.logs.toFixed(1),
        size.records.toFixed(1),
        size.summary.toFixed(1),
        `${(size.total * HOURS_A_MONTH / hours).toFixed(0)} MB`,
        `${(largest / 1000).toFixed(0)} kB`,
        String(entries),
      ]);
    }
    return rows;
  },
};

async function simulateHours(count: number, hours: number) {
  await using scratch = await makeScratch("monitor-growth-");
  const stream = await openCommitStream(scratch.path);
  let largest = 0;
  const measure = (text: string) =>
    largest = Math.max(largest, new TextEncoder().encode(text).length);
  let writing = 0;
  const store = new MemoryStore(async (change) => {
    const start = performance.now();
    await stream.write(change);
    for (const content of change.files.values()) if (typeof content === "string") measure(content);
    writing += performance.now() - start;
  });
  const sites = Array.from({ length: count }, (_, index) => ({
    name: `Service number ${index + 1}`,
    url: `https://site-${index + 1}.example.com/health`,
  }));
  const { config } = await parseConfig(JSON.stringify({ sites }));
  const random = seededRandom(count);
  const check = simulatedChecks(config!.sites, random);
  const start = Temporal.Instant.from("2026-01-01T00:00:00Z");
  const runs = hours * RUNS_AN_HOUR;
  let deciding = 0;
  for (let index = 0; index <= runs; index++) {
    const time = start.add({ minutes: 5 * index, milliseconds: Math.floor(60_000 * random()) });
    const id = Math.floor(2 ** 32 * random()).toString(16).padStart(8, "0");
    const results = check(time);
    const before = performance.now();
    await recordResults(store, { run: { id, time }, results });
    deciding += performance.now() - before;
    if (chooseLayout(count) === "nested") {
      for (const text of store.pending.values()) measure(text);
    }
  }
  await stream.end();
  await git(scratch.path, "repack", "-adf", "-q");
  return {
    size: await packedSize(scratch.path),
    deciding: (deciding - writing) / (runs + 1),
    commits: store.commits.length,
    largest,
    entries: await countEntries(scratch.path, "history/"),
  };
}
