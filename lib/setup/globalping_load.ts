import type { Config } from "../config/config.ts";
import { TESTS_PER_HOUR } from "../config/globalping.ts";
import { cadence } from "../config/schedule.ts";

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
  const runsPerHour = Math.max(1, Math.floor(60 / cadence(workflowSchedule.uptime).shortest));
  return {
    siteLocations,
    runsPerHour,
    testsPerHour: siteLocations * runsPerHour,
    limits: TESTS_PER_HOUR,
    mostWithToken: Math.floor(TESTS_PER_HOUR.withToken / runsPerHour),
  };
}
