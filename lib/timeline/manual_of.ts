import type { Issue } from "../doors/platform/platform.ts";
import { takeApart } from "../hidden_part.ts";
import type { ManualIncident } from "../history/manual_incident.ts";
import { cutToLabel } from "../incidents/issue_labels.ts";
import { isMarked } from "../incidents/markers.ts";
import { isMaintenanceLabel } from "../maintenance/announced.ts";

/** The label by which people tell of an incident that no check found. */
export const MANUAL_LABEL = "incident";

/** Where an incident would be shown. */
export interface ManualPlace {
  /** The monitored folder in the repository, empty for its top. */
  folder: string;
  /** Slugs that a label may name. */
  slugs: readonly string[];
  redact(text: string): string;
}

/**
 * What an issue says of an incident; `undefined` where it tells of none of this folder: by its author,
 * its labels, or because it is the issue of another incident. The top of a repository shows all; another
 * folder those that name one of its sites, and those that carry no further label.
 */
export function manualOf(
  issue: Issue,
  { folder, slugs, redact }: ManualPlace,
): Omit<ManualIncident, "updates"> | undefined {
  const labels = issue.labels.map((label) => label.toLowerCase());
  const tells = labels.includes(MANUAL_LABEL) && !labels.some(isMaintenanceLabel);
  if (!tells || !issue.isTrusted || isMarked(issue.body)) return undefined;
  const sites = slugs.filter((slug) => labels.includes(cutToLabel(slug).toLowerCase()));
  const isForAll = folder === "" || labels.length === 1;
  if (sites.length === 0 && !isForAll) return undefined;
  return {
    kind: "manual",
    name: redact(issue.title.toWellFormed().trim()),
    sites,
    start: issue.created,
    end: issue.closed,
    issue: issue.number,
    text: redact(takeApart(issue.body).shown),
  };
}
