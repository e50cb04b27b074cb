import * as v from "valibot";
import { type GitHub, GitHubError, type Issue, type IssueComment } from "../github/github.ts";
import type { ManualIncident } from "../history/manual_incident.ts";
import type { StoredIncident } from "../history/stored_incidents.ts";
import { time } from "../history/yaml_file.ts";
import { MANUAL_LABEL } from "./manual_incidents.ts";
import { isMarked } from "./marked_texts.ts";

const ACCESS = v.object({
  /** The UTC day on which GitHub was asked; the answers are valid on that day only. */
  day: v.string(),
  /** True for people who may write, by login in lower case. */
  people: v.record(v.string(), v.boolean()),
  /** True if the token may not ask. */
  isRefused: v.optional(v.boolean()),
});

type AccessMemory = v.InferOutput<typeof ACCESS>;

export const TIMELINE_STATE = v.object({
  /** `owner/name` of the repository that was read. */
  repository: v.string(),
  /** Time of the newest comment that was read; absent before the first reading. */
  since: v.optional(time()),
  access: v.fallback(v.optional(ACCESS), undefined),
});

/** Progress of reading comments, kept from run to run; if it is lost, all comments are read again. */
export type TimelineState = v.InferOutput<typeof TIMELINE_STATE>;

interface TrackedIncident {
  issue: number;
  /** Earliest possible time of a comment; absent if the issue may be much older than the incident. */
  from?: Temporal.Instant;
  isOpen: boolean;
  /** True if it has no file yet. */
  isNew: boolean;
}

type ManualIssue = Omit<ManualIncident, "updates">;

export interface TrackedIncidents {
  /** Incidents of sites, and maintenance. */
  others: readonly TrackedIncident[];
  /** Picks the manual incidents among all issues with their label. */
  findManual(issues: readonly Issue[]): { manual: ManualIssue[]; tracked: TrackedIncident[] };
}

/** Issues and comments that people have written. */
export interface IncidentNews {
  manual?: readonly ManualIssue[];
  /** All comments on the issues that may have new ones, by issue number. */
  comments: ReadonlyMap<number, readonly IssueComment[]>;
  missing: ReadonlySet<number>;
  state: TimelineState;
  failure?: GitHubError;
}

/** Milliseconds by which the runner's clock may be ahead of GitHub's. */
const SKEW = 3_600_000;

/** The tracked part of a stored incident; `undefined` if it has no issue. */
export function trackIncident(incident: StoredIncident): TrackedIncident | undefined {
  const { issue, kind, start, end } = incident;
  if (issue === undefined) return undefined;
  // Maintenance is announced long before it starts.
  const from = kind === "maintenance" ? undefined : start.subtract({ milliseconds: SKEW });
  return { issue, from, isOpen: end === undefined, isNew: false };
}

/**
 * Reads manual incidents, and the comments on incidents: one request for the issues labelled "incident",
 * one for all comments since the start of the oldest open incident or since the last reading, whichever is
 * earlier, and one for each further issue: of open maintenance, and of older incidents with new comments.
 * Each author's write access takes another, once a day. `day` is the UTC day of the run.
 */
export async function readNews(
  github: GitHub,
  incidents: TrackedIncidents,
  { before, day }: { before?: TimelineState; day: string },
): Promise<IncidentNews> {
  const { repository } = github;
  const state = before?.repository === repository ? before : { repository };
  try {
    return await readAll(github, incidents, state, day);
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    return { comments: new Map(), missing: new Set(), state, failure: error };
  }
}

async function readAll(
  github: GitHub,
  { others, findManual }: TrackedIncidents,
  state: TimelineState,
  day: string,
): Promise<IncidentNews> {
  const found = findManual(await github.issuesLabelled(MANUAL_LABEL));
  const tracked = [...others, ...found.tracked];
  const comments = new Map<number, readonly IssueComment[]>();
  const missing = new Set<number>();
  const news = { manual: found.manual, comments, missing };
  const since = firstTime(tracked, state.since);
  if (since === undefined) return { ...news, state };

  const recent = await github.repositoryComments(since);
  const byIssue = Map.groupBy(recent, ({ issue }) => issue);
  const access = new WriteAccess(github, state.access, day);
  let failure: GitHubError | undefined;
  await Promise.all(tracked.map(async ({ issue, from, isOpen, isNew }) => {
    const listed = byIssue.get(issue);
    const isComplete = from !== undefined && Temporal.Instant.compare(since, from) <= 0;
    const mayHaveNews = isComplete || isNew || listed !== undefined ||
      (isOpen && from === undefined);
    if (!mayHaveNews) return;
    try {
      const all = isComplete ? listed ?? [] : await github.comments(issue);
      comments.set(issue, await access.judge(all));
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
  const after = { repository: state.repository, since: readUntil, access: access.memory };
  return { ...news, state: after, failure };
}

/** The time from which comments are read: all comments on open incidents, and new ones on the others. */
function firstTime(
  tracked: readonly TrackedIncident[],
  last: Temporal.Instant | undefined,
): Temporal.Instant | undefined {
  const read = last === undefined ? tracked : tracked.filter(({ isOpen }) => isOpen);
  const times = [...read.flatMap(({ from }) => from ?? []), ...last === undefined ? [] : [last]];
  if (tracked.length === 0) return undefined;
  return times.sort(Temporal.Instant.compare)[0] ?? Temporal.Instant.fromEpochMilliseconds(0);
}

/** Finds out whose comments count: those of people with write access, asked once per person and day. */
class WriteAccess {
  readonly #github: Pick<GitHub, "mayWrite">;
  readonly #asking = new Map<string, Promise<boolean | undefined>>();
  #memory: AccessMemory;
  #isNews = false;
  readonly #before?: AccessMemory;

  constructor(
    github: Pick<GitHub, "mayWrite">,
    before: AccessMemory | undefined,
    day: string,
  ) {
    this.#github = github;
    this.#before = before;
    this.#memory = before?.day === day ? before : { day, people: {} };
  }

  get memory(): AccessMemory | undefined {
    return this.#isNews ? this.#memory : this.#before;
  }

  /**
   * Marks comments as trusted only if their authors have write access.
   *
   * @throws {GitHubError} If GitHub does not answer now.
   */
  async judge(comments: readonly IssueComment[]): Promise<IssueComment[]> {
    return await Promise.all(comments.map(async (comment) => {
      const counts = comment.isTrusted && !isMarked(comment.body);
      return counts ? { ...comment, isTrusted: await this.#mayWrite(comment) } : comment;
    }));
  }

  async #mayWrite({ author, association }: IssueComment): Promise<boolean> {
    if (association === "OWNER") return true;
    const login = author.toLowerCase();
    const known = this.#memory.isRefused ? undefined : await this.#ask(login);
    // Without an answer, a member of the organization may have read access only.
    return known ?? association === "COLLABORATOR";
  }

  async #ask(login: string): Promise<boolean | undefined> {
    const { people } = this.#memory;
    if (Object.hasOwn(people, login)) return people[login];
    const asked = this.#asking.get(login) ?? this.#github.mayWrite(login);
    this.#asking.set(login, asked);
    const answer = await asked;
    this.#isNews = true;
    this.#memory = answer === undefined
      ? { ...this.#memory, isRefused: true }
      : { ...this.#memory, people: { ...this.#memory.people, [login]: answer } };
    return answer;
  }
}
