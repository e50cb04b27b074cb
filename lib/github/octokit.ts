import { retry } from "@octokit/plugin-retry";
import { Octokit } from "@octokit/rest";
import type { Clock } from "../io/clock.ts";
import { answerOf, notOfApi } from "./answer_of.ts";
import type { Pace } from "./pace.ts";
import { secondsToWait } from "./rate_limit.ts";
import { TokenBucket } from "./token_bucket.ts";

/** Longest wait for GitHub to be less busy, in seconds, and how often it is waited. */
const LONGEST_WAIT = 60;
const MOST_WAITS = 2;

/** Attempts after the first, where GitHub is broken or does not answer. */
const RETRIES = 3;

/** Answers that are the same however often one asks; being asked too much is waited for by {@linkcode waits}. */
const DEFINITE = [400, 401, 403, 404, 409, 410, 422, 429, 451];

/** Requests at once; GitHub allows 100 for all clients of an account together. */
const MOST_AT_ONCE = 10;

const nothing = () => {};
const SILENT = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** What a client of GitHub is made with. */
export interface OctokitOptions {
  /** Base address of the API. */
  api: string;
  token: string;
  userAgent: string;
  pace: Pace;
  fetch: typeof fetch;
  clock: Clock;
}

/** A client of GitHub's API. */
export type Client = InstanceType<typeof Octokit>;

/** Makes a client that repeats failed requests if that is safe, and keeps GitHub's rate limits. */
export function makeOctokit({ api, token, userAgent, pace, fetch, clock }: OctokitOptions): Client {
  const bucket = new TokenBucket({ burst: pace.burst, interval: pace.write, clock });
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
    retry: { doNotRetry: DEFINITE, retries: RETRIES, retryAfterBaseValue: pace.second },
  });
}

/**
 * Takes a token from the bucket for each writing request, and limits how many requests run at once. It is
 * installed before `retry`, so that each attempt counts and a wait between two attempts does not.
 */
function paced(bucket: TokenBucket) {
  return (octokit: Pick<Octokit, "hook">): void => {
    let free = MOST_AT_ONCE;
    const waiting: (() => void)[] = [];
    octokit.hook.wrap("request", async (request, options) => {
      const isRead = ["GET", "HEAD"].includes(options.method) || options.url.endsWith("/graphql");
      if (!isRead) await bucket.take();
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await request(options);
      } finally {
        const next = waiting.shift();
        if (next === undefined) free++;
        else next();
      }
    });
  };
}

/**
 * Waits where GitHub says that it is asked too much, and tells answers that are none of its API.
 * It has to come before `retry`, which carries the waiting out.
 */
function waits(now: () => number) {
  return (octokit: Pick<Octokit, "hook">): void => {
    octokit.hook.after("request", (response, request) => {
      const isRead = typeof response.data !== "string" || response.status === 204;
      if (isRead && response.status < 300) return;
      throw Object.assign(notOfApi(response), { request });
    });
    octokit.hook.error("request", (error) => {
      const answer = answerOf(error);
      const seconds = answer === undefined ? undefined : secondsToWait(answer, now());
      if (seconds === undefined || seconds > LONGEST_WAIT || !("request" in error)) throw error;
      const { retryRequest } = (octokit as typeof octokit & ReturnType<typeof retry>).retry;
      throw retryRequest(error, MOST_WAITS, seconds);
    });
  };
}
