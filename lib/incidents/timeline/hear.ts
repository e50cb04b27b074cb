import type { GitHub, Issue, IssueComment, Tagged } from "../../github/github.ts";
import { GitHubError } from "../../github/github_error.ts";
import type { ManualIncident } from "../../history/manual_incident.ts";
import { isCovered, type Listed, listedOf, seenIn } from "./listed.ts";
import { MANUAL_LABEL } from "./manual_of.ts";
import type { TimelinesMemory } from "./memory.ts";
import type { Tracked } from "./tracked.ts";
import { WriteAccess } from "./write_access.ts";

/** What is followed, as far as it is known before GitHub is asked. */
export interface Followed {
  /** Incidents of sites, and maintenance. */
  others: readonly Tracked[];
  /** Manual incidents with a file. */
  manual: readonly Tracked[];
  /** Which of all issues with the label tell of manual incidents, and what there is to follow of them. */
  manualIn(issues: readonly Issue[]): { manual: Manual[]; tracked: Tracked[] };
}

type Manual = Omit<ManualIncident, "updates">;

/** What people have written, as far as it is news. */
export interface Heard {
  /** All manual incidents; absent where they are unchanged, or could not be read. */
  manual?: readonly Manual[];
  /** Every comment on the issues on which something changed, by number. */
  comments: ReadonlyMap<number, readonly IssueComment[]>;
  /** Issues whose comments could not be read. */
  missing: ReadonlySet<number>;
  memory: TimelinesMemory;
  /** Why it is not all. */
  failure?: GitHubError;
}

/** Comments that are listed at once before a later moment is begun with: what fits on one page. */
const MOST_LISTED = 100;
const ALWAYS = Temporal.Instant.fromEpochMilliseconds(0);

/**
 * Asks GitHub what is new on the issues of incidents. Where nothing is, that takes a request for the
 * manual incidents, one for all comments, and one for each open incident that began before the comments
 * that are listed (and one per day for each person who wrote one, to see whether they may write); with the tags of the same token none of them counts. Comments are read issue by issue
 * only where the list does not hold all of them.
 */
export async function hear(
  github: GitHub,
  followed: Followed,
  { before, day }: {
    before?: TimelinesMemory;
    /** The UTC day of this run. */
    day: string;
  },
): Promise<Heard> {
  const { repository } = github;
  const known: TimelinesMemory = before?.repository === repository
    ? before
    : { repository, open: {} };
  try {
    return await ask(github, followed, { known, day });
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    return { comments: new Map(), missing: new Set(), memory: known, failure: error };
  }
}

async function ask(
  github: GitHub,
  { others, manual: stored, manualIn }: Followed,
  { known, day }: { known: TimelinesMemory; day: string },
): Promise<Heard> {
  const issues = await github.issuesLabelled(MANUAL_LABEL, known.issues);
  const found = issues === "unchanged" ? undefined : manualIn(issues.value);
  const tag = issues === "unchanged" ? known.issues : issues.tag;
  const tracked = [...others, ...found?.tracked ?? stored];
  const heard = { manual: found?.manual, comments: new Map(), missing: new Set<number>() };
  const [first] = tracked.map(({ from }) => from).sort(Temporal.Instant.compare);
  if (first === undefined) return { ...heard, memory: { ...known, issues: tag, open: {} } };

  const { since, tag: listTag, seen } = known.comments ?? { since: first, seen: {} };
  const answer = await github.changedComments(since, listTag);
  const listed = answer === "unchanged" ? undefined : listedOf(since, answer.value);
  const now = listed === undefined ? seen : seenIn(listed, tracked);
  const looks = await lookAt(
    github,
    tracked.filter((one) => one.isOpen && !isCovered(one, since)),
    known,
  );
  const wanted = tracked.filter(({ issue, isNew }) =>
    isNew || now[issue] !== seen[issue] || looks.changed.has(issue)
  );
  const access = new WriteAccess(github, known.access, day);
  const read = await readComments(github, wanted, { listed, access });
  const failure = looks.failure ?? read.failure;
  const late = (issue: string) => read.missing.has(Number(issue));
  const memory: TimelinesMemory = {
    repository: known.repository,
    issues: failure === undefined ? tag : undefined,
    comments: failure !== undefined
      ? { since, seen: { ...without(now, late), ...only(seen, late) } }
      : listed === undefined
      ? known.comments
      : remembered(listed, { tag: (answer as Tagged<unknown>).tag, tracked, now }),
    open: { ...without(looks.open, late), ...only(known.open, late) },
    access: access.memory,
  };
  return { ...heard, comments: read.comments, missing: read.missing, memory, failure };
}

