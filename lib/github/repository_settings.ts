import { toAnswer } from "./answer.ts";
import { getRepository, GitHubClient, type GitHubOptions, PAGE, toSeconds } from "./client.ts";
import { GitHubError } from "./github.ts";
import type { Client } from "./octokit.ts";
import { parseScopes } from "./refusal.ts";

/** A repository, and the permissions of the token's account in it. */
export interface RepositoryFacts {
  isPrivate: boolean;
  isArchived: boolean;
  hasIssues: boolean;
  /** The default branch, which schedules run from. */
  branch: string;
  /** Time of the last push; absent if nothing was ever pushed. */
  pushed?: Temporal.Instant;
  /** True if the account may push; absent if GitHub does not say. */
  mayPush?: boolean;
  /** Scopes of a classic token; absent for others. */
  scopes?: readonly string[];
}

export interface PagesFacts {
  /** Published branch and folder; absent if a workflow publishes. */
  source?: { branch: string; path: string };
  cname?: string;
  isHttps: boolean;
}

/** A fact, or the reason why it is unknown. */
export type Known<T> = { value: T; why?: undefined; isWrong?: undefined } | {
  value?: undefined;
  why: string;
  /** True if the user must fix something first, such as the token. */
  isWrong: boolean;
};

export interface RepositorySettings {
  repository: Known<RepositoryFacts>;
  hasActions: Known<boolean>;
  /** Paths of workflow files, and `active`, `disabled_manually`, `disabled_inactivity`, `disabled_fork` or `deleted`. */
  workflows: Known<readonly { path: string; state: string }[]>;
  /** Number of runs of a workflow that its schedule started since a time. */
  scheduledRuns: Known<number>;
  /** `undefined` if GitHub Pages is off. */
  pages: Known<PagesFacts | undefined>;
  /** Names of the repository's secrets, including those shared by its organization. */
  secrets: Known<readonly string[]>;
  /** GitHub's names of the rules that apply to pushes to the default branch. */
  rules: Known<readonly string[]>;
  /** True if the default branch is protected, by rulesets or otherwise; false if it does not exist. */
  isProtected: Known<boolean>;
}

/** Reason for unknown settings of a hidden repository; that of the repository itself explains more. */
export const NOT_SEEN = "GitHub does not show the repository";

/** Settings if GitHub can't be asked, for a reason. */
export function unknownSettings(why: string): RepositorySettings {
  const unknown = { why, isWrong: false };
  return {
    ...{ repository: unknown, hasActions: unknown, workflows: unknown, scheduledRuns: unknown },
    ...{ pages: unknown, secrets: unknown, rules: unknown, isProtected: unknown },
  };
}

/** Reads the settings of a repository, and counts the scheduled runs of a workflow file since a time. */
export async function readRepositorySettings(
  options: GitHubOptions,
  workflow: string,
  since: Temporal.Instant,
): Promise<RepositorySettings> {
  const client = new GitHubClient(options);
  const { place } = client;
  const all = { ...place, per_page: PAGE };
  const see = async <T>(
    what: string,
    needs: string,
    task: (client: Client) => Promise<T>,
  ): Promise<Known<T>> => {
    try {
      return { value: await client.request(`see ${what}`, task, { needs }) };
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error;
      return { why: error.message, isWrong: error.kind === "misconfigured" };
    }
  };
  const repository = await see("the repository", "metadata: read", async (client) => {
    const { data, headers } = await getRepository(client, place);
    const pushed = data.pushed_at ?? undefined;
    return {
      isPrivate: data.private,
      isArchived: data.archived,
      hasIssues: data.has_issues,
      branch: data.default_branch,
      pushed: pushed === undefined ? undefined : Temporal.Instant.from(pushed),
      mayPush: data.permissions?.push,
      scopes: parseScopes(headers["x-oauth-scopes"]),
    };
  });
  if (repository.value === undefined) return { ...unknownSettings(NOT_SEEN), repository };
  const { branch } = repository.value;
  const [hasActions, workflows, scheduledRuns, pages, secrets, rules, isProtected] = await Promise
    .all([
      see("whether workflows may run", "administration: read", async ({ rest }) => {
        const { data } = await rest.actions.getGithubActionsPermissionsRepository(place);
        return data.enabled;
      }),
      see("the workflows", "actions: read", async ({ paginate, rest }) => {
        const found = await paginate(rest.actions.listRepoWorkflows, all);
        return found.map(({ path, state }) => ({ path, state }));
      }),
      see("how often the schedule started checks", "actions: read", async ({ rest }) => {
        const { data } = await rest.actions.listWorkflowRuns({
          ...{ ...place, workflow_id: workflow, event: "schedule" },
          ...{ created: `>=${toSeconds(since)}`, per_page: 1 },
        });
        return data.total_count;
      }),
      see("how the page is published", "pages: read", async ({ rest }) => {
        const found = await unlessMissing(rest.repos.getPages(place));
        if (found === undefined) return undefined;
        const { source, build_type, cname, https_enforced } = found.data;
        return {
          source: build_type === "workflow" ? undefined : source,
          cname: cname ?? undefined,
          isHttps: https_enforced === true,
        };
      }),
      see("the names of secrets", "secrets: read", async ({ paginate, rest }) => {
        const [own, shared] = await Promise.all([
          paginate(rest.actions.listRepoSecrets, all),
          paginate(rest.actions.listRepoOrganizationSecrets, all),
        ]);
        return [...own, ...shared].map(({ name }) => name);
      }),
      see("the rules for its branch", "metadata: read", async ({ paginate, rest }) => {
        const found = await paginate(rest.repos.getBranchRules, { ...all, branch });
        return [...new Set(found.map(({ type }) => type))];
      }),
      see("whether its branch is protected", "contents: read", async ({ rest }) => {
        const found = await unlessMissing(rest.repos.getBranch({ ...place, branch }));
        return found?.data.protected ?? false;
      }),
    ]);
  return {
    ...{ repository, hasActions, workflows, scheduledRuns, pages, secrets, rules, isProtected },
  };
}

async function unlessMissing<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (toAnswer(error)?.status !== 404) throw error;
    return undefined;
  }
}
