import { cadence, scheduleTimes } from "../config/schedule.ts";
import type { Config } from "../config/config.ts";
import { listSelfHostedLocations, planLegs } from "../config/legs.ts";
import { findHome } from "../config/locations.ts";
import { isHosted, SCHEDULED_KEYS, WORKFLOWS } from "../config/workflows.ts";
import { TESTS_PER_HOUR } from "../config/globalping.ts";

/** Cost of the scheduled jobs on GitHub's runners. */
export interface Billing {
  /** Each with its schedule and its runs in 30 days. */
  workflows: BilledWorkflow[];
  /** Minutes in 30 days that are billed in a private repository. */
  minutes: number;
  /** True if all jobs run on the user's own machines, so that nothing is billed. */
  selfHosted: boolean;
  /** The most frequent free schedule of Uptime CI; absent if the present one is free or none would be. */
  cheaper?: string;
}

export interface BilledWorkflow {
  name: string;
  schedule: string;
  words: string;
  runs: number;
  /** Billed jobs of a run; absent if there is one. */
  jobs?: number;
  /** Minutes billed for a run, of which each job is rounded up; absent if there is one. */
  minutesPerRun?: number;
  /** True if no job runs on a machine of GitHub. */
  isFree?: true;
}

/** Jobs that GitHub runs at once for a free account, in all of its repositories. */
export const FREE_JOBS = 20;

/** Free minutes a month of a private repository. */
export const FREE_MINUTES = 2000;

/** Schedules that are proposed, the most frequent first. */
const PROPOSED = ["*/10 * * * *", "*/15 * * * *", "*/20 * * * *", "*/30 * * * *", "0 * * * *"];

/**
 * Computes the cost for a number of shards, whose jobs are expected to take so many `seconds`; a job of unknown length
 * counts as a minute.
 */
export function computeBilling(
  config: Config,
  { shards = config.shards === "auto" ? 1 : config.shards, seconds = 0 }: {
    shards?: number;
    seconds?: number;
  } = {},
): Billing {
  const { workflowSchedule, runner } = config;
  const legs = planLegs(config, shards);
  const workflows = SCHEDULED_KEYS.map((key): BilledWorkflow => {
    const schedule = workflowSchedule[key];
    const { runs, words } = cadence(schedule);
    const { name } = WORKFLOWS[key];
    const labels = key === "uptime" && legs === undefined
      ? findHome(config)?.runner ?? runner.uptime
      : runner[key];
    const own = isHosted(labels) ? 1 : 0;
    const areBilled = legs !== undefined && (legs.locations.length > 0 || isHosted(runner.uptime));
    const others = key === "uptime" && areBilled ? legs.jobs : 0;
    const jobs = own + others;
    const minutesPerRun = own + others * Math.max(1, Math.ceil(seconds / 60));
    return {
      ...{ name, schedule, words, runs },
      ...jobs > 1 ? { jobs } : {},
      ...minutesPerRun > 1 ? { minutesPerRun } : {},
      ...jobs === 0 ? { isFree: true } : {},
    };
  });
  const minutes = workflows.reduce((sum, workflow) => sum + countMinutes(workflow), 0);
  const [uptime] = workflows;
  const others = minutes - countMinutes(uptime!);
  const minutesAt = (schedule: string) =>
    countMinutes({ ...uptime!, runs: cadence(schedule).runs });
  const cheaper = minutes > FREE_MINUTES && !uptime!.isFree
    ? PROPOSED.find((schedule) => others + minutesAt(schedule) <= FREE_MINUTES)
    : undefined;
  const { schedule, words, runs } = uptime!;
  const ownLocations = listSelfHostedLocations(config).map(({ name }): BilledWorkflow => ({
    ...{ name: `${WORKFLOWS.uptime.name}: ${name}`, schedule, words, runs, isFree: true },
  }));
  return {
    workflows: [...workflows, ...ownLocations],
    minutes,
    selfHosted: workflows.every(({ isFree }) => isFree),
    ...cheaper === undefined ? {} : { cheaper },
  };
}

/** Minutes in 30 days. */
export function countMinutes({ runs, minutesPerRun = 1, isFree }: BilledWorkflow): number {
  return isFree ? 0 : runs * minutesPerRun;
}

/** Tests that a configuration takes of Globalping; a failure takes as many again. */
export interface GlobalpingLoad {
  /** Locations of all sites that Globalping checks: the tests of a run. */
  siteLocations: number;
  /** In an hour of the schedule with the most. */
  runsPerHour: number;
  testsPerHour: number;
  /** Tests an hour that Globalping gives. */
  limits: typeof TESTS_PER_HOUR;
  /** Most locations of sites that fit with a token at this schedule. */
  mostWithToken: number;
}

/** Computes how many tests of Globalping a configuration takes; `undefined` if none. */
export function computeGlobalpingLoad(
  { sites, locations, workflowSchedule }: Pick<Config, "sites" | "locations" | "workflowSchedule">,
): GlobalpingLoad | undefined {
  const probes = new Set(
    locations.flatMap(({ name, globalping }) => globalping === undefined ? [] : [name]),
  );
  const counts = sites.filter(({ paused }) => !paused)
    .map((site) => site.locations.filter((name) => probes.has(name)).length);
  const siteLocations = counts.reduce((sum, one) => sum + one, 0);
  if (siteLocations === 0) return undefined;
  const times = scheduleTimes(workflowSchedule.uptime);
  const runsPerHour = typeof times === "string" ? 1 : times.minutes.length;
  return {
    siteLocations,
    runsPerHour,
    testsPerHour: siteLocations * runsPerHour,
    limits: TESTS_PER_HOUR,
    mostWithToken: Math.floor(TESTS_PER_HOUR.withToken / runsPerHour),
  };
}
