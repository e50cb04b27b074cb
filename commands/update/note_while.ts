import type { Clock } from "../../lib/doors/clock.ts";

/** Milliseconds between two notes. */
const INTERVAL = 10_000;

/**
 * Calls `note` every ten seconds until some work ends, never twice at once. A later run repeats whatever a killed
 * run has sent since its last note.
 */
export async function noteWhile<T>(
  work: Promise<T>,
  { clock, note }: { clock: Clock; note(): Promise<void> },
): Promise<T> {
  const over = new AbortController();
  work.catch(() => {}).finally(() => over.abort());
  while (!over.signal.aborted) {
    await clock.wait(INTERVAL, over.signal);
    if (!over.signal.aborted) await note();
  }
  return await work;
}
