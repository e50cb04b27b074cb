import type { Objective } from "./statistics.ts";

/** How a site keeps to an objective in percent, given seconds that count, and those of them it was down. */
export function objectiveOf(
  slo: number,
  { judged, down, uptime }: { judged: number; down: number; uptime?: number },
): Objective {
  // 99.9 / 100 is a little more than 0.999.
  const target = Number((slo / 100).toPrecision(12));
  const budget = (1 - target) * Math.max(0, judged);
  return {
    target,
    isMet: uptime === undefined ? undefined : uptime >= target,
    budget,
    left: budget - down,
  };
}
