import type { Problem } from "../io/problem.ts";
import { CHECKED_ONCE } from "./checks/mod.ts";
import type { Config } from "./config.ts";
import { isSelfHostedLocation, listHostedLocations, type Location } from "./locations.ts";

/** Most jobs of a matrix that GitHub accepts. */
export const MOST_JOBS = 256;

/** The jobs that check sites for the deciding run: each of the locations times each of the shards. */
export interface Legs {
  /** Hosted locations; empty if the jobs only divide the sites. */
  locations: readonly Location[];
  shards: number;
  jobs: number;
}

type Places = Pick<Config, "locations" | "sites">;

/**
 * Plans the jobs that check, for so many shards; `undefined` if the deciding run can do it alone. A matrix has at
 * most {@linkcode MOST_JOBS}: shards that do not fit are left out.
 */
export function planLegs({ locations, sites }: Places, shards: number): Legs | undefined {
  const hosted = listHostedLocations({ locations }).slice(0, MOST_JOBS);
  const divides = hosted.length > 0 || sites.some(isDivided);
  if (!divides) return undefined;
  const each = Math.max(1, hosted.length);
  const fitting = Math.min(shards, Math.max(1, Math.floor(MOST_JOBS / each)));
  const jobs = each * fitting;
  return jobs === 1 ? undefined : { locations: hosted, shards: fitting, jobs };
}

/** Reports locations and shards that need more jobs than a matrix may have, and shards that divide nothing. */
export function findLegProblems(
  { locations, sites, shards }: Places & Pick<Config, "shards">,
): Problem[] {
  const hosted = listHostedLocations({ locations }).length;
  const number = shards === "auto" ? 1 : shards;
  const isUseless = number > 1 && sites.some((site) => site.locations.length > 0) &&
    planLegs({ locations, sites }, number) === undefined;
  if (isUseless) {
    return [{
      severity: "warning",
      path: ["shards"],
      message:
        "has no effect: self-hosted and Globalping locations check all of their sites at once",
    }];
  }
  const jobs = Math.max(1, hosted) * number;
  if (jobs <= MOST_JOBS) return [];
  const most = Math.floor(MOST_JOBS / hosted);
  const cure = most === 0
    ? `remove ${hosted - MOST_JOBS} locations`
    : `choose shards: ${most}, or fewer locations`;
  return [{
    severity: "error",
    path: [most === 0 || number === 1 ? "locations" : "shards"],
    message: `${hosted} locations times ${number} shards are ${jobs} jobs, and GitHub accepts ` +
      `${MOST_JOBS}: ${cure}`,
    isIgnored: true,
  }];
}

/** True if the deciding run checks a site alone, unless its shards do. */
function isDivided(site: Places["sites"][number]): boolean {
  return site.locations.length === 0 && !site.paused && !CHECKED_ONCE.has(site.check);
}

/** Lists the self-hosted locations. Each has a workflow of its own, because its machine may be off for a day. */
export function listSelfHostedLocations({ locations }: Pick<Config, "locations">): Location[] {
  return locations.filter(isSelfHostedLocation);
}

/** Lists the sites that a location checks, or without one, those that no location checks. */
export function listCheckedSites<S extends Places["sites"][number]>(
  sites: readonly S[],
  location: Location | undefined,
): S[] {
  if (location === undefined) return sites.filter(isDivided);
  return sites.filter(({ paused, locations }) => !paused && locations.includes(location.name));
}
