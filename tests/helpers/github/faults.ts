import { machineClock } from "../calendar.ts";
import type { GitHubAnswer, GitHubRequest } from "./request.ts";

/** Happens instead of an answer: another answer, a broken connection, or no answer. */
export type Fault = GitHubAnswer | "reset" | "hang";

/** Requests that fail: `POST /repos/acme/status/issues`, with `*` for any part; the nth from now; or a predicate. */
export type When = string | number | ((request: GitHubRequest) => boolean);

/** How often a fault happens, and if the request is executed all the same. */
export interface FaultOptions {
  /** True if the answer is lost only after the request was executed. */
  isDone?: boolean;
  /** @default {1} */
  times?: number;
}

/** A fault that waits for its request. */
export interface PlannedFault extends Required<FaultOptions> {
  fault: Fault;
  matches(request: GitHubRequest): boolean;
}

/** Makes a fault that waits for its request. */
export function planFault(
  when: When,
  fault: Fault,
  { isDone = false, times = 1 }: FaultOptions,
): PlannedFault {
  return { fault, isDone, times, matches: matcher(when) };
}

function matcher(when: When): (request: GitHubRequest) => boolean {
  if (typeof when === "function") return when;
  if (typeof when === "number") {
    let count = 0;
    return () => ++count >= when;
  }
  const [method, pattern = "*"] = when.split(" ");
  const parts = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  const path = new RegExp(`^${parts.join("[^/]*")}$`);
  return (request) => request.method === method && (pattern === "*" || path.test(request.path));
}

const DOCUMENTATION = "https://docs.github.com/rest";

/** An answer of GitHub that is a refusal. */
export function refusalOf(
  status: number,
  message: string,
  more: { headers?: Record<string, string>; errors?: unknown[] } = {},
): GitHubAnswer {
  const { headers = {}, errors } = more;
  const body = { message, errors, documentation_url: DOCUMENTATION, status: String(status) };
  return { status, headers, body };
}

/** Faults as GitHub has them. */
export const FAULTS = {
  serverError: refusalOf(500, "Server Error"),
  /** As the proxies before the API give it. */
  badGateway: {
    status: 502,
    body: "<html><body><h1>502 Bad Gateway</h1></body></html>",
    headers: { "content-type": "text/html" },
  },
  unavailable: {
    status: 503,
    body: "<!DOCTYPE html><title>Unicorn! &middot; GitHub</title>",
    headers: { "content-type": "text/html; charset=utf-8" },
  },
  /** 429 without a word of why. */
  tooMany: (seconds: number): GitHubAnswer =>
    refusalOf(429, "Too Many Requests", { headers: { "retry-after": String(seconds) } }),
  secondaryLimit: (seconds: number): GitHubAnswer =>
    refusalOf(
      403,
      "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
      { headers: { "retry-after": String(seconds) } },
    ),
  /** The hourly allowance, which starts anew after some seconds. */
  primaryLimit: (seconds: number): GitHubAnswer =>
    refusalOf(403, "API rate limit exceeded for user ID 1.", {
      headers: {
        "x-ratelimit-limit": "5000",
        "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": String(
          Math.floor(machineClock.now().epochMilliseconds / 1000) + seconds,
        ),
      },
    }),
} satisfies Record<string, Fault | ((seconds: number) => Fault)>;
