import * as v from "valibot";
import { isMap } from "../../document.ts";
import { unknownKey } from "../../keys/unknown_key.ts";
import {
  expected,
  list,
  optional,
  type PlacedIssue,
  text,
  textOrNumber,
  word,
} from "../../keys/values.ts";
import { type Assertion, SEVERITIES } from "./assertion.ts";
import { parseAssertion } from "./parse.ts";
import { AssertionError } from "./scanner.ts";

/** An assertion as configured. */
type Written = string | { that?: string; severity?: Assertion["severity"] };

const SAMPLE = `an assertion such as 'body contains "ok"'`;

const WRITTEN = v.union([
  v.string(),
  v.looseObject({
    that: optional("The assertion.", v.string(expected(SAMPLE))),
    severity: optional(
      "State of the site if it fails. Default: degraded for certificate expiry, else down.",
      word(SEVERITIES),
    ),
  }),
], expected(SAMPLE));

const ASSERTION = v.pipe(
  WRITTEN,
  v.rawTransform(({ dataset, addIssue, NEVER }): Assertion => {
    const written: Written = dataset.value;
    const { that, severity, ...others } = isMap(written) ? written : { that: written };
    const pathOf = (key: string): Pick<v.RawTransformIssueInfo<unknown>, "path"> =>
      isMap(written)
        ? { path: [{ type: "object", origin: "value", input: written, key, value: that }] }
        : {};
    if (that === undefined) {
      addIssue({ message: `expected ${SAMPLE}, found a map: quote it` });
      return NEVER;
    }
    const [other] = Object.keys(others);
    if (other !== undefined) {
      addIssue({ message: unknownKey(other, ["that", "severity"], []).message, ...pathOf(other) });
      return NEVER;
    }
    try {
      const condition = parseAssertion(that);
      // A site works until the day on which its certificate expires.
      const usual = condition.subject.of === "certificate" ? "degraded" : "down";
      return { text: that.trim(), condition, severity: severity ?? usual };
    } catch (error) {
      if (!(error instanceof AssertionError)) throw error;
      addIssue({ message: error.message, ...pathOf("that") });
      placeLast(dataset, error.offset);
      return NEVER;
    }
  }),
);

/** Adds the place of the fault in the text to the last issue. */
function placeLast({ issues = [] }: { issues?: readonly PlacedIssue[] }, offset: number): void {
  const issue = issues.at(-1);
  if (issue !== undefined) issue.offset = offset;
}

/** Upptime's keys for some assertions on the body. */
const OF_UPPTIME = {
  "__dangerous__body_down": { not: true, severity: "down" },
  "__dangerous__body_degraded": { not: true, severity: "degraded" },
  "__dangerous__body_down_if_text_missing": { not: false, severity: "down" },
  "__dangerous__body_degraded_if_text_missing": { not: false, severity: "degraded" },
} as const;

/** A text, or several of which each is an assertion. */
function texts({ not, severity }: { not: boolean; severity: Assertion["severity"] }) {
  return v.pipe(
    v.union(
      [text(), v.number(), list(textOrNumber("a text"))],
      expected("a text or a list of texts"),
    ),
    v.transform((texts): Assertion[] =>
      [texts].flat().map(String).map((text) => ({
        text: `body ${not ? "not " : ""}contains ${JSON.stringify(text)}`,
        condition: {
          subject: { of: "body" },
          not,
          test: { operator: "contains", word: { text, quoted: true } },
        },
        severity,
      }))
    ),
  );
}

function upptime(key: keyof typeof OF_UPPTIME) {
  const { not, severity } = OF_UPPTIME[key];
  const meaning = `Another spelling of assert: body ${not ? "not " : ""}contains "…"${
    severity === "down" ? "" : ", with severity: degraded"
  }.`;
  return optional(meaning, texts(OF_UPPTIME[key]), []);
}

/** Keys with which other programs write assertions. */
export const UPPTIME_ASSERTION_KEYS = {
  "__dangerous__body_down": upptime("__dangerous__body_down"),
  "__dangerous__body_degraded": upptime("__dangerous__body_degraded"),
  "__dangerous__body_down_if_text_missing": upptime("__dangerous__body_down_if_text_missing"),
  "__dangerous__body_degraded_if_text_missing": upptime(
    "__dangerous__body_degraded_if_text_missing",
  ),
};

/** Keys with assertions on an answer. */
export const ASSERTION_KEYS = {
  assert: optional(
    "http: conditions the answer must meet, such as 'body contains \"ok\"'.",
    list(ASSERTION, "a list of assertions"),
    [],
  ),
  ...UPPTIME_ASSERTION_KEYS,
};

/** {@linkcode ASSERTION_KEYS} as read. */
type AssertionKeys = v.InferOutput<v.ObjectSchema<typeof ASSERTION_KEYS, undefined>>;

/** Names of {@linkcode ASSERTION_KEYS}. */
export const ASSERTION_KEY_NAMES = Object.keys(ASSERTION_KEYS) as (keyof AssertionKeys)[];

/** All assertions of a site, in the order they are judged. */
export function allAssertions({ assert, ...others }: AssertionKeys): Assertion[] {
  return [...assert, ...upptimeKeys.flatMap((key) => others[key])];
}

/** True if one of these assertions needs the body of the answer. */
export function needsBody(assertions: readonly Assertion[]): boolean {
  return assertions.some(({ condition }) => ["body", "json"].includes(condition.subject.of));
}

const upptimeKeys = Object.keys(OF_UPPTIME) as (keyof typeof OF_UPPTIME)[];
