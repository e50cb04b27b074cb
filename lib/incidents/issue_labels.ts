import type { Site } from "../config/config.ts";
import { type GitHub, GitHubError, type Label } from "../github/github.ts";

/** The label of all incidents that the monitor found. */
export const STATUS_LABEL = "status";

/** Longest name of a label, in characters (docs.github.com/rest/issues/labels), counted as code units to be safe. */
const LONGEST = 50;

/**
 * Labels of a site's incidents: {@linkcode STATUS_LABEL}, its slug and its tags, without duplicates that
 * differ in case only, because GitHub ignores case.
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

/** Colour of a label that GitHub made because a new issue named it; such a label has no description either. */
const UNDESCRIBED = "ededed";

/** Labels described in one run; the others wait, so that they delay nothing urgent. */
const MOST = 5;

/** Time between two checks of the labels. */
const INTERVAL = { hours: 7 * 24 };

/** True if labels have to be checked: the last check is long ago, or lies in the future after a change of the clock. */
export function isLabelCheckDue(
  last: Temporal.Instant | undefined,
  now: Temporal.Instant,
): boolean {
  if (last === undefined) return true;
  const isAhead = Temporal.Instant.compare(last, now) > 0;
  return isAhead || Temporal.Instant.compare(last.add(INTERVAL), now) <= 0;
}

/**
 * Gives colour and description to the labels that GitHub created with a new issue; others stay as people
 * made them. Returns true if none is left. Issues work without them, so a refusal is not a failure.
 */
export async function describeLabels(
  github: Pick<GitHub, "labels" | "changeLabel">,
  labels: readonly Label[],
): Promise<boolean> {
  try {
    const byName = new Map(labels.map((label) => [label.name.toLowerCase(), label]));
    const plain = (await github.labels()).filter(({ color, description }) =>
      color.toLowerCase() === UNDESCRIBED && description === ""
    );
    const ours = plain.flatMap(({ name }) => {
      const label = byName.get(name.toLowerCase());
      return label === undefined ? [] : [{ ...label, name }];
    });
    await Promise.all(ours.slice(0, MOST).map((label) => github.changeLabel(label)));
    return ours.length <= MOST;
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    return error.kind !== "transient";
  }
}
