import type { Issue } from "../github/github.ts";
import { type Impact, IMPACTS, type ManualIncident } from "../history/manual_incident.ts";
import { takeApart } from "../text/hidden_part.ts";
import { INCIDENT_FORM, readForm } from "./issue_forms.ts";
import { cutToLabel } from "./issue_labels.ts";
import { isMaintenanceLabel } from "./maintenance/announcement.ts";
import { isMarked } from "./marked_texts.ts";
import { type NamedSite, splitSites, whyUnknown } from "./named_sites.ts";

/** Label of issues that report an incident which no check found. */
export const MANUAL_LABEL = "incident";

/** A label that states the impact: `impact: major`, or `major` alone. */
const LABEL = new RegExp(`^(?:impact ?[:/-]? ?)?(${IMPACTS.join("|")})$`, "i");

/** A line that states the impact: `Impact: major`, also bold or as a list item. */
const LINE = new RegExp(
  `^[ \\t>]*(?:[-*+] )?(?:\\*\\*|__)?impact(?:\\*\\*|__)? ?:(?:\\*\\*|__)? *(?:\\*\\*|__|\`)?(${
    IMPACTS.join("|")
  })\\b`,
  "im",
);

function findWorst(words: readonly string[]): Impact | undefined {
  return IMPACTS.findLast((impact) => words.some((word) => word.toLowerCase() === impact));
}

function findImpact(text: string): Impact | undefined {
  const [, word] = LINE.exec(text) ?? [];
  return word === undefined ? undefined : findWorst([word]);
}

export interface ManualPlace {
  /** The monitored folder in the repository, empty for its top. */
  folder: string;
  sites: readonly NamedSite[];
  redact(text: string): string;
}

/**
 * Reads an issue as a manual incident; `undefined` if its author, its labels, or a marker of ours say that
 * it is none, or if it belongs to another folder. The top of a repository takes all; another folder takes
 * those that name one of its sites, and those without further labels.
 */
export function parseManualIncident(
  issue: Issue,
  { folder, sites: known, redact }: ManualPlace,
): Omit<ManualIncident, "updates"> | undefined {
  const labels = issue.labels.map((label) => label.toLowerCase());
  const isIncident = labels.includes(MANUAL_LABEL) && !labels.some(isMaintenanceLabel);
  if (!isIncident || !issue.isTrusted || isMarked(issue.body)) return undefined;
  const form = readForm(issue.body, INCIDENT_FORM);
  const named = splitSites(form?.sites.text ?? "", known);
  const slugs = known.map(({ slug }) => slug);
  const ofSites = new Set(slugs.map((slug) => cutToLabel(slug).toLowerCase()));
  // A site may go by the name of our label.
  const isLabeled = (slug: string) =>
    slug !== MANUAL_LABEL && labels.includes(cutToLabel(slug).toLowerCase());
  const sites = slugs.filter((slug) => isLabeled(slug) || named.slugs.has(slug));
  const { shown } = takeApart(form === undefined ? issue.body : form.text.text);
  // Or by that of an impact.
  const impacts = labels.filter((label) => !ofSites.has(label) && LABEL.test(label));
  const isForAll = folder === "" ||
    (labels.length === 1 + impacts.length && named.unknown.length === 0);
  if (sites.length === 0 && !isForAll) return undefined;
  return {
    kind: "manual",
    name: redact(issue.title.toWellFormed().trim()),
    sites,
    impact: findWorst(impacts.map((label) => LABEL.exec(label)![1]!)) ??
      findWorst([form?.impact.text ?? ""]) ?? findImpact(shown),
    start: issue.created,
    end: issue.closed,
    issue: issue.number,
    text: redact(shown),
  };
}

/** Explains which sites of an open issue's form are unknown; `undefined` if none is, or if another folder may have them. */
export function findUnknownSites(
  { number, body, isOpen }: Issue,
  { folder, sites }: ManualPlace,
): string | undefined {
  const field = readForm(body, INCIDENT_FORM)?.sites;
  if (!isOpen || field === undefined || folder !== "") return undefined;
  const { unknown } = splitSites(field.text, sites);
  return unknown.length === 0
    ? undefined
    : whyUnknown(unknown, sites, `issue #${number} names in line ${field.line}`);
}
