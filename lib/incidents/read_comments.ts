import * as v from "valibot";
import { type GitHub, GitHubError, type IssueComment } from "../github/github.ts";
import type { ManualIncident } from "../history/manual_incident.ts";
import { listSlugs, type StoredIncidents } from "../history/stored_incidents.ts";
import { time } from "../history/yaml_file.ts";
import {
  findUnknownSites,
  MANUAL_LABEL,
  type ManualPlace,
  parseManualIncident,
} from "./manual_incidents.ts";
import { ACCESS, WriteAccess } from "./write_access.ts";

export const TIMELINE_STATE = v.object({
  /** `owner/name` of the repository that was read. */
  repository: v.string(),
  /** Time of the newest comment that was read; absent before the first reading. */
  since: v.optional(time()),
  access: v.fallback(v.optional(ACCESS), undefined),
});

/** Progress of reading comments, kept from run to run; if it is lost, all comments are read again. */
export type TimelineState = v.InferOutput<typeof TIMELINE_STATE>;

export interface FetchedUpdates {
  /** All manual incidents; absent if they could not be read. */
  manual?: readonly Omit<ManualIncident, "updates">[];
  /** All comments on the issues that may have new ones, by issue number. */
  comments: ReadonlyMap<number, readonly IssueComment[]>;
  /** Issues whose comments could not be read. */
  missing: ReadonlySet<number>;
  state: TimelineState;
  /** Mistakes for the authors of manual incidents. */
  notes: readonly string[];
  failure?: GitHubError;
}

interface Tracked {
  issue: number;
  /** Earliest possible time of a comment; absent if the issue may be much older than the incident. */
  from?: Temporal.Instant;
  isOpen: boolean;
  /** True if it has no file yet. */
  isNew: boolean;
}

/**
 * Reads manual incidents, and the comments on incidents: one request for the issues labeled "incident",
 * one for all comments since the start of the oldest open incident or since the last reading, whichever is
 * earlier, and one for each further issue: of open maintenance, and of older incidents with new comments.
 * Each author's write access takes another, once a day. `day` is the UTC day of the run.
 */
export async function fetchUpdates(
  github: GitHub,
  stored: StoredIncidents,
  place: ManualPlace,
  { before, day }: { before?: TimelineState; day: string },
): Promise<FetchedUpdates> {
  const { repository } = github;
  const state: TimelineState = before?.repository === repository ? before : { repository };
  const comments = new Map<number, readonly IssueComment[]>();
  const missing = new Set<number>();
  try {
    const access = new WriteAccess(github, state.access, day);
    const { manual, tracked, notes } = await findTracked(github, stored, { place, access });
    const since = firstTime(tracked, state.since);
    if (since === undefined) {
      return {
        manual,
        comments,
        missing,
        notes,
        state: { ...state, ...access.memory && { access: access.memory } },
      };
    }
    const recent = await github.repositoryComments(since);
    const byIssue = Map.groupBy(recent, ({ issue }) => issue);
    let failure: GitHubError | undefined;
    await Promise.all(tracked.map(async ({ issue, from, isOpen, isNew }) => {
      const listed = byIssue.get(issue);
      const isComplete = from !== undefined && Temporal.Instant.compare(since, from) <= 0;
      const isOld = isOpen && from === undefined;
      if (!isComplete && !isNew && !isOld && listed === undefined) return;
      try {
        const all = isComplete ? listed ?? [] : await github.comments(issue);
        comments.set(issue, await access.trust(all));
      } catch (error) {
        if (!(error instanceof GitHubError)) throw error;
        // A deleted issue keeps the comments that were read before.
        if (error.kind === "permanent") return;
        failure ??= error;
        missing.add(issue);
      }
    }));
    const newest = recent.map(({ updated }) => updated).sort(Temporal.Instant.compare).at(-1);
    const readUntil = failure === undefined ? newest ?? state.since ?? since : state.since;
    const after = { repository, since: readUntil, access: access.memory };
    return { manual, comments, missing, notes, state: after, failure };
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    return { comments: new Map(), missing: new Set(), notes: [], state, failure: error };
  }
}

/** Milliseconds by which the runner's clock may be ahead of GitHub's. */
const SKEW = 3_600_000;

async function findTracked(
  github: GitHub,
  { incidents }: StoredIncidents,
  { place, access }: { place: ManualPlace; access: WriteAccess },
): Promise<{ manual: Omit<ManualIncident, "updates">[]; tracked: Tracked[]; notes: string[] }> {
  const all = [...incidents.values()];
  const others = all.filter(({ kind }) => kind !== "manual").flatMap(
    ({ issue, kind, start, end }): Tracked[] => {
      // Maintenance is announced long before it starts.
      const from = kind === "maintenance" ? undefined : start.subtract({ milliseconds: SKEW });
      return issue === undefined ? [] : [{ issue, from, isOpen: end === undefined, isNew: false }];
    },
  );
  const numbers = new Set(others.map(({ issue }) => issue));
  const known = new Map(
    all.filter(({ kind }) => kind === "manual").map((one) => [one.issue, listSlugs(one)]),
  );
  const issues = await github.issuesLabeled(MANUAL_LABEL);
  const untracked = issues.filter(({ number }) => !numbers.has(number));
  const notes: string[] = [];
  const manual = (await access.trustIssues(untracked, known)).flatMap((issue) => {
    const before = known.get(issue.number) ?? [];
    const removed = before.filter((slug) => !place.sites.some((site) => site.slug === slug));
    const sites = [...place.sites, ...removed.map((slug) => ({ slug, name: slug }))];
    const incident = parseManualIncident(issue, { ...place, sites });
    if (incident === undefined) return [];
    const note = findUnknownSites(issue, { ...place, sites });
    if (note !== undefined) notes.push(note);
    return incident;
  });
  const tracked = manual.map(({ issue, start, end }): Tracked => (
    { issue, from: start, isOpen: end === undefined, isNew: !known.has(issue) }
  ));
  return { manual, tracked: [...others, ...tracked], notes };
}

/** The time from which comments are read: all comments on open incidents, and new ones on the others. */
function firstTime(
  tracked: readonly Tracked[],
  last: Temporal.Instant | undefined,
): Temporal.Instant | undefined {
  if (tracked.length === 0) return undefined;
  const read = last === undefined ? tracked : tracked.filter(({ isOpen }) => isOpen);
  const times = [...read.map(({ from }) => from), last].filter((one) => one !== undefined);
  return times.sort(Temporal.Instant.compare)[0] ?? Temporal.Instant.fromEpochMilliseconds(0);
}
