import * as v from "valibot";
import type { Problem } from "../io/problem.ts";
import { nearHint } from "../text/nearest.ts";
import { shortHash } from "../text/words.ts";
import { CHECKED_ONCE, type CheckName } from "./checks/mod.ts";
import { isMap } from "./document.ts";
import { describePartOfTag } from "./globalping.ts";
import { countQuorum, GLOBALPING, LOCATION_KEYS, type Quorum } from "./keys/location_keys.ts";
import { found, type KeyProblem, readWhole } from "./keys/values.ts";
import { isHosted } from "./workflows.ts";

/** A place from which sites are checked: by a runner, or by Globalping. */
export interface Location {
  /** Unique, whatever the case. */
  name: string;
  /** Unique name for refs, artifacts and files: lower case ASCII letters, digits and hyphens. */
  id: string;
  /** Labels of its runner; present if `globalping` is absent. */
  runner?: readonly string[];
  /** Place of its probe, as the API of Globalping takes it. */
  globalping?: string;
  /** True if GitHub hosts its runner and no site names it, so that its job would only cost. */
  isUnused?: true;
}

const LONGEST_ID = 40;
/** Stands for no location in names of files. */
export const NO_LOCATION = "all";
/** Globalping locations that the word {@linkcode GLOBALPING} means: more are a waste of tests. */
const USUAL_PROBES = 2;

/** Reads the list of locations: one in error is left out and reported; `isPartial` is true if there is any. */
export function readLocations(
  value: unknown,
): { locations: Location[]; isPartial: boolean; problems: Problem[] } {
  if (value === undefined || value === null) {
    return { locations: [], isPartial: false, problems: [] };
  }
  const locations: Location[] = [];
  const problems: Problem[] = [];
  const report = (path: Problem["path"], message: string) =>
    problems.push({ severity: "error", path: ["locations", ...path], message, isIgnored: true });
  if (!Array.isArray(value)) {
    const message = `expected a list of locations, found ${found(value)}: ` +
      'start each location with "- name:"';
    report([], message);
    return { locations, isPartial: true, problems };
  }
  for (const [index, item] of value.entries()) {
    const { output, problems: faults } = readLocation(item);
    for (const { path, message } of faults) report([index, ...path], message);
    if (output === undefined) continue;
    const { name } = output;
    if (locations.some((other) => isSameName(other.name, name))) {
      report(
        [index, "name"],
        `${found(name)} is the name of another location: choose another name`,
      );
      continue;
    }
    const alike = locations.find(({ id }) => isSameName(id, name));
    if (alike !== undefined) {
      const message = `${found(name)} is the id of the location ${alike.name}: choose another name`;
      report([index, "name"], message);
      continue;
    }
    const { runner = [], globalping = "" } = output;
    const doubts = {
      runner: describeOwnMachine(runner),
      globalping: describePartOfTag(globalping),
    };
    for (const [key, message] of Object.entries(doubts)) {
      if (message === undefined) continue;
      problems.push({ severity: "warning", path: ["locations", index, key], message });
    }
    const taken = locations.map(({ id }) => id);
    locations.push({ ...output, id: toLocationId(name, taken) });
  }
  return { locations, isPartial: locations.length < value.length, problems };
}

function readLocation(
  item: unknown,
): { output?: Omit<Location, "id">; problems: readonly KeyProblem[] } {
  if (!isMap(item)) {
    const message = `expected a map with name, and runner or globalping, found ${found(item)}`;
    return { problems: [{ path: [], message }] };
  }
  const { output, problems } = readWhole(v.object(LOCATION_KEYS), item);
  if (output === undefined) return { problems };
  const { name, runner, globalping } = output;
  if ((runner === undefined) === (globalping === undefined)) {
    const which = runner === undefined ? "neither" : "both";
    return {
      problems: [{ path: [], message: `expected either runner or globalping, found ${which}` }],
    };
  }
  return {
    output: runner === undefined ? { name, globalping: globalping!.trim() } : { name, runner },
    problems,
  };
}

