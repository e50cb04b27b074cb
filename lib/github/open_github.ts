import { secondsToWait, toAnswer } from "./answer.ts";
import { getRepository, GitHubClient, type GitHubOptions, PAGE, toSeconds } from "./client.ts";
import { type GitHub, GitHubError, JOB_ACCOUNT } from "./github.ts";
import {
  createIssue,
  parseIssue,
  parseReactions,
  parseRepositoryComment,
  parseText,
} from "./issues.ts";
import type { Client } from "./octokit.ts";
import { ADMINISTRATION } from "./refusal.ts";

/** GitHub's names for permissions to push; it reports each custom role as one of them. */
const WRITE_PERMISSIONS: readonly string[] = ["admin", "maintain", "write"];

const READ_ISSUES = { needs: "issues: read" };
const READ_METADATA = { needs: "metadata: read" };

/** Opens GitHub's API for a repository; it loads and requests nothing before it is used. */
export function openGitHub(options: GitHubOptions): GitHub {
  const { repository, warn } = options;
  const client = new GitHubClient(options);
  const optional = new GitHubClient(options, { isOptional: true });
  const { place } = client;
  const listIssues = (
    from: GitHubClient,
    what: string,
    wish: { state: "all" | "open"; since?: string; labels?: string; direction?: "asc" },
  ) =>
    from.request(what, async ({ paginate, rest }) => {
      const found = await paginate(rest.issues.listForRepo, { ...place, ...wish, per_page: PAGE });
      return found.filter((one) => one.pull_request === undefined).map(parseIssue);
    }, READ_ISSUES);
  let account: Promise<string> | undefined;
  let hasWarnedOfAccess = false;
  return {
    repository,

    account() {
      return account ??= client.request("find out whose token it is", findAccount, READ_METADATA)
        .catch((error) => {
          account = undefined;
          throw error;
        });
    },

    isPublic: () =>
      client.request("find out who may read the repository", async (octokit) => {
        const { data } = await getRepository(octokit, place);
        return !data.private && (data.visibility ?? "public") === "public";
      }, READ_METADATA),

    about: () =>
      client.request(`read the "About" box of the repository`, async (octokit) => {
        const { data: { description, homepage, topics } } = await getRepository(octokit, place);
        return {
          description: description ?? "",
          homepage: homepage ?? "",
          topics: topics ?? [],
        };
      }, READ_METADATA),

    describe: ({ topics, ...texts }) =>
      client.request(`change the "About" box of the repository`, async ({ rest }) => {
        if (Object.keys(texts).length > 0) await rest.repos.update({ ...place, ...texts });
        if (topics !== undefined) {
          await rest.repos.replaceAllTopics({ ...place, names: [...topics] });
        }
      }, { needs: ADMINISTRATION }),

    issuesSince: (since, { isOptional } = {}) =>
      listIssues(isOptional ? optional : client, "read the issues", {
        ...{ state: "all", since: toSeconds(since) },
      }),

    issuesLabeled: (label) =>
      listIssues(client, `read the issues labeled "${label}"`, { state: "all", labels: label }),

    openIssuesLabeled: (label) =>
      // Ascending, so that an issue that is opened meanwhile moves none to another page.
      listIssues(optional, `read the issues labeled "${label}"`, {
        ...{ state: "open", labels: label, direction: "asc" },
      }),

    issue: (number) =>
      client.request(`read issue #${number}`, async (octokit) => {
        try {
          const { data } = await octokit.rest.issues.get({ ...place, issue_number: number });
          const isHere = isIn(data, repository) || isIn(data, await client.fullName(octokit));
          return isHere ? parseIssue(data) : undefined;
        } catch (error) {
          const answer = toAnswer(error);
          if (answer?.status === 410 && !/disabled/i.test(answer.message)) return undefined;
          if (answer?.status !== 404) throw error;
          await client.fullName(octokit);
          return undefined;
        }
      }, READ_ISSUES),

    async createIssue(issue) {
      const { issue: created, leftOut } = await client.request(
        "open an issue",
        (octokit) => createIssue(octokit, place, issue),
      );
      const { number } = created;
      if (leftOut.assignees.length > 0) {
        warn(
          `Cannot assign issue #${number} to ${
            leftOut.assignees.join(", ")
          }: an issue takes 10 people who have access to ${repository}`,
        );
      }
      for (const label of leftOut.labels) {
        warn(`Cannot label issue #${number} with "${label}": GitHub refuses that name`);
      }
      return created;
    },

    changeIssue: (number, { title, isOpen, isDuplicate }) =>
      client.request(`change issue #${number}`, async ({ rest }) => {
        const change = async (reason: "completed" | "duplicate" | "not_planned" | "reopened") => {
          const state = isOpen === undefined
            ? {}
            : { state: isOpen ? "open" as const : "closed" as const, state_reason: reason };
          await rest.issues.update({ ...place, issue_number: number, title, ...state });
        };
        try {
          await change(isOpen ? "reopened" : isDuplicate ? "duplicate" : "completed");
        } catch (error) {
          // Older Enterprise servers don't know "duplicate".
          if (!isDuplicate || toAnswer(error)?.status !== 422) throw error;
          await change("not_planned");
        }
      }, { issue: number }),

    async lockIssue(number) {
      try {
        await client.request(`lock issue #${number}`, async ({ rest }) => {
          await rest.issues.lock({ ...place, issue_number: number });
        }, { issue: number });
      } catch (error) {
        if (!(error instanceof GitHubError) || error.kind === "transient") throw error;
        warn(error.message);
      }
    },

    comments: (number, since) =>
      client.request(`read the comments on issue #${number}`, async ({ paginate, rest }) => {
        const wish = {
          issue_number: number,
          per_page: PAGE,
          ...since && { since: toSeconds(since) },
        };
        const found = await paginate(rest.issues.listComments, { ...place, ...wish });
        return found.map(parseText);
      }, { ...READ_ISSUES, issue: number }),

    repositoryComments: (since, { isOptional } = {}) =>
      (isOptional ? optional : client).request("read the comments", async ({ paginate, rest }) => {
        // Ascending by creation, so that one that is written meanwhile moves none to another page.
        const wish = { ...place, since: toSeconds(since), per_page: PAGE };
        const found = await paginate(rest.issues.listCommentsForRepo, wish);
        return found.map(parseRepositoryComment);
      }, READ_ISSUES),

    comment: (number, text) =>
      client.request(`comment on issue #${number}`, async ({ rest }) => {
        const wish = { issue_number: number, body: text, request: { retries: 0 } };
        await rest.issues.createComment({ ...place, ...wish });
      }, { issue: number }),

    eyes: (number) =>
      optional.request(`read the reactions to issue #${number}`, async ({ paginate, rest }) => {
        const wish = { issue_number: number, content: "eyes" as const, per_page: PAGE };
        const found = await paginate(rest.reactions.listForIssue, { ...place, ...wish });
        return parseReactions(found);
      }, { ...READ_ISSUES, issue: number }),

    react: (comment, content) =>
      client.request(`react to comment ${comment}`, async (octokit) => {
        try {
          const wish = { ...place, comment_id: comment, content };
          await octokit.rest.reactions.createForIssueComment(wish);
        } catch (error) {
          if (toAnswer(error)?.status !== 404) throw error;
          // Else the comment was deleted.
          await client.fullName(octokit);
        }
      }),

    ensureLabel: (name, description) =>
      client.request(`create the label "${name}"`, async ({ rest }) => {
        try {
          await rest.issues.getLabel({ ...place, name });
        } catch (error) {
          if (toAnswer(error)?.status !== 404) throw error;
          await rest.issues.createLabel({ ...place, name, description });
        }
      }),

    async mayWrite(login, { isOptional } = {}) {
      try {
        return await (isOptional ? optional : client).request(
          "see who may write",
          async ({ rest }) => {
            try {
              const wish = { ...place, username: login };
              const { data } = await rest.repos.getCollaboratorPermissionLevel(wish);
              return WRITE_PERMISSIONS.includes(data.permission);
            } catch (error) {
              // A deleted account, or no collaborator.
              if (toAnswer(error)?.status !== 404) throw error;
              return false;
            }
          },
          READ_METADATA,
        );
      } catch (error) {
        if (!(error instanceof GitHubError) || error.kind === "transient") throw error;
        if (!hasWarnedOfAccess) {
          warn(
            `${error.message}; only comments and issues of the owner and of invited collaborators count`,
          );
        }
        hasWarnedOfAccess = true;
        return undefined;
      }
    },

    dispatch: (event) =>
      client.request(`start the workflows for "${event}"`, async ({ rest }) => {
        await rest.repos.createDispatchEvent({ ...place, event_type: event });
      }, { needs: "contents: write" }),
  };
}

function isIn({ repository_url }: { repository_url: string }, repository: string): boolean {
  return repository_url.toLowerCase().endsWith(`/${repository.toLowerCase()}`);
}

async function findAccount({ rest, graphql }: Client): Promise<string> {
  try {
    return (await rest.users.getAuthenticated()).data.login;
  } catch (error) {
    // Tokens of apps, such as a job's own, have no user.
    if (!isRefused(error)) throw error;
  }
  try {
    const { viewer } = await graphql<{ viewer: { login: string } }>("{ viewer { login } }");
    return viewer.login;
  } catch (error) {
    const isUnsupported = toAnswer(error)?.status === 404 ||
      (error instanceof Error && error.name === "GraphqlResponseError" &&
        !/rate limit/i.test(error.message));
    if (!isRefused(error) && !isUnsupported) throw error;
    return JOB_ACCOUNT;
  }
}

/** True for refusals other than rate limits. */
function isRefused(error: unknown): boolean {
  const answer = toAnswer(error);
  return answer?.status === 403 && secondsToWait(answer, 0) === undefined;
}
