import { retry } from "@octokit/plugin-retry";
import { Octokit } from "@octokit/rest";
import type { Clock } from "../io/clock.ts";
import { foreignAnswerError, secondsToWait, toAnswer } from "./answer.ts";
import { type Pace, TokenBucket } from "./limits.ts";

/** Longest wait for the end of a rate limit, in seconds, and how many waits a request gets. */
const LONGEST_WAIT = 60;
const MOST_WAITS = 2;

/** Attempts after the first, if GitHub is broken or does not answer. */
const RETRIES = 3;

/** Answers that a retry does not change; {@linkcode waits} handles rate limits. */
const FINAL_STATUSES = [400, 401, 403, 404, 409, 410, 422, 429, 451];

const nothing = () => {};
const SILENT = { debug: nothing, info: nothing, warn: nothing, error: nothing };

export type Client = InstanceType<typeof Octokit>;

/** Makes a client that repeats failed requests if that is safe, and keeps GitHub's rate limits. */
export function makeOctokit({ api, token, userAgent, pace, fetch, clock }: {
  api: string;
  token: string;
  userAgent: string;
  pace: Pace;
  fetch: typeof globalThis.fetch;
  clock: Clock;
}): Client {
  const bucket = new TokenBucket(pace.burst, pace.write, clock);
  const Patient = Octokit.plugin(
    waits(() => clock.now().epochMilliseconds),
    paced(bucket),
    retry,
  );
  return new Patient({
    auth: token,
    baseUrl: api.replace(/\/+$/, ""),
    userAgent,
    log: SILENT,
    request: { fetch, log: SILENT },
    retry: { doNotRetry: FINAL_STATUSES, retries: RETRIES, retryAfterBaseValue: pace.second },
  });
}

/** Takes a token for each writing request; before `retry`, so that each attempt counts and its waits don't. */
function paced(bucket: TokenBucket) {
  return (octokit: Pick<Octokit, "hook">): void => {
    octokit.hook.before("request", async ({ method, url }) => {
      if (!["GET", "HEAD"].includes(method) && !url.endsWith("/graphql")) await bucket.take();
    });
  };
}

/** Waits for the end of rate limits, and rejects answers that are not the API's; `retry` does the waiting. */
function waits(now: () => number) {
  return (octokit: Pick<Octokit, "hook">): void => {
    octokit.hook.after("request", (response, request) => {
      const isRead = typeof response.data !== "string" || response.status === 204;
      if (isRead && response.status < 300) return;
      throw Object.assign(foreignAnswerError(response), { request });
    });
    octokit.hook.error("request", (error) => {
      const answer = toAnswer(error);
      const seconds = answer === undefined ? undefined : secondsToWait(answer, now());
      if (seconds === undefined || seconds > LONGEST_WAIT || !("request" in error)) throw error;
      const { retryRequest } = (octokit as typeof octokit & ReturnType<typeof retry>).retry;
      throw retryRequest(error, MOST_WAITS, seconds);
    });
  };
}