/** Warns of labels that probably belong to the user's own machine: a run waits up to a day for one that is off. */
function describeOwnMachine(labels: readonly string[]): string | undefined {
  const isKnown = labels.length === 0 || !isHosted(labels) ||
    labels.some((label) => /(?:ubuntu|windows|macos)-/i.test(label));
  return isKnown
    ? undefined
    : `without the label self-hosted, ${
      found(labels.join(", "))
    } is taken for a runner of GitHub, ` +
      "for which each run waits: if it is a machine of your own, add self-hosted";
}

/**
 * Makes the id of a location from its name; a name without usable letters is hashed.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(toLocationId("São Paulo"), "sao-paulo");
 * assertEquals(toLocationId("Sao/Paulo", ["sao-paulo"]), "sao-paulo-2");
 * assertEquals(toLocationId("東京"), "location-2f3c04f1");
 * ```
 */
export function toLocationId(name: string, taken: readonly string[] = []): string {
  const ascii = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const slug = ascii.replace(/[^a-z\d]+/g, "-").slice(0, LONGEST_ID).replace(/^-|-$/g, "");
  const first = slug === "" ? `location-${shortHash(name).slice(0, 8)}` : slug;
  const isTaken = (id: string) => id === NO_LOCATION || taken.includes(id);
  let id = first;
  for (let number = 2; isTaken(id); number++) id = `${first}-${number}`;
  return id;
}

function isSameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

export function findLocation(
  locations: readonly Location[],
  words: string,
): Location | undefined {
  return locations.find(({ name, id }) => isSameName(name, words) || isSameName(id, words));
}

/** Error message for an unknown location: `Cannot find a location "Frankfrt": did you mean "Frankfurt"? …`. */
export function whyNoLocation(locations: readonly Location[], wanted: string): string {
  const names = locations.map(({ name }) => name);
  if (names.length === 0) {
    return `Cannot find a location "${wanted}": the configuration has no locations`;
  }
  const hint = nearHint(wanted, names).replace(/^, /, "").trim();
  const known = `the locations are ${names.join(", ")}`;
  return `Cannot find a location "${wanted}": ${hint === "" ? "" : `${hint} `}${known}`;
}

export function isHostedLocation({ runner }: Location): boolean {
  return runner !== undefined && isHosted(runner);
}

/** Lists the hosted locations that check sites, each in a job of its own if there are several jobs. */
export function listHostedLocations(
  { locations }: { locations: readonly Location[] },
): Location[] {
  return locations.filter((one) => isHostedLocation(one) && !one.isUnused);
}

/** Marks the hosted locations that no site names, paused sites included, and warns of them. */
export function markUnused(
  locations: readonly Location[],
  sites: readonly { locations: readonly string[] }[],
): { locations: Location[]; problems: Problem[] } {
  const named = new Set(sites.flatMap((site) => site.locations));
  const isUnused = (one: Location) => isHostedLocation(one) && !named.has(one.name);
  return {
    locations: locations.map((one) => isUnused(one) ? { ...one, isUnused: true } : one),
    problems: locations.flatMap((one, index): Problem[] => {
      if (!isUnused(one)) return [];
      const message =
        `no site is checked from ${one.name}, so it gets no job: name it in locations of a site, or remove it`;
      return [{ severity: "warning", path: ["locations", index], message }];
    }),
  };
}

export function isSelfHostedLocation({ runner }: Location): boolean {
  return runner !== undefined && !isHosted(runner);
}

/** The location as which a run of `update` checks sites if no other job does: the only hosted one that checks sites. */
export function findHome({ locations }: { locations: readonly Location[] }): Location | undefined {
  const hosted = listHostedLocations({ locations });
  return hosted.length === 1 ? hosted[0] : undefined;
}

/**
 * Computes the shard of a site, from 1 to `shards`: the same on every machine, whatever the other sites.
 */
export function computeShard(slug: string, shards: number): number {
  return Number(BigInt(`0x${shortHash(slug)}`) % BigInt(shards)) + 1;
}

