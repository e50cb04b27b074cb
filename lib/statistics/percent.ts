/**
 * A share from 0 to 1 with some decimals: neither all nor nothing where it is less or more than that.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([roundShare(0.99998, 2), roundShare(1, 2), roundShare(1e-9, 2)], [0.99, 1, 0.01]);
 * ```
 */
export function roundShare(share: number, decimals: number): number {
  const whole = 10 ** decimals;
  const parts = Math.round(share * whole);
  if (parts >= whole && share < 1) return (whole - 1) / whole;
  return (parts <= 0 && share > 0 ? 1 : parts) / whole;
}

/** A share from 0 to 1 in percent with some decimals at most: `99.98`. Only the whole is 100, only nothing 0. */
export function percentOf(share: number, decimals = 2): number {
  const parts = 10 ** (decimals + 2);
  return Math.round(roundShare(share, decimals + 2) * parts) / 10 ** decimals;
}

/**
 * A share from 0 to 1 as people read it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([1, 0.999, 0.9998, 0].map(formatPercent), ["100%", "99.9%", "99.98%", "0%"]);
 * assertEquals([0.99996, 0.000001].map(formatPercent), ["99.99%", "0.01%"]);
 * ```
 */
export function formatPercent(share: number): string {
  return `${percentOf(share)}%`;
}
