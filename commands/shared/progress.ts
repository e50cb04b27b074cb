import type { Context } from "./context.ts";
import { describeDuration } from "../../lib/time.ts";

/** Milliseconds before which nothing is said of the time that remains: it would be a guess. */
const TOO_EARLY = 500;

/** A line of progress with the estimated remaining time. */
export function progressLine(what: string, done: number, total: number, elapsed: number): string {
  const line = `${what}: ${done} of ${total}`;
  if (done <= 0 || done >= total || elapsed < TOO_EARLY) return line;
  const left = Math.max(1, Math.round(elapsed / done * (total - done) / 1000));
  return `${line}, about ${describeDuration(left * 1000)} left`;
}

/** Makes a function that shows progress on a terminal. */
export function createProgress(
  what: string,
  { clock, log }: Pick<Context, "clock" | "log">,
): (done: number, total: number) => void {
  const began = clock.now();
  return (done, total) => {
    const elapsed = clock.now().since(began).total("milliseconds");
    log.progress(progressLine(what, done, total, elapsed));
  };
}
