import type { Site } from "../../lib/config/config.ts";
import type { Retry } from "../../lib/evaluation/evaluate_site.ts";
import {
  describeWaiting,
  retryText,
  type RunProgress,
  stoppedNote,
} from "../../templates/terminal/progress.ts";
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

/** Shortest pause before a retry that has a line of its own, in milliseconds. */
const SHORTEST_PAUSE = 1_000;

/** Shows the sites that a run still waits for. */
export class WaitingLine {
  readonly #sites: Map<string, string>;
  /** Retries by slug, and the ends of the pauses before them, in milliseconds of `clock.elapsed()`. */
  readonly #retries = new Map<string, { name: string; retry: Retry; end: number }>();

  constructor(sites: readonly Site[], readonly context: Pick<Context, "clock" | "log">) {
    this.#sites = new Map(sites.map(({ slug, name }) => [slug, name]));
    this.#show();
  }

  retry({ slug, name }: Site, retry: Retry): void {
    const { clock, log } = this.context;
    this.#retries.set(slug, { name, retry, end: clock.elapsed() + retry.pause });
    if (retry.pause >= SHORTEST_PAUSE) log.step(`  … ${retryText(name, retry, retry.pause)}`);
  }

  attempted({ slug }: Site): void {
    this.#retries.delete(slug);
  }

  end({ slug }: Site): void {
    this.#sites.delete(slug);
    this.#show();
  }

  #show(): void {
    const { clock, log } = this.context;
    log.progress(() => {
      const retries = [...this.#retries.values()]
        .map(({ name, retry, end }) => retryText(name, retry, end - clock.elapsed()));
      return describeWaiting([...this.#sites.values()], retries);
    });
  }
}

/** Exit code of a program that was stopped from the keyboard. */
export const STOPPED = 130;

/** Runs work that checks sites; if it is stopped from the keyboard, logs what it has done and returns 130. */
export async function runStoppably(
  work: (progress: RunProgress) => Promise<number>,
  { log, signal, watching }: Pick<Context, "log" | "signal" | "watching">,
): Promise<number> {
  const progress: RunProgress = { stage: "checking", sites: [], checked: new Set() };
  // `watch` ends its rounds itself.
  if (watching !== undefined) return await work(progress);
  using stop = interruption(signal);
  const stopped = Promise.withResolvers<number>();
  stop.signal.addEventListener("abort", () => {
    log.endProgress();
    log.warn(stoppedNote(progress));
    stopped.resolve(STOPPED);
  }, { once: true });
  return await Promise.race([work(progress), stopped.promise]);
}