/** Reports names in the `locations` of `defaults` that no location has; those of a site are reported there. */
export function findUnknownDefaults(
  named: readonly unknown[],
  { locations, isPartial }: { locations: readonly Location[]; isPartial: boolean },
): Problem[] {
  return isPartial ? [] : named.map(String).flatMap((word, index): Problem[] => {
    const isProbe = isSameName(word, GLOBALPING) && locations.some(({ globalping }) => globalping);
    if (isProbe || findLocation(locations, word) !== undefined) return [];
    const path = ["defaults", "locations", index];
    return [{
      severity: "error",
      path,
      message: describeUnknown(word, locations),
      isIgnored: true,
    }];
  });
}

function describeUnknown(word: string, locations: readonly Location[]): string {
  if (isSameName(word, GLOBALPING)) {
    return "no location has the key globalping: add one to the list locations of the top level";
  }
  const hint = locations.length === 0
    ? ": the top level has no list locations"
    : nearHint(word, [...locations.map(({ name }) => name), GLOBALPING]);
  return `unknown location ${found(word)}${hint}`;
}

export function resolveLocations(
  { locations: named, quorum }: { locations?: readonly string[]; quorum?: Quorum },
  { locations, isPartial, check, own, obstacle }: {
    locations: readonly Location[];
    /** The key because of which Globalping can't check the site. */
    obstacle?: KeyProblem;
    /** True if some locations can't be read: an unknown name may be one of them. */
    isPartial: boolean;
    check: CheckName;
    own: Readonly<Record<string, unknown>>;
  },
): {
  locations: string[];
  quorum: number;
  problems: KeyProblem[];
} {
  const problems: KeyProblem[] = [];
  const warn = (key: string, message: string) =>
    problems.push({ path: [key], message, severity: "warning" });
  if (CHECKED_ONCE.has(check)) {
    if (Object.hasOwn(own, "locations")) {
      warn(
        "locations",
        `has no effect: a site with check: ${check} is checked once, by the deciding run`,
      );
    }
    return { locations: [], quorum: 1, problems };
  }
  const usual = locations.filter(({ runner }) => runner !== undefined).map(({ name }) => name);
  const probes = locations.filter(({ globalping }) => globalping !== undefined);
  const chosen = new Set<string>();
  for (const [index, word] of (named ?? usual).entries()) {
    const location = findLocation(locations, word);
    const isWord = isSameName(word, GLOBALPING);
    const meant = location !== undefined ? [location] : isWord ? probes.slice(0, USUAL_PROBES) : [];
    for (const { name } of meant) chosen.add(name);
    const isOwn = [own["locations"]].flat().some((one) => isSameName(String(one), word));
    if (meant.length > 0 || isPartial || !isOwn) continue;
    const message = describeUnknown(word, locations);
    const isSingle = !Array.isArray(own["locations"]);
    const path = isSingle ? ["locations"] : ["locations", index];
    problems.push({ path, message, isIgnored: true });
  }
  const refused = obstacle === undefined
    ? []
    : probes.filter(({ name }) => chosen.delete(name)).map(({ name }) => name);
  if (refused.length > 0) {
    const message = `${obstacle!.message}; it is not checked from ${refused.join(", ")}`;
    const isAsked = Object.hasOwn(own, "locations");
    problems.push({
      path: obstacle!.path,
      message,
      ...isAsked ? { isIgnored: true } : { severity: "warning" },
    });
  }
  // Names of which none is known must not leave a site unchecked.
  const names = chosen.size === 0 && named?.length !== 0 ? usual : [...chosen];
  const needed = countQuorum(quorum, names.length);
  if (names.length === 0) {
    if (Object.hasOwn(own, "quorum")) warn("quorum", "has no effect: no locations check this site");
    return { locations: [], quorum: 1, problems };
  }
  if (needed > names.length && Object.hasOwn(own, "quorum")) {
    const places = names.length === 1 ? "one location" : `${names.length} locations`;
    warn("quorum", `${needed} is more than the ${places} of this site: all of them are needed`);
  }
  return { locations: names, quorum: Math.min(needed, names.length), problems };
}
