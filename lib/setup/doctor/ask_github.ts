import type { RepositorySettings } from "../../github/repository_settings.ts";
import { GitHubError } from "../../github/github_error.ts";
import { WORKFLOWS } from "../../config/workflows.ts";
import { type GitHubFacts, type Known, NOT_SEEN } from "./facts.ts";

/** Asks GitHub for all that examinations want to know; what it refuses is known as refused. */
export async function askGitHub(
  settings: RepositorySettings,
  since: Temporal.Instant,
): Promise<GitHubFacts> {
  const repository = await known(settings.facts());
  if (repository.value === undefined) {
    return { ...unasked(NOT_SEEN), repository };
  }
  const { branch } = repository.value;
  const [hasActions, jobsMay, workflows, scheduledRuns, pages, secrets, rules, isProtected] =
    await Promise.all([
      known(settings.hasActions()),
      known(settings.jobsMay()),
      known(settings.workflows()),
      known(settings.scheduledRuns(WORKFLOWS.uptime.file, since)),
      known(settings.pages()),
      known(settings.secretNames()),
      known(settings.rules(branch)),
      known(settings.isProtected(branch)),
    ]);
  const ofWorkflows = { hasActions, jobsMay, workflows, scheduledRuns };
  return { repository, ...ofWorkflows, pages, secrets, rules, isProtected };
}

/** What is known where GitHub can't be asked, for a reason. */
export function unasked(why: string): GitHubFacts {
  const nothing = { why, isWrong: false };
  return {
    ...{ repository: nothing, hasActions: nothing, jobsMay: nothing, workflows: nothing },
    ...{ scheduledRuns: nothing, pages: nothing, secrets: nothing },
    ...{ rules: nothing, isProtected: nothing },
  };
}

async function known<T>(asked: Promise<T>): Promise<Known<T>> {
  try {
    return { value: await asked };
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    return { why: error.message, isWrong: error.kind === "misconfigured" };
  }
}
