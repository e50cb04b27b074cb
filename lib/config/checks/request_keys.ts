import * as v from "valibot";
import { isMap } from "../document.ts";
import { expected, expectedItem, found, integer, list, optional, text } from "../keys/values.ts";
import { findMeantMethod } from "../keys/methods.ts";

const NAME_AND_VALUE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+\s*:/;

/** Without quotes, YAML takes a header for a map. */
const HEADER = (issue: v.BaseIssue<unknown>) =>
  `${expected('a header such as "X-Name: value"')(issue)}${isMap(issue.input) ? ": quote it" : ""}`;

const ONE_OR_RANGE = String.raw`\s*(?:0|[1-9]\d\d|[1-9][xX]{2}|[1-9]\d\d\s*-\s*[1-9]\d\d)\s*`;
const CODES = new RegExp(`^${ONE_OR_RANGE}(?:,${ONE_OR_RANGE})*$`);

export const REQUEST_KEYS = {
  method: optional(
    "http: method. Default: POST if there is a body, else GET.",
    v.pipe(
      text("a method such as GET or POST"),
      v.regex(/^\s*[A-Za-z]+\s*$/, expected("a method such as GET or POST")),
      v.transform((method) => method.trim().toUpperCase()),
      v.notValue("CONNECT", expected("a method such as GET or POST")),
      v.check(
        (method) => findMeantMethod(method) === undefined,
        ({ input }) =>
          `expected a method such as GET or POST, found ${found(input)}, did you mean "${
            findMeantMethod(input)
          }"?`,
      ),
    ),
  ),
  headers: optional(
    'http, ws, monitor: headers such as "X-Key: $KEY"; "Authorization: Basic $USER:$PASS" is encoded.',
    list(
      v.pipe(
        v.string(HEADER),
        v.regex(
          NAME_AND_VALUE,
          (issue) =>
            `expected "Header-Name: value", found ${JSON.stringify(issue.input.split(/\s/)[0])}`,
        ),
      ),
      "a list of headers",
    ),
    [],
  ),
  body: optional(
    "http: request body; ws: message to send. Without a Content-Type header, valid JSON is sent as JSON and anything else as a form.",
    text(),
  ),
  expectedStatusCodes: optional(
    "http: status codes that count as up, such as 200 or 2xx; 0 for a site that must not answer. Default: 200-208, 226, 300-308 and 429.",
    v.pipe(
      list(statusCodes(), "a list of status codes"),
      v.nonEmpty("expected at least one status code"),
      v.transform((codes) => [...new Set(codes.flat())]),
    ),
  ),
};

/**
 * A status code, 0, which Upptime has for no answer, or several in a text such as `2xx`, `200-204` or
 * `200, 301`; in quotes, as Upptime takes them, as well.
 */
function statusCodes() {
  const what = "0 for no answer, or a status code";
  const isWord = (item: unknown) => typeof item === "object" || /[a-wyz]{3}/i.test(String(item));
  const message = expectedItem(`${what} from 100 to 999`, isWord);
  const texts = v.pipe(v.string(message), v.regex(CODES, message));
  return v.pipe(
    v.union([v.literal(0), integer(100, 999, what), texts], message),
    v.transform((codes) => String(codes).split(",").flatMap(listCodes)),
  );
}

/** The codes of a code, class or range. */
function listCodes(text: string): number[] {
  const [first = "", last = first] = text.trim().split(/\s*-\s*/);
  const [from, to] = [first.replaceAll(/x/gi, "0"), last.replaceAll(/x/gi, "9")].map(Number);
  return Array.from({ length: Math.max(0, to! - from! + 1) }, (_, index) => from! + index);
}
