import { cadence } from "../../config/cadence.ts";
import type { Config } from "../../config/config.ts";
import { SCHEDULED_KEYS, WORKFLOWS } from "../../config/workflows.ts";

/** What the scheduled jobs cost on GitHub's own runners. */
export interface Billing {
  workflows: BilledWorkflow[];
  /** Minutes of 30 days that are billed where the repository is private. */
  minutes: number;
  /** Whether all jobs run on a machine of one's own, and nothing is billed. */
  selfHosted: boolean;
  /** A schedule of Uptime CI with which everything is free; absent where it is already. */
  cheaper?: string;
}

/** One workflow, when it runs and how often. */
export interface BilledWorkflow {
  name: string;
  schedule: string;
  words: string;
  /** Runs in 30 days; each is billed a minute at least, and ours take no longer. */
  runs: number;
  /** Whether it runs on a machine of one's own, and is not billed. */
  isFree?: true;
}

/** Minutes a month that a private repository has for nothing. */
export const FREE_MINUTES = 2000;

/** Minutes between two checks that people choose, as divisors of an hour. */
const INTERVALS = [10, 15, 20, 30];

/** Counts what the schedules of a configuration cost. */
export function billing({ workflowSchedule, runner }: Config): Billing {
  const workflows = SCHEDULED_KEYS.map((key) => {
    const schedule = workflowSchedule[key];
    const { runs, words } = cadence(schedule);
    const isFree = runner[key].some((label) => /self-hosted/i.test(label));
    return { name: WORKFLOWS[key].name, schedule, words, runs, ...isFree ? { isFree } : {} };
  });
  const minutes = workflows.reduce((sum, { runs, isFree }) => isFree ? sum : sum + runs, 0);
  const [uptime] = workflows;
  const others = uptime!.isFree ? minutes : minutes - uptime!.runs;
  const fits = (schedule: string) => others + cadence(schedule).runs <= FREE_MINUTES;
  const cheaper = [...INTERVALS.map((interval) => `*/${interval} * * * *`), "0 * * * *"].find(fits);
  const isCheap = minutes <= FREE_MINUTES || uptime!.isFree || cheaper === undefined;
  return {
    workflows,
    minutes,
    selfHosted: workflows.every(({ isFree }) => isFree),
    ...isCheap ? {} : { cheaper },
  };
}
