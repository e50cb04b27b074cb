import { join } from "node:path";
import type { WatchRun, WatchSample } from "../helpers/watch_program.ts";
import { output, spawnModule } from "../helpers/program.ts";
import { remoteAndClone } from "../helpers/repositories.ts";
import { makeScratch } from "../helpers/scratch.ts";
import type { BenchPart } from "./part.ts";
import type { Scheme } from "./servers.ts";

const PROGRAM = join(import.meta.dirname!, "..", "helpers", "watch_program.ts");

/** The cost of each check by `watch`, and the memory of its process. */
export const watch: BenchPart = {
  title: "Watch",
  note:
    "CPU time of the process for each check, pushes and commits included, and its memory; sites answer at once, each run 10 s after the last on a leaping clock",
  async measure({ servers, quick, progress }) {
    const rows = [["sites", "over", "runs", "ms/check", "CPU at 10 s", "heap MB", "RSS MB"]];
    for (
      const [scheme, sites, runs] of [["http", 50, 720], ["https", 50, 720], [
        "http",
        1,
        4_000,
      ]] as [Scheme, number, number][]
    ) {
      progress(`${sites} sites over ${scheme}`);
      await using scratch = await makeScratch("monitor-bench-");
      const url = servers.url(scheme, 0);
      const ca = scheme === "https" ? { ca: servers.authority } : {};
      const { folder } = await remoteAndClone(
        scratch,
        JSON.stringify({
          interval: 10,
          canaries: [],
          sites: Array.from({ length: sites }, (_, index) => ({ name: `S${index}`, url, ...ca })),
        }),
      );
      const argument: WatchRun = { folder, runs: quick ? runs / 4 : runs, samples: 4 };
      const flags = ["--v8-flags=--expose-gc"];
      const { code, stdout, stderr } = await output(spawnModule(PROGRAM, argument, {}, flags));
      if (code !== 0) throw new Error(`Cannot measure: watch ended with ${code}\n${stderr}`);
      const { measured }: { measured: WatchSample[] } = JSON.parse(stdout);
      const [first, last] = [measured[0]!, measured.at(-1)!];
      const cost = (last.cpu - first.cpu) / (last.runs - first.runs);
      rows.push([
        String(sites),
        scheme,
        String(last.runs),
        (cost / sites).toFixed(2),
        `${(cost / 100).toFixed(2)} %`,
        last.heap.toFixed(0),
        last.rss.toFixed(0),
      ]);
    }
    return rows;
  },
};