/** Whether issues have more or fewer comments than they had: one that was deleted shows nowhere else. */
async function lookAt(
  github: GitHub,
  open: readonly Tracked[],
  known: TimelinesMemory,
): Promise<{ changed: Set<number>; open: TimelinesMemory["open"]; failure?: GitHubError }> {
  const changed = new Set<number>();
  const after: TimelinesMemory["open"] = {};
  const failure = await each(open, async ({ issue }) => {
    const before = known.open[issue];
    if (before !== undefined) after[issue] = before;
    const answer = await github.changedIssue(issue, before?.tag);
    if (answer === "unchanged") return;
    if (answer.value === undefined) return void delete after[issue];
    const { comments } = answer.value;
    after[issue] = { tag: answer.tag, comments };
    if (comments !== before?.comments) changed.add(issue);
  });
  return { changed, open: after, failure };
}

/** Everything on some issues: from the list where that holds all of it. */
async function readComments(
  github: GitHub,
  wanted: readonly Tracked[],
  { listed, access }: { listed?: Listed; access: WriteAccess },
): Promise<
  Pick<Heard, "missing" | "failure"> & { comments: Map<number, readonly IssueComment[]> }
> {
  const comments = new Map<number, readonly IssueComment[]>();
  const missing = new Set(wanted.map(({ issue }) => issue));
  const failure = await each(wanted, async (one) => {
    const { issue, isNew } = one;
    const isListed = listed !== undefined && isCovered(one, listed.since);
    const known = isListed ? listed.byIssue.get(issue) ?? (isNew ? [] : undefined) : undefined;
    try {
      const found = known ?? await github.commentsSince(issue, ALWAYS);
      comments.set(issue, await access.judge(found));
    } catch (error) {
      // An issue that is gone takes nothing with it of what was read before.
      if (!(error instanceof GitHubError) || error.kind !== "final") throw error;
    }
    missing.delete(issue);
  });
  return { comments, missing, failure };
}

/** Does something for each of several, whatever becomes of the others, and returns the first refusal. */
async function each<T>(
  all: readonly T[],
  action: (one: T) => Promise<void>,
): Promise<GitHubError | undefined> {
  const ends = await Promise.allSettled(all.map(action));
  const errors = ends.flatMap((end): unknown[] => end.status === "rejected" ? [end.reason] : []);
  const bug = errors.find((error) => !(error instanceof GitHubError));
  if (bug !== undefined) throw bug;
  return errors[0] as GitHubError | undefined;
}

/** What is remembered of a list; a long one is begun with its end the next time. */
function remembered(
  listed: Listed,
  { tag, tracked, now }: { tag?: string; tracked: readonly Tracked[]; now: Record<string, string> },
): TimelinesMemory["comments"] {
  const { since, newest, count } = listed;
  if (count < MOST_LISTED || newest!.equals(since)) return { since, tag, seen: now };
  const rest = [...listed.byIssue.values()].flat()
    .filter(({ updated }) => Temporal.Instant.compare(updated, newest!) >= 0);
  return { since: newest!, seen: seenIn(listedOf(newest!, rest), tracked) };
}

function without<T>(values: Record<string, T>, drops: (key: string) => boolean): Record<string, T> {
  return only(values, (key) => !drops(key));
}

function only<T>(values: Record<string, T>, keeps: (key: string) => boolean): Record<string, T> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => keeps(key)));
}
