import type { Site } from "../config/config.ts";
import type { Label } from "../github/github.ts";

/** The label of all incidents that the monitor found. */
export const STATUS_LABEL = "status";

/** Longest name of a label, in characters (docs.github.com/rest/issues/labels), counted as code units to be safe. */
const LONGEST = 50;

/**
 * Labels of a site's incidents: {@linkcode STATUS_LABEL}, its slug and its tags, each once whatever its case, as the
 * GitHub tells them apart.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const labels = issueLabels({ slug: "shop", tags: ["eu", "Shop"] });
 * assertEquals(labels.map(({ name }) => name), ["status", "shop", "eu"]);
 * const families = issueLabels({ slug: "👨‍👩‍👧".repeat(9), tags: [] });
 * assertEquals(families[1]!.name, "👨‍👩‍👧".repeat(6));
 * ```
 */
export function issueLabels({ slug, tags }: Pick<Site, "slug" | "tags">): Label[] {
  const labels = [
    { name: STATUS_LABEL, color: "1f6feb", description: "Incidents that the monitor found" },
    { name: slug, color: "d0d7de", description: "Incidents of one monitored site" },
    ...tags.map((name) => ({ name, color: "bfd4f2", description: "Tag of monitored sites" })),
  ];
  const byName = new Map<string, Label>();
  for (const label of labels) {
    const name = cutToLabel(label.name);
    if (!byName.has(name.toLowerCase())) byName.set(name.toLowerCase(), { ...label, name });
  }
  return [...byName.values()];
}

/** A text as the name of a label: as much of it as GitHub takes. Emoji that are joined from several signs stay whole. */
export function cutToLabel(text: string): string {
  if (text.length <= LONGEST) return text.trim();
  const signs = [...new Intl.Segmenter().segment(text)];
  const fitting = signs.filter(({ index, segment }) => index + segment.length <= LONGEST);
  return fitting.map(({ segment }) => segment).join("").trim();
}
