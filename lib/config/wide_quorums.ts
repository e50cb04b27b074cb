import type { Problem } from "../io/problem.ts";
import type { Site } from "./config.ts";
import { joinNames } from "../text/words.ts";
import { isMap } from "./document.ts";

/** Keys of which one is the reason for a quorum, the first one that is given. */
const KEYS = ["quorum", "locations"] as const;

/**
 * Warns of quorums that are all locations of a site, once for each place that sets them: while one location has no
 * result, an outage that all others see is unknown. `items` are the sites as they are written.
 */
export function findWideQuorums(
  items: readonly unknown[],
  { sites, defaults }: { sites: ReadonlyMap<number, Site>; defaults: unknown },
): Problem[] {
  const shared = findReason(defaults);
  const problems = new Map<string, Problem>();
  for (const [index, { locations, quorum, paused }] of sites) {
    if (paused || quorum < 2 || quorum < locations.length) continue;
    const own = findReason(items[index]);
    const path = own !== undefined
      ? ["sites", index, own]
      : shared !== undefined
      ? ["defaults", shared]
      : ["locations"];
    const place = path.join(" ");
    if (problems.has(place)) continue;
    problems.set(place, { severity: "warning", path, message: describe(locations) });
  }
  return [...problems.values()];
}

function findReason(keys: unknown): string | undefined {
  return isMap(keys) ? KEYS.find((key) => Object.hasOwn(keys, key)) : undefined;
}

function describe(locations: readonly string[]): string {
  const { length } = locations;
  const cure = length === 2
    ? "add a third location with quorum: 2, or set quorum: any"
    : `set quorum: ${length - 1} or less`;
  const all = length === 2 ? "both" : `all ${length}`;
  return `the quorum is ${all} locations, ${joinNames(locations)}, so an outage is unknown ` +
    `and nobody is notified while one of them has no result: ${cure}`;
}
