import * as v from "valibot";
import { isTcpAddress } from "./checks/hosts.ts";
import { plainText } from "../text/plain_text.ts";
import { nearHint } from "../text/nearest.ts";
import { findSite, type Site } from "./config.ts";
import { type Dependency, findReachable, selectAddresses, selectSlugs } from "./dependency.ts";
import { DEPENDENCY_KEYS } from "./keys/site_keys.ts";
import { found, readWhole } from "./keys/values.ts";
import type { Problem } from "../io/problem.ts";
import { secretNames } from "./references.ts";
import { isMap } from "./document.ts";

/**
 * Adds the dependencies to sites, given by their place in the list. A wrong one is reported and ignored, which at
 * worst sends one alert too many. `shared` dependencies apply to sites without their own, but not to the shared ones
 * themselves, nor to what they depend on.
 */
export function readDependencies(
  items: readonly unknown[],
  sites: ReadonlyMap<number, Site>,
  shared: unknown,
): { sites: Site[]; problems: Problem[] } {
  const all = [...sites.values()];
  const problems: Problem[] = [];
  const graph = new Map<string, Dependency[]>();
  const report = (severity: Problem["severity"], path: Problem["path"], message: string) =>
    problems.push({ severity, path, message });

  const find = (words: string, path: Problem["path"]): Dependency[] => {
    const site = findSite(all, plainText(words));
    if (site?.paused) report("warning", path, `has no effect while "${site.name}" is paused`);
    if (site !== undefined) return [{ slug: site.slug }];
    if (isTcpAddress(words)) return [{ address: words.trim() }];
    const hint = nearHint(words, all.flatMap(({ name, slug }) => [name, slug]));
    const expected = "expected the name of a monitored site or host:port";
    report("error", path, `${expected}, found ${found(words)}${hint}`);
    return [];
  };
  const read = (value: unknown, path: Problem["path"]) => {
    const { output, problems: faults } = readWhole(v.object(DEPENDENCY_KEYS), { dependsOn: value });
    for (const { path: [, ...rest], message } of faults) {
      report("error", [...path, ...rest], message);
    }
    const placed = (output?.dependsOn ?? []).flatMap((words, at) => {
      const place = Array.isArray(value) ? [...path, at] : path;
      return find(words, place).map((dependency) => ({ dependency, place }));
    });
    return new Map(placed.map((one) => [JSON.stringify(one.dependency), one])).values();
  };

  for (const [index, site] of sites) {
    const item = items[index];
    if (!isMap(item) || !Object.hasOwn(item, "dependsOn")) continue;
    const own: Dependency[] = [];
    graph.set(site.slug, own);
    for (const { dependency, place } of read(item["dependsOn"], ["sites", index, "dependsOn"])) {
      if ("slug" in dependency && findReachable([dependency.slug], graph).has(site.slug)) {
        report("error", place, `"${site.name}" can't depend on itself, directly or through others`);
      } else own.push(dependency);
    }
  }
  const common = [...read(shared, ["defaults", "dependsOn"])].map(({ dependency }) => dependency);
  const spared = findReachable(selectSlugs(common), graph);
  const dependent = all.map((site): Site => {
    const dependsOn = graph.get(site.slug) ?? (spared.has(site.slug) ? [] : common);
    const names = secretNames(selectAddresses(dependsOn));
    return { ...site, dependsOn, secrets: [...new Set([...site.secrets, ...names])].sort() };
  });
  return { sites: dependent, problems };
}
