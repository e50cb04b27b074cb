import { aboutOf } from "./about.ts";
import { accountOf } from "./account_of.ts";
import { accessOf } from "./access.ts";
import { answerOf } from "./answer_of.ts";
import { Asker, type GitHubOptions } from "./asker.ts";
import { createIssue } from "./create_issue.ts";
import { commentOf, issueOf } from "./issue_of.ts";
import { USUAL_PACE } from "./pace.ts";
import type { Part } from "./part.ts";
import type { GitHub } from "./github.ts";
import { GitHubError } from "./github_error.ts";
import { PAGE, readsOf, seconds } from "./tagged_reads.ts";
import { toldRepository } from "./told_repository.ts";

/** Opens the API of GitHub for a repository; nothing is loaded or asked before it is used. */
export function openGitHub(options: GitHubOptions): GitHub {
  const { repository, warn } = options;
  const [owner = "", repo = ""] = repository.split("/");
  const place = { owner, repo };
  const asker = new Asker(options);
  const pace = options.pace ?? USUAL_PACE;
  const asideAsker = new Asker({ ...options, pace: { ...pace, budget: pace.aside } });
  const ask: Part["ask"] = (what, work, more = {}) =>
    asker.ask({ what, repository, needs: "issues: write", ...more }, work);
  const readIssues = (
    asked: Asker,
    what: string,
    wish: { state: "all" | "open"; since?: string; labels?: string; direction?: "asc" },
  ) =>
    asked.ask({ what, repository, needs: "issues: read" }, async ({ paginate, rest }) => {
      const found = await paginate(rest.issues.listForRepo, { ...place, ...wish, per_page: PAGE });
      return found.filter((one) => one.pull_request === undefined).map(issueOf);
    });
  const reads = readsOf({ ask, place, repository, fullName: (client) => asker.fullName(client) });
  let account: Promise<string> | undefined;
  return {
    repository,

    account() {
      return account ??= ask("find out whose token it is", accountOf, { needs: "metadata: read" })
        .catch((error) => {
          account = undefined;
          throw error;
        });
    },

    isPublic: () =>
      ask("find out who may read the repository", async (client) => {
        const { data } = await toldRepository(client, place);
        return !data.private && (data.visibility ?? "public") === "public";
      }, { needs: "metadata: read" }),

    issuesSince: (since) =>
      readIssues(asker, "read the issues", { state: "all", since: seconds(since) }),

    openIssuesLabelled: (label) =>
      // In the order in which they come, so that one that is opened meanwhile moves none to another page.
      readIssues(asideAsker, `read the issues labelled "${label}"`, {
        ...{ state: "open", labels: label, direction: "asc" },
      }),

    ...reads,
    ...aboutOf({ ask, place }),
    ...accessOf({ ask, place, warn }),

    async issue(number) {
      const answer = await reads.changedIssue(number);
      return answer === "unchanged" ? undefined : answer.value;
    },

    async createIssue(issue) {
      const { issue: created, leftOut } = await ask(
        "open an issue",
        (client) => createIssue(client, place, issue),
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
        warn(
          `Cannot label issue #${number} with "${label}": GitHub takes no such name of a label`,
        );
      }
      return created;
    },

    changeIssue: (number, { title, isOpen, isDuplicate }) =>
      ask(`change issue #${number}`, async ({ rest }) => {
        const change = (reason?: "completed" | "duplicate" | "not_planned" | "reopened") =>
          rest.issues.update({
            ...place,
            issue_number: number,
            title,
            ...(isOpen === undefined
              ? {}
              : { state: isOpen ? "open" : "closed", state_reason: reason }),
          });
        try {
          await change(isOpen ? "reopened" : isDuplicate ? "duplicate" : "completed");
        } catch (error) {
          // Enterprise servers learnt of duplicates late.
          if (!isDuplicate || answerOf(error)?.status !== 422) throw error;
          await change("not_planned");
        }
      }, { issue: number }),

    async lockIssue(number) {
      try {
        await ask(`lock issue #${number}`, async ({ rest }) => {
          await rest.issues.lock({ ...place, issue_number: number });
        }, { issue: number });
      } catch (error) {
        if (!(error instanceof GitHubError) || error.kind === "passing") throw error;
        warn(error.message);
      }
    },

    commentsSince: (number, since) =>
      ask(`read the comments on issue #${number}`, async ({ paginate, rest }) => {
        const wish = { issue_number: number, since: seconds(since), per_page: PAGE };
        const found = await paginate(rest.issues.listComments, { ...place, ...wish });
        return found.map(commentOf);
      }, { needs: "issues: read", issue: number }),

    comment: (number, text) =>
      ask(`comment on issue #${number}`, async ({ rest }) => {
        const wish = { issue_number: number, body: text, request: { retries: 0 } };
        await rest.issues.createComment({ ...place, ...wish });
      }, { issue: number }),

    labels: () =>
      ask("read the labels", async ({ paginate, rest }) => {
        const found = await paginate(rest.issues.listLabelsForRepo, { ...place, per_page: PAGE });
        return found.map(({ name, color, description }) => (
          { name, color, description: description ?? "" }
        ));
      }, { needs: "issues: read" }),

    changeLabel: ({ name, color, description }) =>
      ask(`change the label "${name}"`, async ({ rest }) => {
        await rest.issues.updateLabel({ ...place, name, color, description });
      }),

    dispatch: (event) =>
      ask(`start the workflows for "${event}"`, async ({ rest }) => {
        await rest.repos.createDispatchEvent({ ...place, event_type: event });
      }, { needs: "contents: write" }),
  };
}
