import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import { Octokit } from "@octokit/rest";
import Bottleneck from "bottleneck/light.js";
import { answerOf, notOfApi } from "./answer_of.ts";
import type { Pace } from "./pace.ts";
import { secondsToWait } from "./rate_limit.ts";

/** Longest wait for the platform to be less busy, in seconds, and how often it is waited. */
const LONGEST_WAIT = 60;
const MOST_WAITS = 2;

/** Attempts after the first, where the platform is broken or does not answer. */
const RETRIES = 3;

/** Answers that are the same however often one asks; being asked too much is waited for by {@linkcode waits}. */
const DEFINITE = [400, 401, 403, 404, 409, 410, 422, 429, 451];

const nothing = () => {};
const SILENT = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** What a client of the platform is made with. */
export interface OctokitOptions {
  /** Base address of the API. */
  api: string;
  token: string;
  userAgent: string;
  pace: Pace;
  fetch: typeof fetch;
  /** The time in milliseconds. */
  now(): number;
}

/** A client of the platform's API. */
export type Client = InstanceType<typeof Octokit>;

/** Makes a client that asks again where that does no harm, at the pace that the platform asks for. */
export function makeOctokit({ api, token, userAgent, pace, fetch, now }: OctokitOptions): Client {
  const group = (minTime: number) => new Bottleneck.Group({ minTime, maxConcurrent: 1 });
  const Patient = Octokit.plugin(waits(now), retry, throttling);
  return new Patient({
    auth: token,
    baseUrl: api.replace(/\/+$/, ""),
    userAgent,
    log: SILENT,
    request: { fetch, log: SILENT },
    retry: { doNotRetry: DEFINITE, retries: RETRIES, retryAfterBaseValue: pace.second },
    throttle: {
      write: group(pace.write),
      notifications: group(pace.notice),
      onRateLimit: () => false,
      onSecondaryRateLimit: () => false,
    },
  });
}

/**
 * Waits where the platform says that it is asked too much, and tells answers that are none of its API.
 * It has to come before `retry`, which carries the waiting out; `throttling` does not know the plain 429.
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
