import { Buffer } from "node:buffer";
import type { Assertion } from "../../config/checks/assertions/parse.ts";
import { allAssertions, needsBody } from "../../config/checks/assertions/keys.ts";
import type { CheckSettings } from "../../config/checks/mod.ts";
import { applyAssertions, withSecrets } from "../assertions/apply.ts";
import type { Answer } from "../assertions/evaluate.ts";
import { BODY_LIMIT, type Exchange } from "./exchange.ts";
import { follow } from "./follow.ts";
import { formatHeaders } from "./headers.ts";
import { prepareRequest } from "./request.ts";
import { statusWords } from "../network_failure.ts";
import type { Secrets } from "../../io/secrets/secrets.ts";
import {
  type Failure,
  missingSecrets,
  type Observation,
  type ProbeContext,
} from "../observation.ts";
import { withTimeLimit } from "../timing.ts";

/** Too Many Requests: the site is up. */
const RATE_LIMITED = 429;
/** Upptime's status code of a site that does not answer. */
const NO_ANSWER = 0;
/** Status codes that count as up if `expectedStatusCodes` is not set, in addition to 429. */
const EXPECTED_STATUS_CODES = [[200, 208], [226, 226], [300, 308]] as const;

/** UTF-16 units of a failed answer's body that are handed on, of which less is shown once it is redacted. */
const LONGEST_EXCERPT = 36 * 1024;

interface Asked {
  observation: Observation;
  answer?: Answer;
}

/**
 * Makes the request of a site and follows redirects; the status of the last answer decides. `addSecrets` returns the
 * secrets that the answer is evaluated with, which may be some of its own.
 */
export async function ask(
  site: CheckSettings<"http">,
  context: ProbeContext,
  { keepsBody = false, addSecrets = () => context.secrets }: {
    keepsBody?: boolean;
    addSecrets?(answer: Answer): Promise<Secrets> | Secrets;
  } = {},
): Promise<Asked> {
  const request = await prepareRequest(site, context);
  if (!("hop" in request)) return { observation: request };
  const { assertions, missing } = withSecrets(allAssertions(site), context.secrets);
  if (missing.length > 0) return { observation: missingSecrets(missing, context.secrets) };
  const { expectedStatusCodes: expected } = site;
  const { observation, answer, isInternal } = await withTimeLimit(
    site.requestTimeout,
    context.signal,
    (signal) =>
      follow(request, { ...context, signal }, {
        ...site,
        keepsBody: keepsBody || needsBody(assertions),
      }),
  );
  const { details } = observation;
  details!.sent = formatHeaders(site.headers, request.hop.headers);
  if (answer === undefined) {
    return { observation: evaluateNoAnswer(observation, expected) };
  }
  const asserted = { ...toAssertedAnswer(answer, observation, context.now), isInternal };
  const secrets = await addSecrets(asserted);
  const evaluated = await evaluateAnswer(observation, asserted, {
    ...{ expected, assertions, secrets, now: context.now },
    quotes: context.quotesAnswers ?? false,
  });
  return { observation: evaluated, answer: asserted };
}

/** A site that must not answer, such as one behind a firewall, is up if it doesn't. */
export function evaluateNoAnswer(
  observation: Observation,
  expected: readonly number[] | undefined,
): Observation {
  const { failure } = observation;
  if (failure?.kind !== "network" || !expected?.includes(NO_ANSWER)) return observation;
  const remark = `no answer, as expected: ${failure.reason}`;
  return { ...observation, failure: undefined, responseTime: 0, remark };
}

