import type { GitHub, Label } from "../github/github.ts";
import { GitHubError } from "../github/github_error.ts";

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
    return error.kind !== "passing";
  }
}
