import { cadence, scheduleTimes } from "../config/schedule.ts";
import type { Config } from "../config/config.ts";
import { planLegs } from "../config/legs.ts";
import { findHome } from "../config/locations.ts";
import { isHosted, SCHEDULED_KEYS } from "../config/workflows.ts";
import { TESTS_PER_HOUR } from "../config/globalping.ts";

/** Cost of the scheduled jobs on GitHub's runners, in a private repository. */
export interface Billing {
  /** Minutes that are billed in 30 days. */
  minutes: number;
  /** The most frequent free schedule of Uptime CI; absent if the present one is free or none would be. */
  cheaper?: string;
}

/** Free minutes a month of a private repository. */
export const FREE_MINUTES = 2000;

/** Schedules that are proposed, the most frequent first. */
const PROPOSED = ["*/10 * * * *", "*/15 * * * *", "*/20 * * * *", "*/30 * * * *", "0 * * * *"];

/**
 * Computes the cost for a number of shards, whose jobs are expected to take so many `seconds`. Each job is billed by
 * whole minutes; one of unknown length counts as a minute.
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
  const decidingRunner = legs === undefined ? findHome(config)?.runner : undefined;
  const isDecidingBilled = isHosted(decidingRunner ?? runner.uptime);
  const areLegsBilled = legs !== undefined &&
    (legs.locations.length > 0 || isHosted(runner.uptime));
  const minutesOfLegs = areLegsBilled ? legs.jobs * Math.max(1, Math.ceil(seconds / 60)) : 0;
  const minutesOfRun = (isDecidingBilled ? 1 : 0) + minutesOfLegs;
  const others = SCHEDULED_KEYS.filter((key) => key !== "uptime" && isHosted(runner[key]))
    .reduce((sum, key) => sum + cadence(workflowSchedule[key]).runs, 0);
  const minutesAt = (schedule: string) => cadence(schedule).runs * minutesOfRun + others;
  const minutes = minutesAt(workflowSchedule.uptime);
  const cheaper = minutes > FREE_MINUTES
    ? PROPOSED.find((schedule) => minutesAt(schedule) <= FREE_MINUTES)
    : undefined;
  return { minutes, ...cheaper === undefined ? {} : { cheaper } };
}

/** The sum, and a cure if not all of it is free. */
export function describeBilling({ minutes, cheaper }: Billing): { sum: string; cure?: string } {
  const number = (count: number) => count.toLocaleString("en");
  const sum = `about ${number(minutes)} minutes a month are billed`;
  if (minutes <= FREE_MINUTES) return { sum: `${sum}, all free (up to ${number(FREE_MINUTES)})` };
  const slower = cheaper === undefined ? "" : `workflowSchedule: { uptime: "${cheaper}" }, or `;
  return {
    sum: `${sum}, ${number(FREE_MINUTES)} of them free`,
    cure: `set ${slower}runner: self-hosted`,
  };
}

/** Tests that a configuration takes of Globalping. */
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
