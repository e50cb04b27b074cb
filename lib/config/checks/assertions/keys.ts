import * as v from "valibot";
import { about, expected, list, optional, text, textOrNumber, word } from "../../keys/values.ts";
import { type Assertion, AssertionError, parseAssertion, SEVERITIES } from "./parse.ts";

const SAMPLE = expected(
  `an assertion in quotes such as 'body contains "ok"', or a map with that and severity`,
);

const ASSERTION = v.pipe(
  v.union([
    v.string(),
    v.strictObject({
      that: about("The assertion.", v.string(SAMPLE)),
      severity: optional(
        "State of the site if it fails. Default: degraded for certificate expiry, else down.",
        word(SEVERITIES),
      ),
    }, SAMPLE),
  ], SAMPLE),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }): Assertion => {
    const { that, severity } = typeof value === "string" ? { that: value } : value;
    try {
      const condition = parseAssertion(that);
      // A site works until the day on which its certificate expires.
      const usual = condition.subject.of === "certificate" ? "degraded" : "down";
      return { text: that.trim(), condition, severity: severity ?? usual };
    } catch (error) {
      if (!(error instanceof AssertionError)) throw error;
      addIssue({ message: error.message });
      return NEVER;
    }
  }),
);

/** Upptime's keys and `contains`: a text, or several of which each is an assertion on the body. */
function bodyTexts(not: boolean, severity: Assertion["severity"], about = "Another spelling") {
  const comparison = `body ${not ? "not " : ""}contains`;
  const ifDegraded = severity === "down" ? "" : ", with severity: degraded";
  const toAssertion = (text: string): Assertion => ({
    text: `${comparison} ${JSON.stringify(text)}`,
    condition: {
      subject: { of: "body" },
      not,
      test: { operator: "contains", word: { text, quoted: true } },
    },
    severity,
  });
  const texts = v.union(
    [text(), v.number(), list(textOrNumber("a text"))],
    expected("a text or a list of texts"),
  );
  return optional(
    `${about} of assert: ${comparison} "…"${ifDegraded}.`,
    v.pipe(texts, v.transform((texts) => [texts].flat().map((one) => toAssertion(String(one))))),
    [],
  );
}

export const UPPTIME_ASSERTION_KEYS = {
  "__dangerous__body_down": bodyTexts(true, "down"),
  "__dangerous__body_degraded": bodyTexts(true, "degraded"),
  "__dangerous__body_down_if_text_missing": bodyTexts(false, "down"),
  "__dangerous__body_degraded_if_text_missing": bodyTexts(false, "degraded"),
};

export const ASSERTION_KEYS = {
  assert: optional(
    "http: conditions the answer must meet, such as 'body contains \"ok\"'.",
    list(ASSERTION, "a list of assertions"),
    [],
  ),
  contains: bodyTexts(false, "down", "http: short form"),
  ...UPPTIME_ASSERTION_KEYS,
};

type AssertionKeys = v.InferOutput<v.ObjectSchema<typeof ASSERTION_KEYS, undefined>>;

/** Names of {@linkcode ASSERTION_KEYS}, in the order in which their assertions are evaluated. */
export const ASSERTION_KEY_NAMES = Object.keys(ASSERTION_KEYS) as (keyof AssertionKeys)[];

export function allAssertions(keys: AssertionKeys): Assertion[] {
  return ASSERTION_KEY_NAMES.flatMap((key) => keys[key]);
}

export function needsBody(assertions: readonly Assertion[]): boolean {
  return assertions.some(({ condition }) => ["body", "json"].includes(condition.subject.of));
}
