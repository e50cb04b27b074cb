import { findReachable, type Site } from "../config/config.ts";
import type { Clock } from "../io/clock.ts";

/** Milliseconds after which a changed configuration is noticed at the latest. */
const LONGEST_LOOK = 60_000;

/**
 * The first time after `now` at which something is due, given the intervals of everything: times are multiples of
 * an interval, so that delays never add up.
 */
function nextTime(intervals: readonly number[], now: number): number {
  return Math.min(...intervals.map((interval) => (Math.floor(now / interval) + 1) * interval));
}

/** The sites that are due at a time since the due time before it: with each those that it depends on. */
export function selectDue(
  sites: readonly Pick<Site, "slug" | "interval" | "dependsOn">[],
  { last, now }: { last: number; now: number },
): Set<string> {
  const due = sites.filter(({ interval }) =>
    Math.floor(now / interval) > Math.floor(last / interval)
  ).map(({ slug }) => slug);
  return findReachable(due, new Map(sites.map(({ slug, dependsOn }) => [slug, dependsOn])));
}

/** A time at which sites are due, in milliseconds since the start. */
export interface DueTime {
  at: number;
  /** The time before; negative before the first. */
  last: number;
}

/**
 * Yields the times at which something is due, the first at once, until the signal is aborted; those that pass while
 * the machine sleeps are left out. `intervals` is called before each wait, and at least once a minute meanwhile: the
 * caller may have others then.
 */
export async function* dueTimes(
  { clock, intervals, onWait, jitter, random, signal }: {
    clock: Clock;
    intervals(): Promise<readonly number[]>;
    /** Called with the milliseconds until the next time, before each wait. */
    onWait(milliseconds: number): void;
    /** Most milliseconds by which a time comes later, at random; at most half of the shortest interval. */
    jitter: number;
    random(): number;
    signal: AbortSignal;
  },
): AsyncGenerator<DueTime, void, void> {
  const start = clock.elapsed();
  const passed = () => clock.elapsed() - start;
  let last = -Infinity;
  let at = 0;
  while (!signal.aborted) {
    yield { at, last };
    last = at;
    // A timer may be a fraction of a millisecond early.
    const from = Math.max(at, passed());
    const share = random();
    let left = 0;
    do {
      const all = await intervals();
      at = nextTime(all, from);
      left = at + share * Math.min(jitter, Math.min(...all) / 2) - passed();
      onWait(left);
      if (left > 0) await clock.wait(Math.min(left, LONGEST_LOOK), signal);
    } while (left > LONGEST_LOOK && !signal.aborted);
  }
}
