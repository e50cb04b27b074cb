import type { Assertion } from "../config/checks/assertions/assertion.ts";
import { allAssertions } from "../config/checks/assertions/keys.ts";
import type { CheckSettings } from "../config/checks/mod.ts";
import { judged, neededOf } from "./assertions/judge_answer.ts";
import { withSecrets } from "./assertions/resolve.ts";
import { type Failure, missingSecrets, type Observation, type Probe } from "./check.ts";
import { follow } from "./http/follow.ts";
import { rateLimit } from "./http/rate_limit.ts";
import { prepareRequest } from "./http/request.ts";
import { seenAnswer } from "./http/seen_answer.ts";
import { sentHeaders } from "./http/sent_headers.ts";
import { statusWords } from "./http/status_words.ts";
import { TimeLimitError } from "./network_failure.ts";

/** Too many requests: proof that the site is there. */
const RATE_LIMITED = 429;

/** Status codes that count as up where `expectedStatusCodes` says nothing: 429 stands apart, see {@linkcode judge}. */
export const EXPECTED_STATUS_CODES = [
  [200, 208],
  [226, 226],
  [300, 308],
] as const;

/** Makes an HTTP request and follows redirects; the status of the last answer decides. */
export const http: Probe<CheckSettings<"http">> = async (site, context) => {
  const request = await prepareRequest(site, context);
  if (!("hop" in request)) return request;
  const { assertions, missing } = withSecrets(allAssertions(site), context.secrets);
  if (missing.length > 0) return missingSecrets(missing, context.secrets);
  const limit = new AbortController();
  const timer = setTimeout(
    () => limit.abort(new TimeLimitError(site.requestTimeout)),
    site.requestTimeout,
  );
  try {
    const signal = AbortSignal.any([limit.signal, context.signal]);
    const { observation, answer, isInternal } = await follow(request, { ...context, signal }, {
      maxRedirects: site.maxRedirects,
      redirects: site.redirects,
      connectTimeout: site.connectTimeout,
      judge: (status) => judge(status, site.expectedStatusCodes, assertions),
      keep: neededOf(assertions),
    });
    const { details } = observation;
    if (details !== undefined) details.sent = sentHeaders(site.headers, request.hop.headers);
    if (answer === undefined) return withoutAnswer(observation, site.expectedStatusCodes);
    if (answer.status === RATE_LIMITED && isUp(observation, site, assertions)) {
      return { ...observation, ...rateLimit(answer.headers["retry-after"], context.now) };
    }
    if (assertions.length === 0) return observation;
    const seen = seenAnswer(answer, observation.responseTime, context.now);
    return await judged(observation, assertions, { ...seen, isInternal }, context.secrets);
  } finally {
    clearTimeout(timer);
  }
};

/** Upptime's status code of a site that does not answer. */
const NO_ANSWER = 0;

/** A site that shall not answer, such as one behind a firewall, is up if it does not. */
function withoutAnswer(
  { failure, ...observation }: Observation,
  expected: readonly number[] = [],
): Observation {
  if (failure?.kind !== "network" || !expected.includes(NO_ANSWER)) {
    return failure === undefined ? observation : { ...observation, failure };
  }
  return { ...observation, responseTime: 0, remark: `no answer, as expected: ${failure.reason}` };
}

/** Whether being rate-limited counts as up: unless the site says itself which status does. */
function isUp(
  { failure }: Observation,
  { expectedStatusCodes }: { expectedStatusCodes?: readonly number[] },
  assertions: readonly Assertion[],
): boolean {
  return failure === undefined && expectedStatusCodes === undefined && !decideStatus(assertions);
}

/** Whether assertions say which status means down: they alone decide then. */
function decideStatus(assertions: readonly Assertion[]): boolean {
  return assertions.some(({ condition: { subject }, severity }) =>
    subject.of === "status" && severity === "down"
  );
}

/**
 * Why a status does not count as up; without a list of one's own, being rate-limited does. Where
 * assertions say which status means down, they alone decide.
 */
function judge(
  status: number,
  expected: readonly number[] | undefined,
  assertions: readonly Assertion[],
): Failure | undefined {
  const answered = `answered ${statusWords(status)}`;
  if (expected !== undefined) {
    if (expected.includes(status)) return undefined;
    const codes = [...new Set(expected)].map((code) => code === NO_ANSWER ? "no answer" : code);
    return { kind: "answer", reason: `${answered}, expected ${codes.join(", ")}` };
  }
  if (decideStatus(assertions)) return undefined;
  const isExpected = EXPECTED_STATUS_CODES.some(([from, to]) => from <= status && status <= to);
  return isExpected || status === RATE_LIMITED ? undefined : { kind: "answer", reason: answered };
}
