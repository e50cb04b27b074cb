import { GitHubClient, type GitHubOptions, PAGE } from "../github/client.ts";
import { type GitHub, GitHubError, type Issue, type RepositoryComment } from "../github/github.ts";
import { parseIssue, parseRepositoryComment } from "../github/issues.ts";
import { USUAL_PACE } from "../github/limits.ts";
import type { Client } from "../github/octokit.ts";
import type { Update } from "../history/yaml_file.ts";
import { STATUS_LABEL } from "../incidents/issue_labels.ts";
import { isMarked } from "../incidents/marked_texts.ts";
import { MAINTENANCE_LABEL } from "../incidents/maintenance/announcement.ts";
import { createPhaseReader } from "../incidents/phase_words.ts";
import { parseUpdates } from "../incidents/timeline_updates.ts";
import { isApp, WriteAccess } from "../incidents/write_access.ts";
import type { Workspace } from "../io/workspace.ts";
import { utcDay } from "../time.ts";

/** An issue about an incident or a maintenance window. */
export interface UpptimeIssue {
  number: number;
  title: string;
  body: string;
  /** Names in lower case: `status` or `maintenance`, Upptime's slugs of sites, and tags. */
  labels: readonly string[];
  /** Start of the name of the commit that it links to; absent if it links to none. */
  commit?: string;
  /** Times in milliseconds since 1970. */
  created: number;
  /** Absent while it is open. */
  closed?: number;
}

/** Issues as far as they could be read. */
export interface ReadIssues {
  /** Those about incidents. */
  issues: readonly UpptimeIssue[];
  /** Those that announce maintenance, by people with write access. */
  maintenance: readonly UpptimeIssue[];
  /** Comments of people with write access, by number of the issue. */
  updates: ReadonlyMap<number, readonly Update[]>;
  /** Why not all of them could be read. */
  gap?: string;
}

/** Milliseconds for all pages of a large repository. */
const BUDGET = 600_000;

/** File that keeps the pages read so far while not all could be read. */
const CACHE = "import-issues.json";

/** Items read so far, in the order of their pages; `null` for one that does not count. */
interface Pages {
  repository: string;
  issues: (UpptimeIssue | null)[];
  announcements: (Announcement | null)[];
  comments: (StoredComment | null)[];
}

type Author = Pick<Issue, "author" | "association" | "isTrusted">;
type Announcement = UpptimeIssue & Author;
type StoredComment =
  & Omit<RepositoryComment, "created" | "updated">
  & { created: string };

/**
 * Reads the issues of incidents and of maintenance, and all comments, page by page, the oldest first. Pages are kept in
 * `own`, git's folder for this program, until all are read: after a rate limit the next run continues with the page
 * that was missing.
 */
