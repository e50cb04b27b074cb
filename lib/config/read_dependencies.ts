import * as v from "valibot";
import { isTcpAddress } from "./checks/hosts.ts";
import { plainText } from "../text/plain_text.ts";
import { findSite, type Site } from "./config.ts";
import {
  addressesAmong,
  type Dependency,
  reachedFrom,
  sitesAmong,
  wayBetween,
} from "./dependency.ts";
import { DEPENDENCY_KEYS } from "./keys/site_keys.ts";
import { nearHint } from "../text/nearest.ts";
import { found, readWhole } from "./keys/values.ts";
import type { Problem } from "../io/problem.ts";
import { secretNames } from "./references.ts";
import { isMap } from "./document.ts";

/** The sites of a configuration without their dependencies. */
interface Known {
  /** The sites that can be read, by their place in the list. */
  sites: ReadonlyMap<number, Site>;
  /** Dependencies of all sites that have none of their own. */
  shared: unknown;
}

/** A dependency as configured. */
interface Written {
  words: string;
  path: Problem["path"];
}

/**
 * Adds the dependencies of each site. A wrong one is reported and ignored, which at worst sends one alert too
 * many. Shared dependencies do not apply to the dependencies themselves, nor to what they depend on.
 */
export function readDependencies(
  items: readonly unknown[],
  { sites, shared }: Known,
): { sites: Site[]; problems: Problem[] } {
  const all = [...sites.values()];
  const problems: Problem[] = [];
  const graph = new Map<string, Dependency[]>();
  const report = (severity: Problem["severity"], path: Problem["path"], message: string) =>
    problems.push({ severity, path, message });
  const lost = items.flatMap((item, index) =>
    isMap(item) && !sites.has(index) ? [item["name"], item["slug"]] : []
  ).map((name) => String(name).toLowerCase());
  const understand = ({ words, path }: Written): Dependency | undefined => {
    const site = findSite(all, plainText(words));
    if (site?.paused) report("warning", path, `has no effect while "${site.name}" is paused`);
    if (site !== undefined) return { slug: site.slug };
    if (isTcpAddress(words)) return { address: words.trim() };
    if (lost.includes(words.trim().toLowerCase())) {
      report("warning", path, `has no effect: ${found(words)} is not monitored, see above`);
      return undefined;
    }
    const hint = nearHint(words, all.flatMap(({ name, slug }) => [name, slug]));
    report("error", path, `expected the name of a site or host:port, found ${found(words)}${hint}`);
    return undefined;
  };
  const add = (site: Site, dependency: Dependency | undefined, path: Problem["path"]) => {
    const own = graph.get(site.slug) ?? [];
    if (dependency === undefined || own.some((one) => isSame(one, dependency))) return;
    const way = "slug" in dependency ? wayBetween(dependency.slug, site.slug, graph) : undefined;
    if (way === undefined) {
      graph.set(site.slug, [...own, dependency]);
    } else {
      const names = way.map((slug) => all.find((one) => one.slug === slug)!.name);
      report("error", path, circleWords(site.name, names));
    }
  };
  for (const [index, item] of items.entries()) {
    if (!isMap(item) || !Object.hasOwn(item, "dependsOn")) continue;
    const site = sites.get(index);
    for (const one of written(item["dependsOn"], ["sites", index, "dependsOn"], problems)) {
      if (site !== undefined) add(site, understand(one), one.path);
    }
  }
  const common = written(shared, ["defaults", "dependsOn"], []).map((one) => understand(one))
    .filter((dependency) => dependency !== undefined)
    .filter((dependency, at, all) => all.findIndex((one) => isSame(one, dependency)) === at);
  const spared = reachedFrom(sitesAmong(common), graph);
  for (const [index, site] of sites) {
    const item = items[index];
    if (spared.has(site.slug) || (isMap(item) && Object.hasOwn(item, "dependsOn"))) continue;
    graph.set(site.slug, common);
  }
  return { sites: all.map((site) => withDependencies(site, graph.get(site.slug) ?? [])), problems };
}

function withDependencies(site: Site, dependsOn: readonly Dependency[]): Site {
  if (dependsOn.length === 0) return site;
  const names = secretNames(addressesAmong(dependsOn));
  const secrets = [...new Set([...site.secrets, ...names])].sort();
  return { ...site, dependsOn, secrets };
}

/** The items of a key; its faults are added to `problems`. */
function written(value: unknown, path: Problem["path"], problems: Problem[]): Written[] {
  const { output, problems: faults } = readWhole(v.object(DEPENDENCY_KEYS), { dependsOn: value });
  for (const { path: [, ...rest], message } of faults) {
    problems.push({ severity: "error", path: [...path, ...rest], message });
  }
  if (output === undefined) return [];
  const isList = Array.isArray(value);
  return output.dependsOn.map((words, at) => ({ words, path: isList ? [...path, at] : path }));
}

function isSame(one: Dependency, other: Dependency): boolean {
  if ("slug" in one) return "slug" in other && one.slug === other.slug;
  return "address" in other && one.address === other.address;
}

function circleWords(name: string, way: readonly string[]): string {
  if (way.length === 1) return `"${name}" can't depend on itself`;
  const circle = way.map((one) => `"${one}"`).join(", which depends on ");
  return `leads round in a circle and is left out: "${name}" depends on ${circle}`;
}
