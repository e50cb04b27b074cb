import {
  type Assertion,
  bareWord,
  type Subject,
  type Test,
  type Word,
} from "../../config/checks/assertions/parse.ts";
import type { Secrets } from "../../io/secrets/secrets.ts";
import { plainText, shorten } from "../../text/plain_text.ts";
import { formatExpiry } from "../certificates.ts";
import type { Observation } from "../observation.ts";
import { type Answer, evaluate, type Finding } from "./evaluate.ts";
import { createMatcher, PatternError } from "./patterns.ts";

/** Longest part of an assertion that a reason repeats, in characters. */
const LONGEST_TEXT = 120;
const QUOTED: readonly Subject["of"][] = ["body", "json", "header"];

/**
 * Adds the outcome of assertions to an observation. An earlier failure takes precedence. Otherwise the first failed
 * assertion of severity down is the failure, else the first of severity degraded the degradation. One that can't be
 * evaluated is a misconfiguration, unless another one shows that the site is down. Without `quotes`, no text of the
 * body is repeated.
 */
export async function applyAssertions(
  observation: Observation,
  assertions: readonly Assertion[],
  answer: Answer,
  { secrets, quotes }: { secrets: Secrets; quotes: boolean },
): Promise<Observation> {
  const match = assertions.some(({ condition }) => condition.test.operator === "matches")
    ? await createMatcher()
    : () => undefined;
  const show = (text: string, place?: string) =>
    excerpt(text, place, (text) => secrets.redact(text));
  const results = assertions.map(({ text, condition, severity }) => {
    const subject = condition.subject.of;
    const finding = evaluateSafely(() => evaluate(condition, answer, { show, match, quotes }));
    return {
      subject,
      text: shorten(plainText(secrets.redact(text)), LONGEST_TEXT),
      severity,
      ...finding,
      ...(answer.isInternal === true && QUOTED.includes(subject)
        ? { found: () => "the value is not shown, it comes from a private address" }
        : {}),
    };
  });
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
  const down = failed.find(({ severity, isBroken }) => severity === "down" && !isBroken);
  const deciding = down ?? failed.find(({ isBroken }) => isBroken) ?? failed[0];
  if (deciding === undefined) return observation;
  const expiry = deciding.subject === "certificate" && answer.certificate !== undefined
    ? formatExpiry(answer.certificate)
    : undefined;
  const reason = expiry === undefined
    ? `${deciding.text}: ${deciding.found()}`
    : `${expiry}, not as asserted: ${deciding.text}`;
  if (deciding.isBroken) return { ...observation, failure: { kind: "configuration", reason } };
  return down === undefined
    ? { ...observation, degradation: reason, ...expiry === undefined ? {} : { expiry } }
    : { ...observation, failure: { kind: "answer", reason } };
}

function evaluateSafely(evaluation: () => Finding): Finding & { isBroken?: boolean } {
  try {
    return evaluation();
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return { holds: false, found: () => error.message, isBroken: true };
  }
}

/** The start of a reference to a secret, or to a value that a step has saved. */
const REFERENCE = /\$|\{\{/;

/** Replaces secrets in the values of assertions; their text stays as written. `missing` names those without a value. */
export function withSecrets(
  assertions: readonly Assertion[],
  secrets: Secrets,
): { assertions: Assertion[]; missing: string[] } {
  const missing: string[] = [];
  const substitute = (text: string, encode?: (value: string) => string) => {
    const result = secrets.substitute(text, encode);
    missing.push(...result.missing);
    return result.text;
  };
  const word = ({ text, quoted }: Word): Word =>
    quoted ? { text: substitute(text), quoted } : bareWord(substitute(text));
  const resolved = (test: Test): Test => {
    switch (test.operator) {
      case "==":
      case "!=":
      case "contains":
        return REFERENCE.test(test.word.text) ? { ...test, word: word(test.word) } : test;
      case "in":
        return {
          ...test,
          among: test.among.map((one) =>
            "text" in one && REFERENCE.test(one.text) ? word(one) : one
          ),
        };
      case "matches":
        return { ...test, source: withSecretsInPattern(test.source, substitute) };
      default:
        return test;
    }
  };
  return {
    assertions: assertions.map(({ condition, ...rest }) => ({
      ...rest,
      condition: { ...condition, test: resolved(condition.test) },
    })),
    missing,
  };
}

/** Escapes secrets in a pattern; a dollar behind a backslash is no reference. */
function withSecretsInPattern(
  source: string,
  substitute: (text: string, encode: (value: string) => string) => string,
): string {
  return source.replace(
    /\\[^]|[^\\]+/g,
    (piece) => piece.startsWith("\\") ? piece : substitute(piece, RegExp.escape),
  );
}

/** Longest value that is shown, in characters. */
const LONGEST_VALUE = 100;
/** Characters that are shown before the place. */
const BEFORE = 30;
/** UTF-16 units on each side that are redacted with an excerpt: more than any secret has. */
const VICINITY = 32 * 1024;

/**
 * A part of a text on one line, redacted: around `place` if that occurs in it, else the start. To redact all of a
 * long answer would be slow.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const page = `<html>${"-".repeat(300)}\nerror: no database${"-".repeat(300)}`;
 * const short = excerpt(page, "error", (text) => text);
 * assertEquals(short.slice(0, 50), "…----------------------------- error: no database-");
 * ```
 */
export function excerpt(
  text: string,
  place: string | undefined,
  redact: (text: string) => string,
): string {
  const found = Math.max(0, text.indexOf(place ?? ""));
  const from = Math.max(0, found - VICINITY);
  const start = from === 0 ? text.trimStart() : text.slice(from);
  const end = found - from + VICINITY;
  // The ellipsis tells the redaction that a secret may be cut there.
  const near = redact(start.length > end ? `${start.slice(0, end)}…` : start);
  const at = place === undefined ? -1 : near.indexOf(place);
  // The place is a part of a secret: a part of another one may be at the start of its vicinity.
  if (at === -1 && from > 0) return excerpt(text, undefined, redact);
  const show = (part: string, longest: number) => shorten(redact(oneLine(part)), longest);
  if (at <= BEFORE || near.length <= LONGEST_VALUE) return show(near, LONGEST_VALUE);
  return `…${show(near.slice(at - BEFORE), LONGEST_VALUE - 1)}`;
}

/** Cuts more than is shown, because white space will be collapsed, without halves of characters. */
function oneLine(text: string): string {
  const piece = text.slice(0, LONGEST_VALUE * 4).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
  return plainText(piece);
}
