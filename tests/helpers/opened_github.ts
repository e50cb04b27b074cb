import { systemClock } from "../../lib/io/clock.ts";
import type { GitHubOptions } from "../../lib/github/client.ts";
import { openGitHub } from "../../lib/github/open_github.ts";
import type { Pace } from "../../lib/github/limits.ts";
import type { GitHub } from "../../lib/github/github.ts";
import type { GitHubServer } from "./github_server.ts";

/** A fast pace: a second lasts a millisecond. The limits only guard against hanging. */
export const FAST: Pace = {
  request: 60_000,
  second: 1,
  burst: 10,
  write: 0,
  budget: 600_000,
  aside: 600_000,
};

/** The GitHub client, and its warnings. */
export type OpenedGitHub = GitHub & { warnings: string[] };

/** Opens the GitHub client at a fast pace. */
export function openedGitHub(
  { url, repository, token }: Pick<GitHubServer, "url" | "repository" | "token">,
  { pace, ...options }: Partial<Omit<GitHubOptions, "pace">> & { pace?: Partial<Pace> } = {},
): OpenedGitHub {
  const warnings: string[] = [];
  const github = openGitHub({
    ...{ api: url, repository, token, userAgent: "monitor-action/test", clock: systemClock },
    warn: (text) => warnings.push(text),
    ...options,
    pace: { ...FAST, ...pace },
  });
  return Object.assign(github, { warnings });
}
