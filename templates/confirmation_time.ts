import type { Incident } from "../lib/history/incident.ts";
import { describeDuration } from "../lib/time.ts";

/**
 * How long it took to be sure of a condition that began at `since`; `undefined` where one attempt was
 * enough, or where the condition began only after what made the incident sure.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const since = Temporal.Instant.from("2026-11-21T10:05:00Z");
 * assertEquals(confirmationTime({ attempts: 3, confirmed: since.add({ seconds: 31 }) }, since), "31 s");
 * assertEquals(confirmationTime({ attempts: 1, confirmed: since }, since), undefined);
 * ```
 */
export function confirmationTime(
  { attempts, confirmed }: Pick<Incident, "attempts" | "confirmed">,
  since: Temporal.Instant,
): string | undefined {
  const length = confirmed.since(since).total("milliseconds");
  if (attempts < 2 || length < 0) return undefined;
  return length < 120_000 ? `${Math.round(length / 1000)} s` : describeDuration(length);
}
