import type { Problem } from "../io/problem.ts";
import { plainText } from "../text/plain_text.ts";
import type { Site } from "./config.ts";
import { isMap } from "./document.ts";
import { startHint } from "./keys/unknown_key.ts";
import { found } from "./keys/values.ts";
import { readDependencies } from "./read_dependencies.ts";
import { readSite, type SiteSurroundings } from "./read_site.ts";

/** The sites of a configuration that can be monitored. */
interface ReadSites {
  /** Absent if there is no list of sites. */
  sites?: Site[];
  /** True if some can't be read. */
  isPartial: boolean;
  problems: Problem[];
}

/** Reads the list of sites; `isBlank` is true for `sites:` without a value. */
export function readSites(
  value: unknown,
  surroundings: SiteSurroundings & { isBlank: boolean },
): ReadSites {
  const none = (message: string, ...path: string[]): ReadSites => ({
    isPartial: true,
    problems: [{ severity: "error", path, message }],
  });
  if (value === undefined && !surroundings.isBlank) {
    return none("sites: is missing, the list of what to monitor");
  }
  const items = value ?? [];
  const [key] = isMap(items) ? Object.keys(items) : [];
  if (key !== undefined) {
    const hint = startHint(key) ?? `start each site with a hyphen, such as "- name:"`;
    const message = `expected a list of sites, found the key "${plainText(key)}": ${hint}`;
    return none(message, "sites", key);
  }
  if (!Array.isArray(items)) {
    return none(`expected a list of sites, found ${found(items)}`, "sites");
  }
  const read = items.map((item, index) => readSite(item, index, surroundings));
  const readable = new Map(
    read.flatMap(({ site }, index) => site === undefined ? [] : [[index, site] as const]),
  );
  const named = withDistinctSlugs(readable, (index) => {
    const item: unknown = items[index];
    return isMap(item) && Object.hasOwn(item, "slug") ? "slug" : "name";
  });
  const dependent = readDependencies(items, {
    sites: named.sites,
    shared: surroundings.shared["dependsOn"],
  });
  const problems = [
    ...read.flatMap((site) => site.problems),
    ...named.problems,
    ...dependent.problems,
  ];
  if (items.length === 0) {
    const message = "the list is empty: there is nothing to monitor";
    problems.push({ severity: "warning", path: ["sites"], message });
  }
  return { sites: dependent.sites, isPartial: readable.size < items.length, problems };
}

/**
 * Gives each site a slug of its own: the second of two is numbered, and a warning names both, at the key that
 * `keyOf` gives. A slug that another site has by itself is never used.
 */
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
