/** A program that watches at a leaping clock, and prints what its runs cost. Starts with `--expose-gc`. */
import process from "node:process";
import { run } from "../../main.ts";
import { LeapingClock } from "./leaping_clock.ts";
import { recordedIo } from "./program.ts";

/** What the program is told. */
export interface WatchRun {
  folder: string;
  runs: number;
  /** Number of measurements. */
  samples: number;
}

/** What the program needs after some of its runs, in MB and milliseconds. */
export interface WatchSample {
  runs: number;
  heap: number;
  rss: number;
  cpu: number;
}

const { folder, runs, samples }: WatchRun = JSON.parse(Deno.args[0]!);
const controller = new AbortController();
const every = Math.ceil(runs / samples);
const measured: WatchSample[] = [];
let done = 0;
const clock = new LeapingClock(controller.signal, () => {
  done++;
  if (done % every === 0) measured.push(measure());
  if (done >= runs) controller.abort();
});

function measure(): WatchSample {
  for (let round = 0; round < 3; round++) (globalThis as unknown as { gc(): void }).gc();
  const { heapUsed, rss } = Deno.memoryUsage();
  const { user, system } = process.cpuUsage();
  return { runs: done, heap: heapUsed / 1e6, rss: rss / 1e6, cpu: (user + system) / 1000 };
}

const io = { ...recordedIo({ env: Deno.env.toObject() }), signal: controller.signal, clock };
const code = await run(["watch", `--root=${folder}`], io);
const end = { code, stdout: io.stdout.text, stderr: io.stderr.text, measured };
Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(end)));
Deno.exit();
