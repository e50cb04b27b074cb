import type { PeerCertificate } from "node:tls";
import * as v from "valibot";
import type { Assertion } from "../../config/checks/assertions/parse.ts";
import { allAssertions } from "../../config/checks/assertions/keys.ts";
import { expectations } from "../../config/checks/connection_keys.ts";
import { queryName } from "../../config/checks/dns.ts";
import { bareHost } from "../../config/checks/hosts.ts";
import type { CheckSettings, CheckTarget } from "../../config/checks/mod.ts";
import type { Secrets } from "../../io/secrets/secrets.ts";
import { plainText, shorten } from "../../text/plain_text.ts";
import { withSecrets } from "../assertions/apply.ts";
import { type Answer, evaluate } from "../assertions/evaluate.ts";
import { createMatcher, PatternError } from "../assertions/patterns.ts";
import { CertificateError, describeCertificateError } from "../certificates.ts";
import { evaluateReply } from "../dns_reply.ts";
import { evaluateAnswer, evaluateNoAnswer } from "../http/ask.ts";
import { misconfigured, missingSecrets, type Observation } from "../observation.ts";
import type { ProbeAnswer } from "./client.ts";
import { LONGEST_TEST } from "./request.ts";

/** Longest text of a probe that a reason repeats, in characters. */
const LONGEST_TEXT = 150;

/** Most milliseconds of a test, with a second for what a probe measures beyond its limit. */
const LONGEST_TIME = 1000 * (LONGEST_TEST + 1);
// If the clock of a probe is set during the measurement, its times are negative or huge.
const TIME = v.fallback(
  v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(LONGEST_TIME))),
  null,
);
const TEXTS = v.union([v.string(), v.array(v.string())]);
const NAME = v.optional(v.looseObject({ CN: v.optional(TEXTS), O: v.optional(TEXTS) }));

const HTTP = v.object({
  statusCode: v.number(),
  headers: v.record(v.string(), TEXTS),
  rawBody: v.nullish(v.string(), ""),
  truncated: v.optional(v.boolean(), false),
  timings: v.object({
    ...{ total: TIME, dns: TIME, tcp: TIME, tls: TIME, firstByte: TIME, download: TIME },
  }),
  tls: v.nullish(v.object({
    authorized: v.boolean(),
    error: v.nullish(v.string(), ""),
    createdAt: v.nullish(v.string(), ""),
    expiresAt: v.nullish(v.string(), ""),
    subject: v.optional(v.looseObject({ CN: v.optional(TEXTS), alt: v.nullish(v.string(), "") })),
    issuer: NAME,
  })),
});
const PING = v.object({
  stats: v.object({ avg: TIME, total: v.number(), rcv: v.number() }),
});
const DNS = v.object({
  statusCodeName: v.string(),
  answers: v.array(v.object({ type: v.string(), value: v.string() })),
  timings: v.object({ total: TIME }),
});

const UNREADABLE = "Globalping's result has an unexpected format";

/** Text of a probe that refuses the address to which a public name leads: it says nothing about the site. */
const PRIVATE = /\bprivate (?:ip|host)/i;

interface ResultsContext {
  secrets: Secrets;
  now: Temporal.Instant;
  quotes: boolean;
  /** True if another location has to confirm a failure: then a name server at fault counts as one. */
  isConfirmed: boolean;
}

/**
 * Converts the answer of a probe to an observation. A failure for which the site is not at fault becomes a
 * misconfiguration: nothing is known of the site from there.
 */
export async function observeAnswer(
  target: CheckTarget,
  answer: ProbeAnswer,
  context: ResultsContext,
): Promise<Observation> {
  const { status, failureSource, rawOutput } = answer;
  if (status === "finished") return await observe(target, answer, context);
  const counts = failureSource === "target" && !PRIVATE.test(String(rawOutput)) ||
    failureSource === "resolver" && context.isConfirmed;
  if (status !== "failed" || !counts) return misconfigured(describeMissing(answer));
  const observation = noAnswer(describeText(answer));
  return target.check === "http"
    ? evaluateNoAnswer(observation, target.expectedStatusCodes)
    : observation;
}

