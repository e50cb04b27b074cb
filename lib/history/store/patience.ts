/** Pushes that come second before a run gives up. */
export const RACES = 10;
/** Longest wait after a push that came second, in milliseconds. */
const LONGEST = 5_000;
/** Waits after each push that nobody answered, in milliseconds. */
const SILENCE = [500, 2_000, 4_000];

/** Milliseconds to wait after a push that came second, longer each time; `chance` from 0 to 1 keeps runs apart. */
export function waitAfterRace(attempt: number, chance: number): number {
  return Math.min(LONGEST, 100 * 2 ** attempt) * (0.2 + 0.8 * chance);
}

/**
 * Milliseconds to wait after the `count`-th push that nobody answered; `undefined` where it is time to
 * give up. `chance` is from 0 to 1.
 */
export function waitAfterSilence(count: number, chance: number): number | undefined {
  const wait = SILENCE[count - 1];
  return wait === undefined ? undefined : wait * (0.8 + 0.4 * chance);
}
