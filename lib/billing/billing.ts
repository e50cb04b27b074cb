import { cadence } from "./cadence.ts";
import type { Config } from "../config/config.ts";

/** What the scheduled jobs cost on the platform's own runners. */
export interface Billing {
  workflows: Workflow[];
  /** Minutes of 30 days that are billed where the repository is private. */
  minutes: number;
  /** Whether the jobs run on a machine of one's own, and nothing is billed. */
  selfHosted: boolean;
  /** A schedule of Uptime CI with which everything is free; absent where it is already. */
  cheaper?: string;
}

/** One workflow, when it runs and how often. */
export interface Workflow {
  name: string;
  schedule: string;
  words: string;
  /** Runs in 30 days; each is billed a minute at least, and ours take no longer. */
  runs: number;
}

/** Minutes a month that a private repository has for nothing. */
export const FREE_MINUTES = 2000;

const WORKFLOWS = [
  ["uptime", "Uptime CI"],
  ["responseTime", "Response Time CI"],
  ["graphs", "Graphs CI"],
  ["site", "Static Site CI"],
  ["summary", "Summary CI"],
] as const;

/** Minutes between two checks that people choose, as divisors of an hour. */
const INTERVALS = [10, 15, 20, 30];

/** Counts what the schedules of a configuration cost. */
export function billing({ workflowSchedule, runner }: Config): Billing {
  const workflows = WORKFLOWS.map(([key, name]) => {
    const schedule = workflowSchedule[key];
    const { runs, words } = cadence(schedule);
    return { name, schedule, words, runs };
  });
  const minutes = workflows.reduce((sum, { runs }) => sum + runs, 0);
  const selfHosted = [runner].flat().some((label) => /self-hosted/.test(label));
  const others = minutes - workflows[0]!.runs;
  const fits = (schedule: string) => others + cadence(schedule).runs <= FREE_MINUTES;
  const cheaper = [...INTERVALS.map((interval) => `*/${interval} * * * *`), "0 * * * *"].find(fits);
  return {
    workflows,
    minutes,
    selfHosted,
    ...(minutes <= FREE_MINUTES || selfHosted || cheaper === undefined ? {} : { cheaper }),
  };
}
