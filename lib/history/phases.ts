import type { Phases } from "../checks/observation.ts";
import { firstAtOrAfter } from "./first_at_or_after.ts";
import type { Window } from "./windows.ts";

/** What a log tells of each of its phases, in its order. */
export const PHASE_NAMES = [
  "dns",
  "connect",
  "tls",
  "ttfb",
  "download",
] as const satisfies readonly (keyof Phases)[];

/** Successful checks of a site of which phases are known, each once, in any order. */
export interface PhasedChecks {
  /** Milliseconds since 1970. */
  readonly times: readonly number[];
  /** As many for each check as there are {@linkcode PHASE_NAMES}, in their order. */
  readonly milliseconds: readonly number[];
}

/** Means of the phases of checks, in milliseconds. */
export interface MeanPhases extends Phases {
  /** How many checks they are of. */
  checks: number;
}

/**
 * Means of the phases of a window, without checks in maintenance; `undefined` where none are known. Logs
 * tell phases of the first check of each hour, and of those that were slow or not as they should be.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const checks = { times: [10, 20, 30], milliseconds: [1, 2, 3, 4, 5, 3, 2, 1, 0, 9, 7, 7, 7, 7, 7] };
 * const means = { checks: 2, dns: 2, connect: 2, tls: 2, ttfb: 2, download: 7 };
 * assertEquals(meanPhases(checks, { from: 10, to: 30 }, []), means);
 * assertEquals(meanPhases(checks, { from: 10, to: 30 }, [{ from: 5, to: 25 }]), undefined);
 * ```
 */
export function meanPhases(
  { times, milliseconds }: PhasedChecks,
  { from, to }: Window,
  maintenance: readonly Window[],
): MeanPhases | undefined {
  const ends = Float64Array.from(maintenance, (window) => window.to);
  const means: MeanPhases = { checks: 0, dns: 0, connect: 0, tls: 0, ttfb: 0, download: 0 };
  times.forEach((time, index) => {
    if (time < from || time >= to) return;
    const window = maintenance[firstAtOrAfter(ends, time + 1)];
    if (window !== undefined && window.from <= time) return;
    means.checks++;
    PHASE_NAMES.forEach((name, phase) => {
      means[name] += milliseconds[PHASE_NAMES.length * index + phase]!;
    });
  });
  if (means.checks === 0) return undefined;
  for (const name of PHASE_NAMES) means[name] /= means.checks;
  return means;
}
