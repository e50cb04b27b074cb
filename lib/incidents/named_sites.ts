import type { Site } from "../config/config.ts";
import { toSlug } from "../config/slug.ts";
import { nearest } from "../text/nearest.ts";
import { plainText, shorten } from "../text/plain_text.ts";
import { joinFirst } from "../text/words.ts";

export type NamedSite = Pick<Site, "name" | "slug">;

export interface FoundSites {
  slugs: Set<string>;
  unknown: string[];
}

/**
 * Splits a comma-separated list into the sites that it names, by slug or name, and unknown words. Of names with commas
 * the longest counts.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const sites = [{ name: "Cards, EU", slug: "cards,-eu" }, { name: "Shop", slug: "shop" }];
 * const { slugs, unknown } = splitSites("shop, cards,eu , Crads", sites);
 * assertEquals([[...slugs], unknown], [["shop", "cards,-eu"], ["Crads"]]);
 * ```
 */
export function splitSites(list: string, sites: readonly NamedSite[]): FoundSites {
  const plain = (text: string) =>
    text.normalize("NFC").trim().toLowerCase().replaceAll(/\s*,\s*/g, ",");
  const known = new Map([
    ...sites.map(({ name, slug }) => [plain(name), slug] as const).reverse(),
    ...sites.map(({ slug }) => [plain(slug), slug] as const),
  ]);
  const most = Math.max(1, ...[...known.keys()].map((name) => name.split(",").length));
  const found: FoundSites = { slugs: new Set(), unknown: [] };
  const parts = list.split(",").map((part) => part.trim());
  for (let at = 0, length: number; at < parts.length; at += length) {
    const find = () => known.get(plain(parts.slice(at, at + length).join()));
    length = Math.min(most, parts.length - at);
    while (length > 1 && find() === undefined) length--;
    const slug = find() ?? known.get(toSlug(parts[at]!));
    if (slug !== undefined) found.slugs.add(slug);
    else if (parts[at] !== "") found.unknown.push(parts[at]!);
  }
  return found;
}

const MOST_WORDS = 5;
/** In characters. */
const LONGEST_WORD = 60;

/** Explains which words at a `place` name no site. */
export function whyUnknown(
  unknown: readonly string[],
  sites: readonly NamedSite[],
  place: string,
): string {
  const words = joinFirst(unknown, MOST_WORDS, (text) => {
    const word = shorten(plainText(text), LONGEST_WORD);
    const near = nearest(word, sites.flatMap(({ slug, name }) => [slug, name]));
    return near === undefined ? `"${word}"` : `"${word}" (did you mean "${near}"?)`;
  });
  return `Cannot find what ${place}: ${words}; write slugs or names of sites, with commas between them`;
}
