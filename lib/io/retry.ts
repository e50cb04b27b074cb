import type { Clock } from "./clock.ts";

/**
 * Repeats an action after each of the delays, as long as it fails with a transient error.
 *
 * @throws The last error.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const waits: number[] = [];
 * const clock = { wait: (delay: number) => Promise.resolve(void waits.push(delay)) };
 * const action = (attempt: number) => attempt < 3 ? Promise.reject(new Error("busy")) : Promise.resolve(attempt);
 * assertEquals(await retry(action, { delays: [100, 200], clock }), 3);
 * assertEquals(waits, [100, 200]);
 * ```
 */
export async function retry<T>(
  action: (attempt: number) => Promise<T>,
  { delays, clock, delayAfter = (_, delay) => delay }: {
    /** Milliseconds before the second attempt, the third, and so on. */
    delays: readonly number[];
    clock: Pick<Clock, "wait">;
    /** Milliseconds to wait after an error, given the usual delay; `undefined` if it is not transient. */
    delayAfter?(error: unknown, delay: number): number | undefined;
  },
): Promise<T> {
  for (let attempt = 1;; attempt++) {
    try {
      return await action(attempt);
    } catch (error) {
      const usual = delays[attempt - 1];
      const delay = usual === undefined ? undefined : delayAfter(error, usual);
      if (delay === undefined) throw error;
      await clock.wait(delay);
    }
  }
}
