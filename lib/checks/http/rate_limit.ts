import type { Observation } from "../check.ts";

/** Longest that a site is left alone because it asks for it, in milliseconds. */
export const LONGEST_REST = 3_600_000;

/**
 * What an answer of 429 means: the site is there, and asks to be left alone for a while. `retryAfter` is
 * the header of that name, seconds or a date (RFC 9110, section 10.2.3).
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const now = Temporal.Instant.from("2026-11-21T10:05:00Z");
 * assertEquals(rateLimit("120", now), { remark: "rate limited", retryAfter: 120_000 });
 * assertEquals(rateLimit("Sat, 21 Nov 2026 10:06:00 GMT", now).retryAfter, 60_000);
 * assertEquals(rateLimit(undefined, now), { remark: "rate limited" });
 * ```
 */
export function rateLimit(
  retryAfter: string | undefined,
  now: Temporal.Instant,
): Pick<Observation, "remark" | "retryAfter"> {
  const remark = "rate limited";
  const text = retryAfter?.trim() ?? "";
  const wait = /^\d+$/.test(text) ? 1000 * Number(text) : Date.parse(text) - now.epochMilliseconds;
  return wait > 0 ? { remark, retryAfter: Math.min(wait, LONGEST_REST) } : { remark };
}
