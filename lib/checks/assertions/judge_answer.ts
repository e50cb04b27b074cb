import type { Secrets } from "../../io/secrets/secrets.ts";
import { plainText, shorten } from "../../text/plain_text.ts";
import type { Observation } from "../check.ts";
import { expiryText } from "../tls/certificate.ts";
import type { Answer } from "./answer.ts";
import type { Assertion, Subject } from "../../config/checks/assertions/assertion.ts";
import { needsBody } from "../../config/checks/assertions/keys.ts";
import { evaluate, type Finding, PatternError } from "./evaluate.ts";
import { excerpt, vicinity } from "./excerpt.ts";
import { matcher } from "./matcher.ts";

/** Longest part of an assertion that a reason repeats, in characters. */
const LONGEST_TEXT = 120;

/** What has to be kept of an answer for its assertions. */
export function neededOf(
  assertions: readonly Assertion[],
): { body: boolean; certificate: boolean } {
  return {
    body: needsBody(assertions),
    certificate: assertions.some(({ condition }) => condition.subject.of === "certificate"),
  };
}

/**
 * An observation with what its assertions say of the answer. A failure that is known already counts
 * before theirs. Of the assertions that fail the first that means down is the failure, else the
 * first that means degraded the degradation. One that can't be judged is a fault of our own, unless
 * another one shows the site to be down.
 */
export async function judged(
  observation: Observation,
  assertions: readonly Assertion[],
  answer: Answer,
  secrets: Secrets,
): Promise<Observation> {
  const match = assertions.some(({ condition }) => condition.test.operator === "matches")
    ? await matcher()
    : () => undefined;
  const show = (text: string, place?: string) =>
    excerpt(secrets.redact(vicinity(text, place)), place);
  const results = assertions.map(({ text, condition, severity }) => ({
    subject: condition.subject.of,
    text: shorten(plainText(secrets.redact(text)), LONGEST_TEXT),
    severity,
    ...shownOf(evaluateSafely(() => evaluate(condition, answer, { show, match })), {
      isHidden: answer.isInternal === true && QUOTED.includes(condition.subject.of),
    }),
  }));
  if (observation.details !== undefined) {
    observation.details.assertions = results.map(({ text, severity, holds, found }) => ({
      text,
      severity,
      holds,
      found: found(),
    }));
  }
  if (observation.failure !== undefined) return observation;
  const failed = results.filter(({ holds }) => !holds);
  const down = failed.find(({ severity, fault }) => severity === "down" && !fault);
  const deciding = down ?? failed.find(({ fault }) => fault) ?? failed[0];
  if (deciding === undefined) return observation;
  const expiry = deciding.subject === "certificate" && answer.certificate !== undefined
    ? expiryText(answer.certificate)
    : undefined;
  const reason = expiry === undefined
    ? `${deciding.text}: ${deciding.found()}`
    : `${expiry}, not as asserted: ${deciding.text}`;
  if (deciding.fault) return { ...observation, failure: { kind: "configuration", reason } };
  return down === undefined
    ? { ...observation, degradation: reason, ...expiry === undefined ? {} : { expiry } }
    : { ...observation, failure: { kind: "answer", reason } };
}

/** Subjects of which a reason quotes the value. */
const QUOTED: readonly Subject["of"][] = ["body", "json", "header"];

function shownOf<F extends Finding>(finding: F, { isHidden }: { isHidden: boolean }): F {
  if (!isHidden) return finding;
  return { ...finding, found: () => "the value is not shown, it comes from a private address" };
}

function evaluateSafely(judge: () => Finding): Finding & { fault?: boolean } {
  try {
    return judge();
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return { holds: false, found: () => error.message, fault: true };
  }
}
