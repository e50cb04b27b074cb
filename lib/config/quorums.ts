import type { Problem } from "../io/problem.ts";
import type { Site } from "./config.ts";
import { joinFirst, joinNames } from "../text/words.ts";
import { isMap } from "./document.ts";
import { isOldQuorum } from "./keys/location_keys.ts";
import { found } from "./keys/values.ts";

/** Keys of which one is the reason for a quorum, the first one that is given. */
const KEYS = ["quorum", "locations"] as const;

/**
 * Warns of quorums that are all locations of a site, once for each place that sets them: while one location has no
 * result, an outage that all others see is unknown. `items` are the sites as they are written, `top` the other keys.
 */
export function findWideQuorums(
  items: readonly unknown[],
  { sites, top }: { sites: ReadonlyMap<number, Site>; top: Readonly<Record<string, unknown>> },
): Problem[] {
  const shared = findReason(top["defaults"]);
  const problems = new Map<string, Problem>();
  for (const [index, { locations, quorum, paused }] of sites) {
    if (paused || quorum < 2 || quorum < locations.length) continue;
    const own = findReason(items[index]);
    const path = own !== undefined
      ? ["sites", index, own]
      : shared !== undefined
      ? ["defaults", shared]
      : [findReason(top) ?? "locations"];
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
    ? "add a third location with quorum: 2, or set quorum: 1"
    : `set quorum: ${length - 1} or less`;
  const all = length === 2 ? "both" : `all ${length}`;
  return `the quorum is ${all} locations, ${joinNames(locations)}, so an outage is unknown ` +
    `and nobody is notified while one of them has no result: ${cure}`;
}

/** Sites that a warning names for each number. */
const MOST_NAMES = 3;

/**
 * Warns of older forms of `quorum`, such as `all` or `2/3`, once for each place that has one, and names the number
 * that it means for its sites.
 */
export function findOldQuorums(
  items: readonly unknown[],
  { sites, top }: { sites: ReadonlyMap<number, Site>; top: Readonly<Record<string, unknown>> },
): Problem[] {
  const problems: Problem[] = [];
  const others: Site[] = [];
  const warn = (place: Problem["path"], quorum: unknown, meaning: string) => {
    const message = `expected a number of locations, found ${found(quorum)}, ${meaning}`;
    problems.push({ severity: "warning", path: [...place, "quorum"], message });
  };
  for (const [index, site] of sites) {
    const { locations: { length }, quorum } = site;
    // Elsewhere it has no effect, which is reported.
    if (length === 0) continue;
    const own = findQuorum(items[index]);
    if (own === undefined) others.push(site);
    if (!isOldQuorum(own)) continue;
    warn(["sites", index], own, `which means ${quorum} of ${length}: write quorum: ${quorum}`);
  }
  const [shared, usual] = [findQuorum(top["defaults"]), findQuorum(top)];
  if (isOldQuorum(shared)) warn(["defaults"], shared, describeShared(others));
  // Those under defaults win.
  if (isOldQuorum(usual)) warn([], usual, describeShared(shared === undefined ? others : []));
  return problems;
}

/** Describes what the quorum of all sites means for those that use it. */
function describeShared(sites: readonly Site[]): string {
  const groups = [...Map.groupBy(sites, ({ quorum }) => quorum)]
    .sort(([, one], [, other]) => other.length - one.length);
  const [[usual] = []] = groups;
  if (usual === undefined) return "which no site uses: remove it";
  if (groups.length === 1) return `which means ${usual}: write quorum: ${usual}`;
  const meanings = groups.map(([quorum, own]) =>
    `${quorum} for ${joinFirst(own.map(({ name }) => name), MOST_NAMES)}`
  );
  return `which means ${
    meanings.join(", and ")
  }: write quorum: ${usual} here, and the other numbers at their sites`;
}

function findQuorum(keys: unknown): unknown {
  return isMap(keys) ? keys["quorum"] ?? undefined : undefined;
}
