import { toAnswer } from "./answer.ts";
import { getRepository, GitHubClient, type GitHubOptions, PAGE, toSeconds } from "./client.ts";
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

/** GitHub Pages settings of a repository. */
export interface PagesFacts {
  /** Published branch and folder; absent if a workflow publishes. */
  source?: { branch: string; path: string };
  /** Custom domain. */
  cname?: string;
  /** True if HTTPS is enforced. */
  isHttps: boolean;
}

/** A workflow file as GitHub knows it. */
export interface WorkflowState {
  /** Path of its file. */
  path: string;
  /** `active`, `disabled_manually`, `disabled_inactivity`, `disabled_fork` or `deleted`. */
  state: string;
}

/** Settings of a repository, read-only. A setting that the token may not see is a `GitHubError`. */
export interface RepositorySettings {
  /** `owner/name` of the repository. */
  readonly repository: string;
  facts(): Promise<RepositoryFacts>;
  /** True if workflows may run at all. */
  hasActions(): Promise<boolean>;
  /** Default permissions of a job's own token. */
  jobsMay(): Promise<"read" | "write">;
  workflows(): Promise<WorkflowState[]>;
  /** Number of runs of a workflow that its schedule started since a time. */
  scheduledRuns(file: string, since: Temporal.Instant): Promise<number>;
  /** `undefined` if GitHub Pages is off. */
  pages(): Promise<PagesFacts | undefined>;
  /** Names of the repository's secrets, including those shared by its organization. */
  secretNames(): Promise<string[]>;
  /** GitHub's names of the rules that apply to pushes to a branch. */
  rules(branch: string): Promise<string[]>;
  /** True if a branch is protected, by rulesets or otherwise; false if it does not exist. */
  isProtected(branch: string): Promise<boolean>;
}

/** Opens the settings of a repository; it requests nothing before it is used. */
export function openRepositorySettings(options: GitHubOptions): RepositorySettings {
  const client = new GitHubClient(options);
  const { place, repository } = client;
  const see = <T>(what: string, needs: string, task: (client: Client) => Promise<T>) =>
    client.request(`see ${what}`, task, { needs });
  return {
    repository,

    facts: () =>
      see("the repository", "metadata: read", async (client) => {
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
      }),

    hasActions: () =>
      see("whether workflows may run", "administration: read", async ({ rest }) => {
        const { data } = await rest.actions.getGithubActionsPermissionsRepository(place);
        return data.enabled;
      }),

    jobsMay: () =>
      see("what jobs may do", "administration: read", async ({ rest }) => {
        const { data } = await rest.actions
          .getGithubActionsDefaultWorkflowPermissionsRepository(place);
        return data.default_workflow_permissions;
      }),

    workflows: () =>
      see("the workflows", "actions: read", async ({ paginate, rest }) => {
        const wish = { ...place, per_page: PAGE };
        const found = await paginate(rest.actions.listRepoWorkflows, wish);
        return found.map(({ path, state }) => ({ path, state }));
      }),

    scheduledRuns: (file, since) =>
      see("how often the schedule started checks", "actions: read", async ({ rest }) => {
        const { data } = await rest.actions.listWorkflowRuns({
          ...{ ...place, workflow_id: file, event: "schedule" },
          ...{ created: `>=${toSeconds(since)}`, per_page: 1 },
        });
        return data.total_count;
      }),

    pages: () =>
      see("how the page is published", "pages: read", async ({ rest }) => {
        try {
          const { data } = await rest.repos.getPages(place);
          const { source, build_type, cname, https_enforced } = data;
          return {
            source: build_type === "workflow" ? undefined : source,
            cname: cname ?? undefined,
            isHttps: https_enforced === true,
          };
        } catch (error) {
          if (toAnswer(error)?.status !== 404) throw error;
          return undefined;
        }
      }),

    secretNames: () =>
      see("the names of secrets", "secrets: read", async ({ paginate, rest }) => {
        const wish = { ...place, per_page: PAGE };
        const [own, shared] = await Promise.all([
          paginate(rest.actions.listRepoSecrets, wish),
          paginate(rest.actions.listRepoOrganizationSecrets, wish),
        ]);
        return [...own, ...shared].map(({ name }) => name);
      }),

    rules: (branch) =>
      see("the rules for its branch", "metadata: read", async ({ paginate, rest }) => {
        const found = await paginate(rest.repos.getBranchRules, {
          ...{ ...place, branch, per_page: PAGE },
        });
        return [...new Set(found.map(({ type }) => type))];
      }),

    isProtected: (branch) =>
      see("whether its branch is protected", "contents: read", async ({ rest }) => {
        try {
          return (await rest.repos.getBranch({ ...place, branch })).data.protected;
        } catch (error) {
          if (toAnswer(error)?.status !== 404) throw error;
          return false;
        }
      }),
  };
}