function describeMissing(answer: ProbeAnswer): string {
  const { status, failureSource } = answer;
  if (status === "in-progress") return "the probe of Globalping was not done in time";
  if (status === "offline") return "the probe of Globalping has gone offline";
  const what = failureSource === "resolver"
    ? "the probe of Globalping can't look up the name"
    : "the probe of Globalping failed";
  return `${what}: ${describeText(answer)}`;
}

function describeText({ rawOutput }: ProbeAnswer): string {
  const text = typeof rawOutput === "string" ? plainText(rawOutput) : "";
  return text === "" ? "no reason given" : shorten(text, LONGEST_TEXT);
}

function noAnswer(reason: string): Observation {
  return { code: 0, responseTime: 0, failure: { kind: "network", reason } };
}

function observe(
  target: CheckTarget,
  answer: ProbeAnswer,
  context: ResultsContext,
): Observation | Promise<Observation> {
  switch (target.check) {
    case "http": {
      const { success, output } = v.safeParse(HTTP, answer);
      return success ? observeHttp(target, output, context) : misconfigured(UNREADABLE);
    }
    case "tcp-ping":
    case "icmp": {
      const { success, output } = v.safeParse(PING, answer);
      return success ? observePing(target, output) : misconfigured(UNREADABLE);
    }
    case "dns": {
      const { success, output } = v.safeParse(DNS, answer);
      return success ? observeDns(target, output, context) : misconfigured(UNREADABLE);
    }
    default:
      return misconfigured(UNREADABLE);
  }
}

/** A closed port is a finished measurement as well: only what was received counts. */
function observePing(
  { check }: CheckSettings<"tcp-ping" | "icmp"> & { check: string },
  { stats: { avg, total, rcv } }: v.InferOutput<typeof PING>,
): Observation {
  if (rcv <= 0) {
    return noAnswer(
      check === "icmp" ? "no answer to the ping" : `none of ${total} connections opened`,
    );
  }
  const time = avg ?? 0;
  return {
    code: 200,
    responseTime: time,
    ...avg === null ? { isUnmeasured: true } : {},
    phases: { dns: 0, connect: time, tls: 0, ttfb: 0, download: 0 },
  };
}

function observeDns(
  site: CheckSettings<"dns">,
  { statusCodeName, answers, timings: { total } }: v.InferOutput<typeof DNS>,
  { secrets, quotes }: ResultsContext,
): Observation {
  const wanted = expectations(site).map((shown) => ({ ...secrets.substitute(shown), shown }));
  const missing = wanted.flatMap((one) => one.missing);
  if (missing.length > 0) return missingSecrets(missing, secrets);
  const time = total ?? 0;
  const records = answers.filter(({ type }) => type === site.record)
    .map(({ value }) => site.record === "TXT" ? joinStrings(value) : value);
  const failure = evaluateReply({ code: statusCodeName, records }, site.record, {
    expected: wanted,
    shown: queryName(site.url),
    quotes,
  });
  return {
    code: failure === undefined ? 200 : 0,
    responseTime: time,
    ...total === null ? { isUnmeasured: true } : {},
    phases: { dns: time, connect: 0, tls: 0, ttfb: 0, download: 0 },
    ...failure === undefined ? {} : { failure },
  };
}

/**
 * The text of a TXT record as `dig` prints it: strings in quotes, which belong together.
 */
function joinStrings(value: string): string {
  const strings = [...value.matchAll(/"((?:[^"\\]|\\.)*)"/gs)].map(([, text]) => text!);
  const text = strings.length === 0 ? value : strings.join("");
  const codes = text.replace(/((?:\\\d{3})+)/g, (run) => {
    const bytes = run.split("\\").slice(1).map(Number);
    return new TextDecoder().decode(new Uint8Array(bytes));
  });
  return codes.replace(/\\(.)/gs, "$1");
}