/** Adds to an observation how its answer is evaluated; `assertions` have their secrets filled in. */
export async function evaluateAnswer(
  observation: Observation,
  answer: Answer,
  { expected, assertions, secrets, now, quotes }: {
    expected: readonly number[] | undefined;
    assertions: readonly Assertion[];
    secrets: Secrets;
    now: Temporal.Instant;
    quotes: boolean;
  },
): Promise<Observation> {
  const { status, headers, isInternal } = answer;
  const decidesStatus = assertions.some(({ condition: { subject }, severity }) =>
    subject.of === "status" && severity === "down"
  );
  if (status === RATE_LIMITED && expected === undefined && !decidesStatus) {
    return { ...observation, ...readRateLimit([headers["retry-after"]].flat()[0], now) };
  }
  const failure = evaluateStatus(status, expected, decidesStatus);
  const byStatus = failure === undefined ? observation : { ...observation, failure };
  const evaluated = assertions.length === 0
    ? byStatus
    : await applyAssertions(byStatus, assertions, answer, { secrets, quotes });
  const body = isInternal ? "" : markCut(answer);
  const showsBody = evaluated.failure !== undefined && body !== "";
  return showsBody ? { ...evaluated, body } : evaluated;
}

/** Reason why a status does not count as up; assertions on the status replace the default list. */
function evaluateStatus(
  status: number,
  expected: readonly number[] | undefined,
  decidesStatus: boolean,
): Failure | undefined {
  const answered = `answered ${statusWords(status)}`;
  if (expected !== undefined) {
    if (expected.includes(status)) return undefined;
    const codes = [...new Set(expected)].map((code) => code === NO_ANSWER ? "no answer" : code);
    return { kind: "answer", reason: `${answered}, expected ${codes.join(", ")}` };
  }
  const isExpected = decidesStatus || status === RATE_LIMITED ||
    EXPECTED_STATUS_CODES.some(([from, to]) => from <= status && status <= to);
  return isExpected ? undefined : { kind: "answer", reason: answered };
}

/**
 * The note on an answer of 429: the site is up and asks not to be checked for a while. `retryAfter` is
 * the header of that name, seconds or a date (RFC 9110, section 10.2.3).
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const now = Temporal.Instant.from("2026-11-21T10:05:00Z");
 * assertEquals(readRateLimit("120", now), { remark: "rate limited", retryAfter: 120_000 });
 * assertEquals(readRateLimit("Sat, 21 Nov 2026 10:06:00 GMT", now).retryAfter, 60_000);
 * assertEquals(readRateLimit(undefined, now), { remark: "rate limited" });
 * ```
 */
export function readRateLimit(
  retryAfter: string | undefined,
  now: Temporal.Instant,
): Pick<Observation, "remark" | "retryAfter"> {
  const remark = "rate limited";
  const text = retryAfter?.trim() ?? "";
  const wait = /^\d+$/.test(text) ? 1000 * Number(text) : Date.parse(text) - now.epochMilliseconds;
  return wait > 0 ? { remark, retryAfter: wait } : { remark };
}

/** The start of a body; the ellipsis tells the redaction that a secret may be cut there. */
function markCut({ body, isCut }: Answer): string {
  return body.length > LONGEST_EXCERPT || isCut ? `${body.slice(0, LONGEST_EXCERPT)}…` : body;
}

function toAssertedAnswer(
  { status, headers, body, isCut }: Exchange,
  { responseTime, details }: Observation,
  now: Temporal.Instant,
): Answer {
  const bytes = Buffer.concat(body);
  const expiry = details?.certificate?.to;
  return {
    status,
    responseTime: Math.round(responseTime),
    headers,
    body: decode(bytes.subarray(0, BODY_LIMIT), isCut, headers["content-type"]),
    isCut,
    ...(expiry === undefined
      ? {}
      : { certificate: expiry.epochMilliseconds - now.epochMilliseconds }),
  };
}

/** Marks at the start of a text that say how it is encoded, whatever its content type says. */
const BYTE_ORDER_MARKS = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
] as const;

function decode(bytes: Uint8Array, isCut: boolean, contentType = ""): string {
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte));
  const charset = marked?.[0] ??
    /;\s*charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType)?.[1] ?? "utf-8";
  // A cut character at the end is left out.
  try {
    return new TextDecoder(charset).decode(bytes, { stream: isCut });
  } catch {
    return new TextDecoder().decode(bytes, { stream: isCut });
  }
}
