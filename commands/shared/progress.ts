import type { Context } from "./context.ts";
import { interruption } from "../../lib/io/terminal.ts";
import { describeDuration } from "../../lib/time.ts";

/** Milliseconds before which nothing is said of the time that remains: it would be a guess. */
const TOO_EARLY = 500;

/** A line of progress with the estimated remaining time. */
function progressLine(what: string, done: number, total: number, elapsed: number): string {
  const line = `${what}: ${done} of ${total}`;
  if (done <= 0 || done >= total || elapsed < TOO_EARLY) return line;
  const left = Math.max(1, Math.round(elapsed / done * (total - done) / 1000));
  return `${line}, about ${describeDuration(left * 1000)} left`;
}

/** Milliseconds after which a step gets its own line if no progress is shown. */
const LONG_STEP = 1_000;

/** Makes a function that shows progress: on a terminal in a line that changes, else as one line of a long step. */
export function createProgress(
  what: string,
  { clock, log }: Pick<Context, "clock" | "log">,
): (done: number, total: number) => void {
  const began = clock.now();
  let isTold = false;
  return (done, total) => {
    const elapsed = clock.now().since(began).total("milliseconds");
    log.progress(progressLine(what, done, total, elapsed));
    if (isTold || elapsed < LONG_STEP) return;
    isTold = true;
    log.step(`${what} …`);
  };
}

/** Exit code of a program that was stopped from the keyboard. */
const STOPPED = 130;

/** Returns the exit code of the work, or logs a note and returns 130 if the program is stopped before. */
export async function unlessStopped(
  work: () => Promise<number>,
  note: () => string,
  { log, signal }: Pick<Context, "log" | "signal">,
): Promise<number> {
  using stop = interruption(signal);
  const stopped = Promise.withResolvers<number>();
  stop.signal.addEventListener("abort", () => {
    log.endProgress();
    log.warn(note());
    stopped.resolve(STOPPED);
  }, { once: true });
  return await Promise.race([work(), stopped.promise]);
}
