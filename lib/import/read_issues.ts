import { GitHubClient, type GitHubOptions, PAGE } from "../github/client.ts";
import { GitHubError } from "../github/github.ts";
import { parseIssue } from "../github/issues.ts";
import { USUAL_PACE } from "../github/limits.ts";
import type { Workspace } from "../io/workspace.ts";

/** An issue that Upptime opened for an incident. */
export interface UpptimeIssue {
  number: number;
  title: string;
  /** Names of its labels: `status`, Upptime's slug of the site, and tags. */
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
  issues: readonly UpptimeIssue[];
  /** Why not all of them could be read. */
  gap?: string;
}

/** Label of all issues that Upptime opens. */
const LABEL = "status";

/** Milliseconds for all pages of a large repository. */
const BUDGET = 600_000;

/** File that keeps the pages read so far while not all could be read. */
const CACHE = "import-issues.json";

/**
 * Reads the issues of incidents page by page, the oldest first. Complete pages are kept in `own`, git's folder for this
 * program, until all are read: after a rate limit the next run continues with the page that was missing.
 */
export async function readIssues(options: GitHubOptions, own: Workspace): Promise<ReadIssues> {
  const client = new GitHubClient({ ...options, pace: { ...USUAL_PACE, budget: BUDGET } });
  const issues = parseCache(await own.read(CACHE), options.repository);
  const read = issues.length;
  try {
    while (true) {
      const page = 1 + issues.length / PAGE;
      const found = await client.request(`read page ${page} of the issues`, async ({ rest }) => {
        const { data } = await rest.issues.listForRepo({
          ...{ ...client.place, labels: LABEL, state: "all", page, per_page: PAGE },
          ...{ sort: "created", direction: "asc" },
        });
        return data;
      }, { needs: "issues: read" });
      const isLast = found.length < PAGE;
      for (const one of found) issues.push(one.pull_request ? undefined : toIssue(parseIssue(one)));
      if (isLast) break;
    }
    await own.remove(CACHE);
    return { issues: issues.filter((one) => one !== undefined) };
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    if (issues.length > read) {
      const kept = issues.map((one) => one ?? null);
      await own.write(CACHE, JSON.stringify({ repository: options.repository, issues: kept }));
    }
    return { issues: issues.filter((one) => one !== undefined), gap: error.message };
  }
}

/** The issues of complete pages; `undefined` for a pull request, which takes a place on its page. */
function parseCache(text: string | undefined, repository: string): (UpptimeIssue | undefined)[] {
  if (text === undefined) return [];
  const cache = JSON.parse(text) as { repository: string; issues: (UpptimeIssue | null)[] };
  return cache.repository === repository ? cache.issues.map((one) => one ?? undefined) : [];
}

/** An issue by somebody who does not work for the repository is none of the monitor. */
function toIssue(
  { number, title, body, author, isTrusted, labels, created, closed }: ReturnType<
    typeof parseIssue
  >,
): UpptimeIssue | undefined {
  if (!isTrusted && !author.endsWith("[bot]")) return undefined;
  return {
    number,
    title,
    labels: labels.map((label) => label.toLowerCase()),
    commit: /\/commit\/([0-9a-f]{7,40})\b/.exec(body)?.[1],
    created: created.epochMilliseconds,
    closed: closed?.epochMilliseconds,
  };
}
