import { cadence } from "./schedule.ts";
import type { Config } from "./config.ts";
import { MINUTE } from "../time.ts";

/** Milliseconds that a check speaks for at most: what the configuration says, else three times the interval of the checks, and half an hour at least. */
export function maxGapOf(
  { history, workflowSchedule }: Pick<Config, "history" | "workflowSchedule">,
): number {
  const interval = cadence(workflowSchedule.uptime).shortest * MINUTE;
  return history.maxGap ?? Math.max(3 * interval, 30 * MINUTE);
}
