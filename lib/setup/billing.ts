import { cadence } from "../config/schedule.ts";
import type { Config } from "../config/config.ts";
import { isHosted, SCHEDULED_KEYS, WORKFLOWS } from "../config/workflows.ts";

/** Cost of the scheduled jobs on GitHub's runners. */
export interface Billing {
  /** Each with its schedule and its runs in 30 days, of which each is billed as one minute unless it `isFree`. */
  workflows: { name: string; schedule: string; words: string; runs: number; isFree?: true }[];
  /** Minutes in 30 days that are billed in a private repository. */
  minutes: number;
  /** True if all jobs run on the user's own machines, so that nothing is billed. */
  selfHosted: boolean;
  /** The most frequent free schedule of Uptime CI; absent if the present one is free or none would be. */
  cheaper?: string;
}

/** Free minutes a month of a private repository. */
export const FREE_MINUTES = 2000;

/** Schedules that are proposed, the most frequent first. */
const PROPOSED = ["*/10 * * * *", "*/15 * * * *", "*/20 * * * *", "*/30 * * * *", "0 * * * *"];

export function computeBilling({ workflowSchedule, runner }: Config): Billing {
  const workflows = SCHEDULED_KEYS.map((key) => {
    const schedule = workflowSchedule[key];
    const { runs, words } = cadence(schedule);
    const isFree = !isHosted(runner[key]);
    return { name: WORKFLOWS[key].name, schedule, words, runs, ...isFree ? { isFree } : {} };
  });
  const billed = workflows.filter(({ isFree }) => !isFree);
  const minutes = billed.reduce((sum, { runs }) => sum + runs, 0);
  const [uptime] = workflows;
  const others = minutes - uptime!.runs;
  const cheaper = minutes > FREE_MINUTES && !uptime!.isFree
    ? PROPOSED.find((schedule) => others + cadence(schedule).runs <= FREE_MINUTES)
    : undefined;
  return {
    ...{ workflows, minutes, selfHosted: billed.length === 0 },
    ...cheaper === undefined ? {} : { cheaper },
  };
}
