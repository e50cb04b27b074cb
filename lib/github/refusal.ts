import { connectionWords, type ErrorKind } from "../io/requests.ts";
import { type Answer, type Fault, secondsToWait } from "./answer.ts";
import { GitHubError } from "./github.ts";
import { BudgetError, NoAnswerError } from "./limits.ts";

export interface Attempt {
  /** The end of "Cannot …": `open an issue`. */
  what: string;
  /** `owner/name` of the repository. */
  repository: string;
  /** The permission it takes, as workflows spell it: `issues: write`. */
  needs: string;
  issue?: number;
}

/** Permission to change the repository's settings; a job's own token never has it. */
export const ADMINISTRATION = "administration: write";

/** Path of GitHub's settings at which personal access tokens are made. */
export const TOKENS = "Settings > Developer settings > Personal access tokens";

const LONGEST_QUOTE = 300;

/** Permissions that `permissions:` of a workflow never grants (docs.github.com/actions, "Workflow syntax"). */
const NEVER_OF_JOBS = /^(?:administration|environments|secrets|variables|workflows)\b/;

/** Reason and cure of a refusal; `undefined` if another reason applies. */
type Why = string | ((attempt: Attempt, answer: Answer) => string | undefined);

/** Known refusals, by status and GitHub's message; the first match counts. */
const REASONS: readonly [statuses: number[], says: RegExp, kind: ErrorKind, why: Why][] = [
  [
    [401],
    /^/,
    "misconfigured",
    (_, { message }) =>
      `the token is not accepted (${
        quote(message)
      }): it has expired or was revoked; make a new one with the scope repo in ${TOKENS} and save it as the secret HOST_PAT`,
  ],
  [
    [403],
    /archived/i,
    "misconfigured",
    "the repository is archived and can't be changed; unarchive it in Settings > General",
  ],
  [
    [403],
    /not accessible by integration/i,
    "misconfigured",
    (attempt, answer) => lackOfJob(missingPermission(attempt, answer)),
  ],
  [
    [403],
    /not accessible by personal access token/i,
    "misconfigured",
    (attempt, answer) =>
      `the token may not do that; give it the permission "${
        missingPermission(attempt, answer)
      }" for this repository in ${TOKENS} > Fine-grained tokens`,
  ],
  [[403, 404], /^/, "misconfigured", (_, answer) => lackOfScopes(answer)],
  [
    [403],
    /admin rights/i,
    "misconfigured",
    ({ needs }) =>
      `the account of the token may not write there; give it the role ${
        needs === ADMINISTRATION ? "Admin" : "Write or more"
      } in Settings > Collaborators, or use a token of another account as HOST_PAT`,
  ],
  [
    [403, 422],
    /locked/i,
    "permanent",
    "the conversation is locked, and the account of the token has no right to write",
  ],
  [
    [410],
    /disabled/i,
    "misconfigured",
    "its issues are switched off; switch Issues on in Settings > General > Features, or set issues: false",
  ],
  [
    [404, 410],
    /^/,
    "misconfigured",
    ({ issue }) =>
      issue === undefined
        ? "the repository does not exist, or the token can't see it; check owner and repo, and give the token the scope repo if it is private"
        : undefined,
  ],
  [[404, 410], /^/, "permanent", ({ issue }) => `issue #${issue} no longer exists`],
  [
    [403],
    /^/,
    "misconfigured",
    (_, { message }) =>
      `the token may not do that (${
        quote(message)
      }); use one with the scope repo as the secret HOST_PAT`,
  ],
  [
    [422],
    /^/,
    "permanent",
    (_, { message, faults }) => {
      const list = faults.map(describeFault).filter((one) => one !== "").join(", ");
      return `GitHub does not take it (${quote(list === "" ? message : list)})`;
    },
  ],
];

