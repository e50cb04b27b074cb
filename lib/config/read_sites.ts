import type { Problem } from "../io/problem.ts";
import type { Site } from "./config.ts";
import { isMap } from "./document.ts";
import { found } from "./keys/values.ts";
import { readDependencies } from "./read_dependencies.ts";
import { readSite, type SiteContext } from "./read_site.ts";

/** Reads the list of sites, absent if there is none; `isPartial` is true if some sites can't be read. */
export function readSites(
  items: unknown,
  context: SiteContext,
): { sites?: Site[]; isPartial: boolean; problems: Problem[] } {
  if (!Array.isArray(items)) {
    const [key] = isMap(items) ? Object.keys(items) : [];
    const message = items === undefined
      ? "sites: is missing, the list of what to monitor"
      : `expected a list of sites, found ${
        key === undefined ? found(items) : `the key ${found(key)}`
      }: start each site with a hyphen and a space, such as "- name:"`;
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
  ];
  if (items.length === 0) {
    const message = "the list is empty: there is nothing to monitor";
    problems.push({ severity: "warning", path: ["sites"], message });
  }
  return { sites: dependent.sites, isPartial: readable.size < items.length, problems };
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
