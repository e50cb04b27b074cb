import { listed } from "../../text/listed.ts";
import type { Site } from "../../config/config.ts";
import { nearest } from "../../config/keys/unknown_key.ts";
import { slugOf } from "../../config/slug.ts";
import type { Expected } from "../../history/maintenance.ts";
import { cutToLabel } from "../issue_labels.ts";
import { plainText, shorten } from "../../text/plain_text.ts";

type Named = Pick<Site, "name" | "slug">;

/** More unknown words than these are only counted. */
const MOST_WORDS = 5;
/** Longer words are cut before something like them is looked for. */
const LONGEST_WORD = 60;

/**
 * What is expected of sites, by slug and in their order: one in both lists is expected to be down, and of one
 * that is only a label of the issue nothing is expected.
 */
export function announcedSites(
  sites: readonly Named[],
  { down, degraded, labels }: {
    down: ReadonlySet<string>;
    degraded: ReadonlySet<string>;
    labels: readonly string[];
  },
): Map<string, Expected> {
  const labelled = new Set(labels.map((label) => label.toLowerCase()));
  const expected = ({ slug }: Named): Expected | undefined => {
    if (down.has(slug)) return "down";
    if (degraded.has(slug)) return "degraded";
    return labelled.has(cutToLabel(slug).toLowerCase()) ? "none" : undefined;
  };
  return new Map(sites.flatMap((site): [string, Expected][] => {
    const word = expected(site);
    return word === undefined ? [] : [[site.slug, word]];
  }));
}

/**
 * The sites that a list with commas names by slugs or names, and the words that are neither. A name with
 * commas in it counts as one where it is the name of a site.
 */
export function sitesOfList(
  list: string,
  sites: readonly Named[],
): { slugs: Set<string>; unknown: string[] } {
  const known = new Map([
    ...sites.map(({ name, slug }) => [plain(name), slug] as const).reverse(),
    ...sites.map(({ slug }) => [plain(slug), slug] as const),
  ]);
  const longest = Math.max(1, ...[...known.keys()].map((word) => word.split(",").length));
  const parts = list.split(",");
  const slugs = new Set<string>();
  const unknown: string[] = [];
  for (let from = 0; from < parts.length;) {
    let to = Math.min(parts.length, from + longest);
    let slug: string | undefined;
    for (; to > from; to--) {
      const word = parts.slice(from, to).join(",");
      slug = known.get(plain(word)) ?? known.get(slugOf(word));
      if (slug !== undefined) break;
    }
    if (slug !== undefined) slugs.add(slug);
    else if (parts[from]!.trim() !== "") unknown.push(parts[from]!.trim());
    from = Math.max(to, from + 1);
  }
  return { slugs, unknown };
}

/** Those of words that no site has which are probably meant to be some. */
export function misspelt(unknown: readonly string[], sites: readonly Named[]): string[] {
  const known = sites.flatMap(({ slug, name }) => [slug, name]);
  return unknown.filter((word) => nearest(shorten(word, LONGEST_WORD), known) !== undefined);
}

/** Words that no site has, with what they are probably meant to be: `"shp" (did you mean "shop"?), "x" and 3 more`. */
export function unknownWords(unknown: readonly string[], sites: readonly Named[]): string {
  const known = [...sites.map(({ slug }) => slug), ...sites.map(({ name }) => name)];
  return listed(unknown, MOST_WORDS, (one) => {
    const word = shorten(plainText(one), LONGEST_WORD);
    const near = nearest(word, known);
    return near === undefined ? `"${word}"` : `"${word}" (did you mean "${near}"?)`;
  });
}

function plain(text: string): string {
  return text.normalize("NFC").trim().toLowerCase();
}
