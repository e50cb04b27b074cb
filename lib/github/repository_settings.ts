import { answerOf } from "./answer_of.ts";
import { Asker, type GitHubOptions } from "./asker.ts";
import { PAGE } from "./tagged_reads.ts";
import { toldRepository } from "./told_repository.ts";
import { type Look, type WorkflowSettings, workflowSettingsOf } from "./workflow_settings.ts";

/** What a repository is, and what the token's account may do in it. */
export interface RepositoryFacts {
  isPrivate: boolean;
  isArchived: boolean;
  hasIssues: boolean;
  /** The branch that schedules run from. */
  branch: string;
  /** When it last changed; absent where nothing was ever pushed. */
  pushed?: Temporal.Instant;
  /** Whether the account may write in it; absent where GitHub does not say. */
  mayPush?: boolean;
  /** Of a classic token; absent for others. */
  scopes?: readonly string[];
}

/** How the pages of a repository are set up. */
export interface PagesFacts {
  /** Branch and folder that they are made of; absent where a workflow hands them over. */
  source?: { branch: string; path: string };
  /** Domain of their own. */
  cname?: string;
  /** Whether they are given by https alone. */
  isHttps: boolean;
}

/** What a repository is set up with. Everything is only read; what a token may not see is a `GitHubError`. */
export interface RepositorySettings extends WorkflowSettings {
  /** `owner/name` of the repository. */
  readonly repository: string;
  facts(): Promise<RepositoryFacts>;
  /** `undefined` where they are switched off. */
  pages(): Promise<PagesFacts | undefined>;
  /** Names of the secrets of the repository and of those that its organization hands to it. */
  secretNames(): Promise<string[]>;
  /** What rulesets ask of pushes to a branch, by GitHub's names of rules. */
  rules(branch: string): Promise<string[]>;
  /** Whether a branch is protected, by rulesets or else; not, where there is no such branch. */
  isProtected(branch: string): Promise<boolean>;
}

/** Opens the settings of a repository; nothing is loaded or asked before it is used. */
export function openRepositorySettings(options: GitHubOptions): RepositorySettings {
  const { repository } = options;
  const [owner = "", repo = ""] = repository.split("/");
  const place = { owner, repo };
  const asker = new Asker(options);
  const ask: Look["ask"] = (what, needs, work) =>
    asker.ask({ what: `see ${what}`, repository, needs }, work);
  return {
    repository,

    facts: () =>
      ask("the repository", "metadata: read", async (client) => {
        const { data, headers } = await toldRepository(client, place);
        const scopes = headers["x-oauth-scopes"];
        const pushed = data.pushed_at ?? undefined;
        return {
          isPrivate: data.private,
          isArchived: data.archived,
          hasIssues: data.has_issues,
          branch: data.default_branch,
          pushed: pushed === undefined ? undefined : Temporal.Instant.from(pushed),
          mayPush: data.permissions?.push,
          scopes: scopes?.split(",").map((one) => one.trim()).filter((one) => one !== ""),
        };
      }),

    ...workflowSettingsOf({ ask, place }),

    pages: () =>
      ask("how the page is published", "pages: read", async ({ rest }) => {
        try {
          const { data } = await rest.repos.getPages(place);
          const { source, build_type, cname, https_enforced } = data;
          return {
            source: build_type === "workflow" ? undefined : source,
            cname: cname ?? undefined,
            isHttps: https_enforced === true,
          };
        } catch (error) {
          if (answerOf(error)?.status !== 404) throw error;
          return undefined;
        }
      }),

    secretNames: () =>
      ask("the names of secrets", "secrets: read", async ({ paginate, rest }) => {
        const wish = { ...place, per_page: PAGE };
        const [own, handed] = await Promise.all([
          paginate(rest.actions.listRepoSecrets, wish),
          paginate(rest.actions.listRepoOrganizationSecrets, wish),
        ]);
        return [...own, ...handed].map(({ name }) => name);
      }),

    rules: (branch) =>
      ask("the rules for its branch", "metadata: read", async ({ paginate, rest }) => {
        const found = await paginate(rest.repos.getBranchRules, {
          ...{ ...place, branch, per_page: PAGE },
        });
        return [...new Set(found.map(({ type }) => type))];
      }),

    isProtected: (branch) =>
      ask("whether its branch is protected", "contents: read", async ({ rest }) => {
        try {
          return (await rest.repos.getBranch({ ...place, branch })).data.protected;
        } catch (error) {
          if (answerOf(error)?.status !== 404) throw error;
          return false;
        }
      }),
  };
}
