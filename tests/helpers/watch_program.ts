/** A program that watches with a leaping clock, and prints the cost of its runs; it needs `--expose-gc`. */
import process from "node:process";
import { watching } from "./watching.ts";

/** The input of the program. */
export interface WatchRun {
  folder: string;
  runs: number;
  /** Number of measurements. */
  samples: number;
  /** Milliseconds from one round to the next, if they overlap. */
  pace?: number;
}

/** The cost of the program after some of its runs, in MB and milliseconds of CPU time. */
export interface WatchSample {
  runs: number;
  heap: number;
  rss: number;
  cpu: number;
}

const { folder, runs: most, samples, pace }: WatchRun = JSON.parse(Deno.args[0]!);
const every = Math.ceil(most / samples);
const measured: WatchSample[] = [];

function measure(runs: number): WatchSample {
  const { gc } = globalThis as { gc?(): void };
  for (let round = 0; round < 3; round++) gc?.();
  const { heapUsed, rss } = Deno.memoryUsage();
  const { user, system } = process.cpuUsage();
  return { runs, heap: heapUsed / 1e6, rss: rss / 1e6, cpu: (user + system) / 1000 };
}

const result = await watching(folder, ({ runs, stop }) => {
  if (runs % every === 0) measured.push(measure(runs));
  if (runs >= most) stop();
}, { pace, env: Deno.env.toObject() });
Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify({ ...result, measured })));
Deno.exit();
