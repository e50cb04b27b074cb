import { joinFirst } from "../text/words.ts";
import type { Site } from "./config.ts";
import { didYouMean } from "./keys/unknown_key.ts";

/** More names than these no error lists. */
const MOST_NAMES = 20;

/** The site of a name or slug, whatever its capitals. */
export function findSite(sites: readonly Site[], words: string): Site | undefined {
  const wanted = words.trim().toLowerCase();
  return sites.find(({ name, slug }) => [name.toLowerCase(), slug.toLowerCase()].includes(wanted));
}

/** Why there is no site of a name, with those there are: `Cannot find a site "shp": did you mean "Shop"? …`. */
export function whyNoSite(sites: readonly Site[], wanted: string): string {
  const hint = didYouMean(wanted, sites.map(({ name }) => name));
  return `Cannot find a site "${wanted}": ${hint}${listSites(sites)}`;
}

/** The names of sites, in the words of an error. */
export function listSites(sites: readonly Site[]): string {
  const names = sites.map(({ name }) => name);
  return names.length === 0 ? "there is no site" : `the sites are ${joinFirst(names, MOST_NAMES)}`;
}
