import * as v from "valibot";
import type { Problem } from "../io/problem.ts";
import {
  type Dependency,
  findReachable,
  findSite,
  selectAddresses,
  selectSlugs,
  type Site,
} from "./config.ts";
import { isMap } from "./document.ts";
import { recordPath } from "./record_path.ts";
import { KNOWN_TOP_KEYS } from "./keys/key_tables.ts";
import { found, readWhole } from "./keys/values.ts";
import { readSite, type SiteContext } from "./read_site.ts";
import { isTcpAddress } from "./checks/hosts.ts";
import { plainText } from "../text/plain_text.ts";
import { nearHint } from "../text/nearest.ts";
import { DEPENDENCY_KEYS } from "./keys/site_keys.ts";
import { secretNames } from "./references.ts";
import { findOldQuorums, findWideQuorums } from "./quorums.ts";

/** The problem of sites without the key of their list, which are below another list. */
export const STRAY_SITE = '"sites:" is missing in a line above this site';

/** Reads the list of sites of a document, absent if there is none; `isPartial` is true if some sites can't be read. */
export function readSites(
  { sites: items, ...others }: Readonly<Record<string, unknown>>,
  context: SiteContext,
): { sites?: Site[]; isPartial: boolean; problems: Problem[] } {
  if (!Array.isArray(items)) {
    const [key] = isMap(items) ? Object.keys(items) : [];
    const message = items === undefined
      ? "sites: is missing, the list of what to monitor"
      : `expected a list of sites, found ${
        key === undefined ? found(items) : `the key ${found(key)}`
      }: start each site with a hyphen and a space, such as "- name:"`;
    const stray = items === undefined ? findStraySite(others) : undefined;
    if (stray !== undefined) {
      const problem: Problem = { severity: "error", path: stray, message: STRAY_SITE };
      return { isPartial: true, problems: [problem] };
    }
    const path = items === undefined ? [] : ["sites", ...key === undefined ? [] : [key]];
    return { isPartial: true, problems: [{ severity: "error", path, message }] };
  }
  const read = items.map((item, index) => readSite(item, index, context));
  const readable = new Map(
    read.flatMap(({ site }, index) => site === undefined ? [] : [[index, site] as const]),
  );
  const named = withDistinctSlugs(readable, (index) => {
    const item: unknown = items[index];
    return isMap(item) && Object.hasOwn(item, "slug") ? "slug" : "name";
  });
  const dependent = readDependencies(items, named.sites, context.shared["dependsOn"]);
  const problems = [
    ...read.flatMap((site) => site.problems),
    ...named.problems,
    ...dependent.problems,
    ...findHidden(items, named.sites),
    ...findOldQuorums(items, { sites: readable, top: others }),
    ...findWideQuorums(items, { sites: readable, top: others }),
  ];
  if (items.length === 0) {
    const message = "the list is empty: there is nothing to monitor";
    problems.push({ severity: "warning", path: ["sites"], message });
  }
  return { sites: dependent.sites, isPartial: readable.size < items.length, problems };
}

/** Says once what of hidden sites everybody can read. */
function findHidden(items: readonly unknown[], sites: ReadonlyMap<number, Site>): Problem[] {
  const [hidden] = [...sites].filter(([, site]) => !site.public);
  if (hidden === undefined) return [];
  const [index, { slug }] = hidden;
  const item = items[index];
  const isOwn = isMap(item) && Object.hasOwn(item, "public");
  const message =
    `hides a site from everything published, but in a public repository anyone can read its incidents, issues and commits, and its record such as ${
      recordPath(slug)
    }`;
  const path = isOwn ? ["sites", index, "public"] : ["defaults", "public"];
  return [{ severity: "notice", path, message }];
}

/** The path of the first site in the list of another key. */
function findStraySite(document: Readonly<Record<string, unknown>>): Problem["path"] | undefined {
  for (const [key, list] of Object.entries(document)) {
    const isSite = (item: unknown) =>
      isMap(item) && ["name", "url"].every((one) => Object.hasOwn(item, one));
    const isKnown = Object.hasOwn(KNOWN_TOP_KEYS, key) && Array.isArray(list);
    const index = isKnown ? list.findIndex(isSite) : -1;
    if (index >= 0) return [key, index];
  }
  return undefined;
}

/** Numbers the second of two equal slugs, without using a slug that another site has, and warns of both. */
function withDistinctSlugs(
  sites: ReadonlyMap<number, Site>,
  keyOf: (index: number) => "name" | "slug",
): { sites: Map<number, Site>; problems: Problem[] } {
  // Some file systems ignore case.
  const wanted = new Set([...sites.values()].map(({ slug }) => slug.toLowerCase()));
  const owners = new Map<string, Site>();
  const problems: Problem[] = [];
  const distinct = [...sites].map(([index, site]): [number, Site] => {
    const owner = owners.get(site.slug.toLowerCase());
    if (owner === undefined) {
      owners.set(site.slug.toLowerCase(), site);
      return [index, site];
    }
    let number = 2;
    while (wanted.has(`${site.slug}-${number}`.toLowerCase())) number++;
    const slug = `${site.slug}-${number}`;
    wanted.add(slug.toLowerCase());
    const message =
      `the slug "${site.slug}" is already used by "${owner.name}", so this site is saved as "${slug}": give one of the two another slug`;
    problems.push({ severity: "warning", path: ["sites", index, keyOf(index)], message });
    return [index, { ...site, slug }];
  });
  return { sites: new Map(distinct), problems };
}

/**
 * Adds the dependencies to sites, given by their place in the list. A wrong one is reported and ignored, which at
 * worst sends one alert too many. `shared` dependencies apply to sites without their own, but not to the shared ones
 * themselves, nor to what they depend on.
 */
function readDependencies(
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
