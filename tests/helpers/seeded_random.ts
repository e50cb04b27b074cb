/** Numbers from 0 to 1, the same ones for the same seed. */
export type Random = () => number;

/**
 * Numbers that look random (mulberry32).
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const [one, other] = [seededRandom(7), seededRandom(7)];
 * assertEquals([one(), one()], [other(), other()]);
 * ```
 */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = state + 0x6d2b79f5 >>> 0;
    let mixed = Math.imul(state ^ state >>> 15, state | 1);
    mixed ^= mixed + Math.imul(mixed ^ mixed >>> 7, mixed | 61);
    return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32;
  };
}

/** A number of the normal distribution. */
export function normal(random: Random, mean: number, deviation: number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random()));
  return mean + deviation * radius * Math.cos(2 * Math.PI * random());
}
