import type { Site } from "../config/config.ts";

export const STATUS_LABEL = "status";

/** Longest name of a label, in characters (docs.github.com/rest/issues/labels), counted as code units to be safe. */
const LONGEST = 50;

/**
 * Labels of a site's incidents: {@linkcode STATUS_LABEL}, its slug and its tags. Of labels that differ in case
 * only there is one, because GitHub ignores case.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(issueLabels({ slug: "shop", tags: ["eu", "Shop"] }), ["status", "shop", "eu"]);
 * assertEquals(issueLabels({ slug: "👨‍👩‍👧".repeat(9), tags: [] })[1], "👨‍👩‍👧".repeat(6));
 * ```
 */
export function issueLabels({ slug, tags }: Pick<Site, "slug" | "tags">): string[] {
  const names = [STATUS_LABEL, slug, ...tags].map(cutToLabel);
  const keys = names.map((name) => name.toLowerCase());
  return names.filter((_, index) => keys.indexOf(keys[index]!) === index);
}

/** Cuts a text to the longest label that GitHub takes. Emoji that are joined from several signs stay whole. */
export function cutToLabel(text: string): string {
  if (text.length <= LONGEST) return text.trim();
  const signs = [...new Intl.Segmenter().segment(text)];
  const fitting = signs.filter(({ index, segment }) => index + segment.length <= LONGEST);
  return fitting.map(({ segment }) => segment).join("").trim();
}
