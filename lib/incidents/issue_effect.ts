import * as v from "valibot";
import { INCIDENTS_FOLDER } from "../history/incident.ts";
import { formatTime } from "../time.ts";
import {
  eventId,
  type IncidentEvent,
  type SharedIssueEvent,
  type Tracker,
} from "./incident_event.ts";
import { issueLabels, STATUS_LABEL } from "./issue_labels.ts";

const ISSUE = v.object({
  body: v.string(),
  labels: v.array(v.object({ name: v.string() })),
  assignees: v.array(v.string()),
  lock: v.boolean(),
});

const COMMON = {
  /** Name of the incident in the marker that identifies its issue. */
  name: v.string(),
  title: v.string(),
  /** The titles that we give; a title that a person gave stays. */
  titles: v.array(v.string()),
  start: v.string(),
  number: v.optional(v.number()),
};

const ISSUE_EFFECT = v.variant("action", [
  v.object({ action: v.literal("open"), ...COMMON, issue: ISSUE }),
  // The issue may never have been opened, or be gone by then.
  v.object({ action: v.literal("update"), ...COMMON, comment: v.string(), issue: ISSUE }),
  v.object({ action: v.literal("reopen"), ...COMMON, comment: v.string(), issue: ISSUE }),
  v.object({ action: v.literal("close"), ...COMMON, comment: v.string() }),
]);

/** A change to the issue of an incident, self-contained, so that it can be executed at any time. */
type IssueEffect = v.InferOutput<typeof ISSUE_EFFECT>;

export type IssueToOpen = v.InferOutput<typeof ISSUE>;

/** Parses the data of an effect; `undefined` if another version of the program wrote it. */
export function parseIssueEffect(data: unknown): IssueEffect | undefined {
  const result = v.safeParse(ISSUE_EFFECT, data);
  return result.success ? result.output : undefined;
}

const WORDS = {
  open: "open an issue",
  update: "update the issue",
  reopen: "reopen the issue",
  close: "close the issue",
  flap: "comment that the site is flapping",
  reason: "comment on the new reason",
  affects: "comment on what fails as well",
  acknowledge: "comment on who has acknowledged",
};

const SHARED_WORDS = {
  open: "open the shared issue",
  update: "update the shared issue",
  reopen: "reopen the shared issue",
  close: "close the shared issue",
};

/** Keeps each incident as an issue of the repository, beside its file. */
export function issuesTracker({ place, folder, opens, texts, lock, assignees }: {
  place: string;
  /** The monitored folder in the repository: empty, or a path that ends in `/`. */
  folder: string;
  /** True if new issues are opened; existing ones are updated and closed either way. */
  opens: boolean;
  texts: {
    title(event: IncidentEvent): string;
    /** The titles if it is down and if it is degraded, and those that an earlier run may have given. */
    titles(event: IncidentEvent): string[];
    body(event: IncidentEvent): string;
    comment(event: IncidentEvent): string;
    sharedTitle(event: SharedIssueEvent): string;
    sharedBody(event: SharedIssueEvent): string;
    sharedComment(event: SharedIssueEvent): string;
  };
  lock: boolean;
  assignees: readonly string[];
}): Tracker {
  const issueToOpen = (event: IncidentEvent): IssueToOpen => {
    const { site, incident: { slug } } = event;
    const logins = [...assignees, ...site?.assignees ?? []];
    return {
      body: texts.body(event),
      labels: issueLabels({ slug, tags: site?.tags ?? [] }).map((name) => ({ name })),
      assignees: [...new Map(logins.map((login) => [login.toLowerCase(), login])).values()],
      lock,
    };
  };
  const toData = (event: IncidentEvent): IssueEffect => {
    const { action, id, incident } = event;
    const common = {
      name: encodeURI(folder.toWellFormed()) + id,
      title: texts.title(event),
      titles: texts.titles(event),
      start: formatTime(incident.start),
      ...incident.issue === undefined ? {} : { number: incident.issue },
    };
    if (action === "open") return { action, ...common, issue: issueToOpen(event) };
    const comment = texts.comment(event);
    if (action === "close") return { action, ...common, comment };
    const change = action === "reopen" ? action : "update";
    return { action: change, ...common, comment, issue: issueToOpen(event) };
  };
  const toSharedData = (event: SharedIssueEvent): IssueEffect => {
    const { action, issue: name, number } = event;
    const title = texts.sharedTitle(event);
    const common = {
      name: encodeURI(folder.toWellFormed()) + name,
      title,
      titles: [title],
      start: formatTime(event.start),
      ...number === undefined ? {} : { number },
    };
    const issue = {
      body: texts.sharedBody(event),
      labels: [{ name: STATUS_LABEL }],
      assignees: [...assignees],
      lock,
    };
    if (action === "open") return { action, ...common, issue };
    const comment = texts.sharedComment(event);
    return action === "close"
      ? { action, ...common, comment }
      : { action, ...common, comment, issue };
  };
  return {
    place,
    planShared(event) {
      const isTracked = event.action !== "open";
      if (!isTracked && !opens) return [];
      const { id, issue: queue, open } = event;
      const description = `${
        SHARED_WORDS[event.action]
      } of ${open.length} open incidents (${queue})`;
      return [{ id, handler: "issue", queue, description, data: toSharedData(event) }];
    },
    plan(event, isTracked) {
      // The issue of an incident without a run state may exist.
      if (!isTracked && !opens) return [];
      const { action, id, incident, site } = event;
      const description = `${WORDS[action]} for ${site?.name ?? incident.slug} (${id})`;
      const data = toData(event);
      return [{ id: eventId(event), handler: "issue", queue: id, description, data }];
    },
  };
}

/** Keeps incidents in their files only, which the commit of a run writes. */
export const filesTracker: Tracker = {
  place: `files in ${INCIDENTS_FOLDER}/`,
  plan: () => [],
};
