import { COMMANDS } from "../../commands/mod.ts";
import { update } from "../../commands/update.ts";
import { watchWith } from "../../commands/watch.ts";
import { systemClock } from "../../lib/io/clock.ts";
import { run } from "../../main.ts";
import { LeapingClock } from "./leaping_clock.ts";
import { cleanEnvironment, type ProgramResult, recordedIo } from "./program.ts";

/** A moment between two rounds of `watch`. */
export interface Pause {
  /** Number of rounds so far. */
  runs: number;
  clock: LeapingClock;
  /** Has the program end as SIGTERM does. */
  stop(): void;
}

/** Runs `watch` in this process without waiting between its rounds; `between` is called after each and ends it. */
export async function watching(
  folder: string,
  between: (pause: Pause) => unknown,
  { args = [], env = {}, later = 0, pace }: {
    args?: readonly string[];
    env?: Record<string, string>;
    /** Milliseconds that it starts later than now. */
    later?: number;
    /** Milliseconds from one round to the next, which do not wait for each other then. */
    pace?: number;
  } = {},
): Promise<ProgramResult> {
  const controller = new AbortController();
  let runs = 0;
  let failure: unknown;
  const open = new Set<Promise<number>>();
  const entry = COMMANDS["watch"]!;
  const { load } = entry;
  entry.load = () =>
    Promise.resolve(watchWith((context) => {
      const round = update(context);
      open.add(round);
      return round;
    }));
  const clock = new LeapingClock(controller.signal, async (milliseconds) => {
    // A longer wait has such parts, after each of which the configuration is looked at; a changed one is looked
    // at twice.
    if (milliseconds === 60_000 || milliseconds === 500) return;
    try {
      await (pace === undefined ? Promise.allSettled(open) : systemClock.wait(pace));
      open.clear();
      await between({ runs: ++runs, clock, stop: () => controller.abort() });
    } catch (error) {
      failure = error;
      controller.abort();
    }
  });
  clock.pass(later);
  const io = {
    ...recordedIo({ env: { ...cleanEnvironment(), ...env } }),
    signal: controller.signal,
    clock,
  };
  const code = await run(["watch", `--root=${folder}`, ...args], io)
    .finally(() => entry.load = load);
  if (failure !== undefined) throw failure;
  return { code, stdout: io.stdout.text, stderr: io.stderr.text };
}
