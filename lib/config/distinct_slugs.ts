import type { Site } from "./config.ts";
import type { Problem } from "../io/problem.ts";

/** A site with its place in the list of the configuration. */
export interface PlacedSite {
  site: Site;
  index: number;
}

/**
 * Gives each site a slug of its own: where two come to one, the later is numbered, and a warning names
 * both, at the key that `placeOf` gives. A slug that some site has by itself is never given to another.
 */
export function distinctSlugs(
  placed: readonly PlacedSite[],
  placeOf: (index: number) => "name" | "slug" = () => "name",
): { sites: Site[]; problems: Problem[] } {
  const wanted = new Set(placed.map(({ site }) => fileKey(site.slug)));
  const owners = new Map<string, Site>();
  const problems: Problem[] = [];
  const sites = placed.map(({ site, index }) => {
    const owner = owners.get(fileKey(site.slug));
    if (owner === undefined) {
      owners.set(fileKey(site.slug), site);
      return site;
    }
    let number = 2;
    while (wanted.has(fileKey(`${site.slug}-${number}`))) number++;
    const slug = `${site.slug}-${number}`;
    wanted.add(fileKey(slug));
    const message =
      `the slug "${site.slug}" is already used by "${owner.name}", so this site is saved as "${slug}": give one of the two another slug`;
    problems.push({ severity: "warning", path: ["sites", index, placeOf(index)], message });
    return { ...site, slug };
  });
  return { sites, problems };
}

/** Some file systems do not tell capitals from small letters. */
function fileKey(slug: string): string {
  return slug.toLowerCase();
}
