import { type Clock, systemClock } from "../../lib/io/clock.ts";

/** Longest wait between two attempts, in milliseconds; longer ones are time limits. */
const LONGEST_PAUSE = 5_000;

/** A day whose time moves from run to run, also for the emulated GitHub. */
export class DayClock implements Clock, Disposable {
  readonly #Date = globalThis.Date;
  readonly #instant = Temporal.Now.instant;

  /** `time` is in milliseconds since 1970. */
  constructor(public time: number) {
    const now = () => this.time;
    globalThis.Date = class extends this.#Date {
      constructor(...given: unknown[]) {
        super(...(given.length === 0 ? [now()] : given) as [number]);
      }
      static override now = now;
    } as DateConstructor;
    Temporal.Now.instant = this.now;
  }

  now = () => Temporal.Instant.fromEpochMilliseconds(this.time);
  elapsed = () => systemClock.elapsed();
  /** Pauses between sendings end at once, and no load of the machine exceeds the time limits. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const isPause = signal === undefined && milliseconds <= LONGEST_PAUSE;
    const factor = isPause ? 0 : milliseconds < 1_000 ? 1 : 30;
    return systemClock.wait(factor * milliseconds, signal);
  }

  [Symbol.dispose](): void {
    Temporal.Now.instant = this.#instant;
    globalThis.Date = this.#Date;
  }
}