/** The error for a refused request: what failed, why, and the setting to change. `now` is the time in milliseconds. */
export function toRefusal(attempt: Attempt, answer: Answer, now: number): GitHubError {
  const { status, message, isOfApi } = answer;
  const seconds = isOfApi || status === 429 ? secondsToWait(answer, now) : undefined;
  if (seconds !== undefined) {
    const duration = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`;
    const why = `GitHub asks to wait for ${duration}`;
    return makeError(attempt, "transient", why, { retryAfter: seconds * 1000 });
  }
  if (status >= 500) {
    const said = message === "" ? "" : ` (${quote(message)})`;
    const why = `GitHub answered ${status}${said}`;
    return makeError(attempt, "transient", why, { mayHaveSucceeded: true });
  }
  const [kind, why] = isOfApi ? findReason(attempt, answer) : foreignReason(attempt, status);
  return makeError(attempt, kind, why, { mayHaveSucceeded: status < 300 });
}

/** The error for a request to an API address that got no answer. */
export function toUnanswered(attempt: Attempt, error: unknown, api: string): GitHubError {
  const mayHaveSucceeded = !(error instanceof BudgetError) || error.hasStarted;
  return makeError(attempt, "transient", unreachableReason(error, api), { mayHaveSucceeded });
}

/** The error for a request that can't be made because of the program's settings. */
export function toMisconfigured(attempt: Attempt, why: string): GitHubError {
  return makeError(attempt, "misconfigured", why);
}

function makeError(
  { what, repository }: Attempt,
  kind: ErrorKind,
  why: string,
  more: { mayHaveSucceeded?: boolean; retryAfter?: number } = {},
): GitHubError {
  return new GitHubError(`Cannot ${what} in ${repository}: ${why}`, { kind, ...more });
}

function findReason(attempt: Attempt, answer: Answer): [kind: ErrorKind, why: string] {
  for (const [statuses, says, kind, why] of REASONS) {
    if (!statuses.includes(answer.status) || !says.test(answer.message)) continue;
    const found = typeof why === "string" ? why : why(attempt, answer);
    if (found !== undefined) return [kind, found];
  }
  return ["permanent", `GitHub answered ${answer.status} (${quote(answer.message)})`];
}

function foreignReason({ issue }: Attempt, status: number): [kind: ErrorKind, why: string] {
  const why =
    `the answer (${status}) is not that of the API; check GITHUB_API_URL, and proxies on the way`;
  if (status < 300 || status >= 400) return ["misconfigured", why];
  return issue === undefined
    ? [
      "misconfigured",
      "the repository was moved or renamed; set owner and repo to where it is now",
    ]
    : ["permanent", `issue #${issue} was moved to another repository`];
}

/** Why an API address gave no answer: names the host, never credentials. */
export function unreachableReason(error: unknown, api: string): string {
  if (error instanceof BudgetError) {
    return `all requests to GitHub together took longer than ${error.milliseconds / 1000} s`;
  }
  const { host } = new URL(api);
  const cause = error instanceof Error ? error.cause ?? error : error;
  if (cause instanceof NoAnswerError) return `${cause.message} (${host})`;
  return `${connectionWords(error)} (${host})`;
}

/** The missing permission, in GitHub's words if it names one: `issues=write; pull_requests=write`. */
function missingPermission({ needs }: Attempt, { headers }: Answer): string {
  const accepted = /^(\w+)=(\w+)/.exec(String(headers["x-accepted-github-permissions"] ?? ""));
  return accepted === null ? needs : `${accepted[1]!.replaceAll("_", "-")}: ${accepted[2]}`;
}

/** The complaint about a missing scope; only classic tokens have scopes. */
function lackOfScopes({ headers }: Answer): string | undefined {
  const has = parseScopes(headers["x-oauth-scopes"]);
  const accepted = parseScopes(headers["x-accepted-oauth-scopes"]);
  if (has === undefined || accepted === undefined || accepted.length === 0) return undefined;
  if (has.includes("repo") || accepted.some((one) => has.includes(one))) return undefined;
  const list = has.length === 0 ? "no scope" : `only the scope ${has.join(", ")}`;
  return `the token has ${list}; give it the scope repo in ${TOKENS}`;
}

export function parseScopes(header: string | number | undefined): string[] | undefined {
  return header === undefined
    ? undefined
    : String(header).split(",").map((one) => one.trim()).filter((one) => one !== "");
}

/** The complaint about a missing permission of a job's own token. */
function lackOfJob(permission: string): string {
  const own = "save a token of your own with the scope repo as the secret HOST_PAT";
  return NEVER_OF_JOBS.test(permission)
    ? `the job's own token is never allowed to (${permission}); ${own}`
    : `the job's own token may not do that; add "${permission}" under permissions: in the workflow, or ${own}`;
}

function describeFault({ field, code, message, value }: Fault): string {
  if (message !== undefined) return message;
  const what = value === undefined ? "" : ` ${JSON.stringify(value)}`;
  return [field, code?.replaceAll("_", " ")].filter((one) => one !== undefined).join(" is ") + what;
}

function quote(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, LONGEST_QUOTE);
}