export async function readIssues(
  options: GitHubOptions,
  { own, github, redact }: {
    own: Workspace;
    github: Pick<GitHub, "mayWrite" | "account">;
    redact(text: string): string;
  },
): Promise<ReadIssues> {
  const client = new GitHubClient({ ...options, pace: { ...USUAL_PACE, budget: BUDGET } });
  const { place } = client;
  const pages = parseCache(await own.read(CACHE), options.repository);
  const list = <T>(labels: string, toStored: (issue: Issue) => T | null) => ({
    what: labels === STATUS_LABEL ? "the issues" : `the issues labeled "${labels}"`,
    read: async ({ rest }: Client, page: number) => {
      const { data } = await rest.issues.listForRepo({
        ...{ ...place, labels, state: "all", page, per_page: PAGE },
        ...{ sort: "created", direction: "asc" },
      });
      return data.map((found) => {
        return found.pull_request === undefined ? toStored(parseIssue(found)) : null;
      });
    },
  });
  const readAll = async <T>(
    known: (T | null)[],
    { what, read }: { what: string; read(client: Client, page: number): Promise<(T | null)[]> },
  ) => {
    while (known.length % PAGE === 0) {
      const page = 1 + known.length / PAGE;
      const found = await client.request(
        `read page ${page} of ${what}`,
        (one) => read(one, page),
        { needs: "issues: read" },
      );
      known.push(...found);
      if (found.length < PAGE) break;
    }
  };
  const before = countRead(pages);
  let gap: string | undefined;
  let updates = new Map<number, Update[]>();
  let maintenance: Announcement[] = [];
  const some = <T>(all: readonly (T | null)[]) => all.filter((one) => one !== null);
  try {
    await readAll(
      pages.issues,
      list(STATUS_LABEL, (issue) => isOfUpptime(issue) ? toIssue(issue) : null),
    );
    await readAll(pages.announcements, list(MAINTENANCE_LABEL, toAnnouncement));
    if (pages.issues.length + pages.announcements.length > 0) {
      await readAll(pages.comments, {
        what: "the comments",
        read: async ({ rest }, page) => {
          const { data } = await rest.issues.listCommentsForRepo({
            ...{ ...place, page, per_page: PAGE, sort: "created", direction: "asc" },
          });
          return data.map((found) => toStored(parseRepositoryComment(found)));
        },
      });
    }
    const access = new WriteAccess(github, undefined, utcDay(options.clock.now()));
    updates = await readUpdates(pages.comments, access, redact);
    maintenance = await access.trustIssues(some(pages.announcements));
    await own.remove(CACHE);
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    gap = error.message;
    if (countRead(pages) > before) await own.write(CACHE, JSON.stringify(pages));
  }
  return {
    issues: some(pages.issues),
    maintenance: maintenance.filter(({ isTrusted }) => isTrusted),
    updates,
    gap,
  };
}

function countRead({ issues, announcements, comments }: Pages): number {
  return issues.length + announcements.length + comments.length;
}

function parseCache(text: string | undefined, repository: string): Pages {
  const empty = { repository, issues: [], announcements: [], comments: [] };
  const cache = text === undefined ? empty : JSON.parse(text) as Pages;
  return cache.repository === repository ? { ...empty, ...cache } : empty;
}

/** An issue by somebody who does not work for the repository is none of the monitor, and one of ours none of Upptime. */
function isOfUpptime({ isTrusted, author, body }: Issue): boolean {
  return (isTrusted || isApp(author)) && !isMarked(body);
}

function toIssue({ number, title, body, labels, created, closed }: Issue): UpptimeIssue {
  return {
    ...{ number, title, body },
    labels: labels.map((label) => label.toLowerCase()),
    commit: /\/commit\/([0-9a-f]{7,40})\b/.exec(body)?.[1],
    created: created.epochMilliseconds,
    closed: closed?.epochMilliseconds,
  };
}

/** An announcement with what tells if its author may make it. */
function toAnnouncement(issue: Issue): Announcement | null {
  const { author, association, isTrusted } = issue;
  const mayCount = isTrusted || isApp(author);
  return mayCount ? { ...toIssue(issue), author, association, isTrusted } : null;
}

function toStored({ updated: _, created, ...rest }: RepositoryComment): StoredComment | null {
  return rest.isTrusted ? { ...rest, created: created.toString() } : null;
}

async function readUpdates(
  comments: readonly (StoredComment | null)[],
  access: WriteAccess,
  redact: (text: string) => string,
): Promise<Map<number, Update[]>> {
  const known = comments.filter((one) => one !== null);
  const trusted = await access.trust(
    known.map((one) => ({ ...one, created: Temporal.Instant.from(one.created) })),
  );
  // Upptime's timelines are in English.
  const readPhase = createPhaseReader([]);
  const byIssue = Map.groupBy(trusted.keys(), (index) => known[index]!.issue);
  return new Map(
    [...byIssue].map(([issue, indexes]) => [
      issue,
      parseUpdates(indexes.map((index) => trusted[index]!), { readPhase, redact }),
    ]),
  );
}
