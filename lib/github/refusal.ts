import type { Answer } from "./answer_of.ts";
import type { Attempt } from "./attempt.ts";
import { GitHubError } from "./github_error.ts";
import { secondsToWait } from "./rate_limit.ts";
import { quote, type Reason, REASONS, setting } from "./reasons.ts";

/**
 * A refusal in words: what could not be done, why, and the setting to change. `now` is the time in
 * milliseconds.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const attempt = { what: "open an issue", repository: "acme/status", needs: "issues: write" };
 * const answer = { status: 410, message: "Issues are disabled for this repo", headers: {}, faults: [], isOfApi: true };
 * assertEquals(
 *   refusal(attempt, answer, 0).message,
 *   "Cannot open an issue in acme/status: its issues are switched off; " +
 *     "switch Issues on in Settings > General > Features, or set issues: false",
 * );
 * ```
 */
export function refusal(attempt: Attempt, answer: Answer, now: number): GitHubError {
  const seconds = answer.isOfApi || answer.status === 429 ? secondsToWait(answer, now) : undefined;
  if (seconds !== undefined) {
    return error(attempt, {
      kind: "passing",
      why: `GitHub asks to wait for ${duration(seconds)}`,
    }, {
      retryAfter: seconds * 1000,
    });
  }
  const isBroken = answer.status >= 500;
  return error(attempt, isBroken ? broken(answer) : reasonOf(attempt, answer), {
    isOpenEnded: isBroken || answer.status < 300,
  });
}

/** What is said where no answer came, for a reason in words. */
export function unanswered(attempt: Attempt, reason: string, isOpenEnded = true): GitHubError {
  return error(attempt, { kind: "passing", why: reason }, { isOpenEnded });
}

/** What is said where GitHub can't even be asked, for a reason in words. */
export function unaskable(attempt: Attempt, why: string): GitHubError {
  return error(attempt, setting(why), {});
}

function error(
  { what, repository }: Attempt,
  { kind, why }: Reason,
  more: { isOpenEnded?: boolean; retryAfter?: number },
): GitHubError {
  return new GitHubError(`Cannot ${what} in ${repository}: ${why}`, { kind, ...more });
}

function broken({ status, message }: Answer): Reason {
  const said = message === "" ? "" : ` (${quote(message)})`;
  return { kind: "passing", why: `GitHub answered ${status}${said}` };
}

function reasonOf(attempt: Attempt, answer: Answer): Reason {
  const { status, isOfApi } = answer;
  if (!isOfApi && status >= 300 && status < 400) return moved(attempt);
  if (!isOfApi) {
    return setting(
      `the answer (${status}) is not that of the API; check GITHUB_API_URL, and proxies on the way`,
    );
  }
  for (const { statuses, says, reason } of REASONS) {
    if (!statuses.includes(status) || !says.test(answer.message)) continue;
    const found = reason(attempt, answer);
    if (found !== undefined) return found;
  }
  return { kind: "final", why: `GitHub answered ${status} (${quote(answer.message)})` };
}

function moved({ issue }: Attempt): Reason {
  return issue === undefined
    ? setting("the repository was moved or renamed; set owner and repo to where it is now")
    : { kind: "final", why: `issue #${issue} was moved to another repository` };
}

function duration(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`;
}
