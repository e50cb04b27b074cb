import { cadence } from "../billing/cadence.ts";
import type { Config } from "../config/config.ts";

/** Half an hour, in milliseconds. */
const HALF_HOUR = 30 * 60_000;

/** Milliseconds that a check speaks for at most: what the configuration says, else three times the interval of the checks. */
export function maxGapOf(
  { history, workflowSchedule }: Pick<Config, "history" | "workflowSchedule">,
): number {
  const interval = cadence(workflowSchedule.uptime).shortest * 60_000;
  return history.maxGap ?? Math.max(3 * interval, HALF_HOUR);
}