async function observeHttp(
  site: CheckSettings<"http">,
  { statusCode, headers, rawBody, truncated, timings, tls }: v.InferOutput<typeof HTTP>,
  { secrets, now, quotes }: ResultsContext,
): Promise<Observation> {
  const { assertions, missing } = withSecrets(allAssertions(site), secrets);
  if (missing.length > 0) return missingSecrets(missing, secrets);
  const url = new URL(site.url);
  const certificate = tls && toCertificate(tls);
  const expires = certificate && Date.parse(certificate.valid_to);
  const expiry = typeof expires === "number" && !Number.isNaN(expires)
    ? { certificate: Temporal.Instant.fromEpochMilliseconds(expires) }
    : {};
  // Probes accept every certificate.
  if (url.protocol === "https:" && !site.insecure && tls?.authorized !== true) {
    if (!tls || !certificate) return misconfigured(UNREADABLE);
    const error = new CertificateError(tls.error ?? "", certificate);
    const reason = describeCertificateError(error, now, bareHost(url));
    return evaluateNoAnswer({ ...noAnswer(reason), ...expiry }, site.expectedStatusCodes);
  }
  const { location } = headers;
  const isRedirect = statusCode >= 300 && statusCode < 400 && location !== undefined;
  if (isRedirect && site.maxRedirects > 0) {
    return misconfigured(
      `answered ${statusCode}, and Globalping follows no redirects: check the address that it leads to, or set maxRedirects: 0`,
    );
  }
  const { total, dns, tcp, tls: handshake, firstByte, download } = timings;
  const phases = {
    ...{ dns: dns ?? 0, connect: tcp ?? 0, tls: handshake ?? 0 },
    ...{ ttfb: firstByte ?? 0, download: download ?? 0 },
  };
  const responseTime = total ?? Object.values(phases).reduce((sum, time) => sum + time, 0);
  const answer: Answer = {
    status: statusCode,
    responseTime: Math.round(responseTime),
    headers,
    body: rawBody,
    isCut: truncated,
    ...expiry.certificate === undefined
      ? {}
      : { certificate: expiry.certificate.epochMilliseconds - now.epochMilliseconds },
  };
  const { decided, open } = truncated
    ? await selectDecided(assertions, answer)
    : { decided: assertions, open: [] };
  const observation: Observation = {
    ...{ code: statusCode, responseTime, phases },
    ...total === null ? { isUnmeasured: true } : {},
    ...expiry,
  };
  const evaluated = await evaluateAnswer(observation, answer, {
    ...{ expected: site.expectedStatusCodes, assertions: decided, secrets, now, quotes },
  });
  const undecided = open.find(({ severity }) => severity === "down") ?? open[0];
  if (undecided === undefined || evaluated.failure !== undefined) return evaluated;
  const reason =
    `Globalping read the first ${rawBody.length} characters only, which don't decide: ${
      secrets.redact(undecided.text)
    }`;
  return undecided.severity === "down"
    ? misconfigured(reason)
    : { ...evaluated, remark: evaluated.remark ?? reason };
}

/** Divides assertions into those that the start of an answer decides, and the others: what is missing may follow. */
async function selectDecided(
  assertions: readonly Assertion[],
  answer: Answer,
): Promise<{ decided: Assertion[]; open: Assertion[] }> {
  const match = await createMatcher();
  const isDecided = ({ condition }: Assertion): boolean => {
    const { subject, test } = condition;
    if (subject.of === "header") return Object.hasOwn(answer.headers, subject.name);
    if (subject.of !== "body" && subject.of !== "json") return true;
    const isSearch = test.operator === "contains" ||
      test.operator === "matches" && !test.source.includes("$");
    if (subject.of === "json" || !isSearch) return false;
    try {
      return evaluate({ ...condition, not: false }, answer, { match, show: String }).holds;
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      return true;
    }
  };
  const { decided = [], open = [] } = Object.groupBy(
    assertions,
    (one) => isDecided(one) ? "decided" : "open",
  );
  return { decided, open };
}

function toCertificate(
  { subject, issuer, createdAt, expiresAt }: NonNullable<v.InferOutput<typeof HTTP>["tls"]>,
): PeerCertificate {
  return {
    subject: { CN: subject?.CN },
    issuer: { CN: issuer?.CN, O: issuer?.O },
    subjectaltname: subject?.alt ?? "",
    valid_from: createdAt,
    valid_to: expiresAt,
    fingerprint256: "of Globalping",
  } as unknown as PeerCertificate;
}
