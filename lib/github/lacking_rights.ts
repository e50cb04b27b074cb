import type { Answer } from "./answer_of.ts";
import type { Attempt } from "./attempt.ts";

/** Where tokens of one's own are made. */
export const TOKENS = "Settings > Developer settings > Personal access tokens";

/** The permission that is missing, in GitHub's words where it has some: `issues=write; pull_requests=write`. */
export function missingPermission({ needs }: Attempt, { headers }: Answer): string {
  const accepted = /^(\w+)=(\w+)/.exec(String(headers["x-accepted-github-permissions"] ?? ""));
  return accepted === null ? needs : `${accepted[1]!.replaceAll("_", "-")}: ${accepted[2]}`;
}

/** What is said of a token without the scope it takes; only classic tokens have scopes. */
export function lackOfScopes({ headers }: Answer): string | undefined {
  const has = scopes(headers["x-oauth-scopes"]);
  const accepted = scopes(headers["x-accepted-oauth-scopes"]);
  if (has === undefined || accepted === undefined || accepted.length === 0) return undefined;
  if (has.includes("repo") || accepted.some((one) => has.includes(one))) return undefined;
  const list = has.length === 0 ? "no scope" : `only the scope ${has.join(", ")}`;
  return `the token has ${list}; give it the scope repo in ${TOKENS}`;
}

function scopes(header: string | number | undefined): string[] | undefined {
  return header === undefined
    ? undefined
    : String(header).split(",").map((one) => one.trim()).filter((one) => one !== "");
}

/** What `permissions:` of a workflow never grants (docs.github.com/actions, "Workflow syntax"). */
const NEVER_OF_JOBS = /^(?:administration|environments|secrets|variables|workflows)\b/;

/** What is said of the token of a job, which may not do something: also that it can't ever. */
export function lackOfJob(permission: string): string {
  const own = "save a token of your own with the scope repo as the secret HOST_PAT";
  return NEVER_OF_JOBS.test(permission)
    ? `the job's own token is never allowed to (${permission}); ${own}`
    : `the job's own token may not do that; add "${permission}" under permissions: in the workflow, or ${own}`;
}
