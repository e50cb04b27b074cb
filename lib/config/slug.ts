import { isMap } from "./document.ts";
import { countBytes } from "../text/plain_text.ts";

/** Longest slug in bytes of UTF-8, so that every file system and label takes it. */
export const SLUG_BYTES = 100;

/**
 * The name of a site's files: lower case, white space as hyphens, and nothing that a path, a label or an
 * address could misread. Empty if nothing usable is left.
 */
export function toSlug(name: string): string {
  const slug = slugWithBrackets(name);
  if (!/[\p{Ps}\p{Pe}]/u.test(slug)) return slug;
  // Text in brackets is a word of its own, and brackets leave no hyphen at either end.
  return slug.replace(/-*[\p{Ps}\p{Pe}][-\p{Ps}\p{Pe}]*/gu, "-").replace(/^-|-$/g, "")
    .replace(/^\.+/, "");
}

/** {@linkcode toSlug} as it was up to version 1.41: files of that name stay in use. */
export function slugWithBrackets(name: string): string {
  return name.normalize("NFC").trim().toLowerCase()
    .replace(/\s+/gu, "-")
    .replace(/[/\\:*?"<>|#%&]|\p{C}/gu, "-")
    .replace(/^\.+/, "");
}

export interface RecordedSlugs {
  recorded: readonly string[];
  /** True if Upptime monitored the sites before. */
  isFromUpptime(): Promise<boolean>;
}

/** A repository in which nothing was monitored before. */
export const NO_RECORDS: RecordedSlugs = {
  recorded: [],
  isFromUpptime: () => Promise.resolve(false),
};

/**
 * Slugs of sites by their names, for those that don't have the one of {@linkcode toSlug}: a site keeps the
 * slug that its record has, and in a repository that comes from Upptime a site has the slug that Upptime
 * gives it. None is a slug that another site has by its own name.
 */
export async function keptSlugs(
  document: unknown,
  { recorded, isFromUpptime }: RecordedSlugs,
): Promise<ReadonlyMap<string, string>> {
  const kept = new Map<string, string>();
  const sites: unknown[] = isMap(document) && Array.isArray(document["sites"])
    ? document["sites"]
    : [];
  const texts = (key: string) =>
    sites.flatMap((site) => isMap(site) && typeof site[key] === "string" ? [site[key]] : []);
  const known = new Set(recorded);
  const others = texts("name").filter((name) => !known.has(toSlug(name)));
  if (others.length === 0) return kept;
  const fromUpptime = await isFromUpptime();
  if (known.size === 0 && !fromUpptime) return kept;
  const taken = new Set([...texts("name").map(toSlug), ...texts("slug")]);
  const upptimeSlug = await loadUpptimeSlug();
  for (const name of others) {
    const theirs = upptimeSlug(name);
    const slug = [slugWithBrackets(name), theirs].find((slug) => known.has(slug)) ??
      (fromUpptime ? theirs : "");
    const isUsable = slug !== "" && countBytes(slug) <= SLUG_BYTES && slug !== toSlug(name);
    if (isUsable && !taken.has(slug)) kept.set(name, slug);
  }
  return kept;
}

/** Loads Upptime's rule for slugs. It takes some 30 ms, and most runs know all of their sites. */
export async function loadUpptimeSlug(): Promise<(name: string) => string> {
  const { default: upptimeSlug } = await import("@sindresorhus/slugify");
  return (name) => upptimeSlug(name);
}
