import type { Phases } from "../checks/observation.ts";
import type { SiteState } from "../evaluation/results.ts";
import type { CheckRow } from "../history/checks_log.ts";

/**
 * What the log keeps of a result. `told` are the sites of which it has phases of this hour: of these it gets
 * only those of what is not as it should be.
 */
export function rowOf(
  result: SiteState,
  { id, time }: { id: string; time: Temporal.Instant },
  told: ReadonlySet<string>,
): CheckRow {
  const { site: { slug }, state, code, responseTime, attempts, phases, error } = result;
  const needed = state !== "up" || error !== undefined || !told.has(slug);
  return {
    time,
    run: id,
    slug,
    state,
    code,
    ms: responseTime,
    attempts,
    phases: needed && phases !== undefined ? formatPhases(phases) : undefined,
    error,
  };
}

/**
 * Phases as the log writes them, whole milliseconds.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(formatPhases({ dns: 4.2, connect: 18, tls: 35, ttfb: 60.4, download: 6 }), "4/18/35/60/6");
 * ```
 */
export function formatPhases({ dns, connect, tls, ttfb, download }: Phases): string | undefined {
  const parts = [dns, connect, tls, ttfb, download].map(Math.round);
  return parts.some((part) => part > 0) ? parts.join("/") : undefined;
}
