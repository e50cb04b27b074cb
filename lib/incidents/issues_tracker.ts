import type { Effect } from "../outbox/effect.ts";
import { formatTime } from "../time.ts";
import type { IncidentEvent } from "./event.ts";
import { eventId } from "./event_id.ts";
import type { IssueEffect, IssueToOpen } from "./issue_effect.ts";
import { issueLabels } from "./issue_labels.ts";
import type { Tracker } from "./tracker.ts";

/** What issues say. */
export interface IssueTexts {
  title(event: IncidentEvent): string;
  body(event: IncidentEvent): string;
  comment(event: IncidentEvent): string;
}

/** How incidents are kept as issues. */
export interface IssuesTrackerOptions {
  place: string;
  /** The monitored folder in the repository: empty, or a path that ends in `/`. */
  folder: string;
  /** Whether new issues are opened; those that are there are brought to their end either way. */
  opens: boolean;
  texts: IssueTexts;
  /** Whether only collaborators may comment. */
  lock: boolean;
  /** Logins that every issue is assigned to. */
  assignees: readonly string[];
}

/** Keeps each incident as an issue of the repository, beside its file. */
export function issuesTracker(options: IssuesTrackerOptions): Tracker {
  const { place, opens } = options;
  return {
    place,
    owes: (event, isTracked) =>
      // One that nothing is remembered of may be there all the same.
      isTracked || opens ? [effectOf(event, options)] : [],
  };
}

const WORDS = {
  open: "open an issue",
  update: "update the issue",
  reopen: "reopen the issue",
  close: "close the issue",
  flap: "comment that the site is flapping",
  reason: "comment on the new reason",
  affects: "tell the issue what fails as well",
};

function effectOf(event: IncidentEvent, options: IssuesTrackerOptions): Effect {
  const { action, id, incident, site } = event;
  return {
    id: eventId(event),
    carrier: "issue",
    line: id,
    what: `${WORDS[action]} for ${site?.name ?? incident.slug} (${id})`,
    data: dataOf(event, options),
  };
}

function dataOf(event: IncidentEvent, options: IssuesTrackerOptions): IssueEffect {
  const { action, id, incident } = event;
  const { title, comment } = options.texts;
  const common = {
    name: encodeURI(options.folder.toWellFormed()) + id,
    title: title(event),
    titles: (["down", "degraded"] as const).map((condition) => title({ ...event, condition })),
    start: formatTime(incident.start),
    ...incident.issue === undefined ? {} : { number: incident.issue },
  };
  if (action === "open") return { action, ...common, issue: issueToOpen(event, options) };
  const told = { ...common, comment: comment(event) };
  if (action === "close") return { action, ...told };
  const isReopened = action === "reopen";
  return {
    action: isReopened ? "reopen" : "update",
    ...told,
    issue: issueToOpen(event, options),
  };
}

function issueToOpen(
  event: IncidentEvent,
  { texts, lock, assignees }: IssuesTrackerOptions,
): IssueToOpen {
  const { site, incident: { slug } } = event;
  const logins = [...assignees, ...site?.assignees ?? []];
  return {
    body: texts.body(event),
    labels: issueLabels({ slug, tags: site?.tags ?? [] }),
    assignees: [...new Map(logins.map((login) => [login.toLowerCase(), login])).values()],
    lock,
  };
}
