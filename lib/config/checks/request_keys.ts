import * as v from "valibot";
import { isMap } from "../document.ts";
import { expected, integer, list, optional, text } from "../keys/values.ts";

const NAME_AND_VALUE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+\s*:/;

/** Without quotes, YAML takes a header for a map. */
const HEADER = (issue: v.BaseIssue<unknown>) =>
  `${expected('a header such as "X-Name: value"')(issue)}${isMap(issue.input) ? ": quote it" : ""}`;

/** Keys of a request and of the status of its answer. */
export const REQUEST_KEYS = {
  method: optional(
    "http: method. Default: POST if there is a body, else GET.",
    v.pipe(
      text("a method such as GET or POST"),
      v.regex(/^[A-Za-z]+$/, expected("a method such as GET or POST")),
      v.toUpperCase(),
      v.notValue("CONNECT", expected("a method such as GET or POST")),
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
    "http: status codes that count as up; 0 for a site that must not answer. Default: 200-208, 226, 300-308 and 429.",
    v.pipe(
      list(statusCode(), "a list of status codes"),
      v.nonEmpty("expected at least one status code"),
    ),
  ),
};

/** A status code, or 0, which Upptime has for no answer; in quotes, as Upptime takes it, as well. */
function statusCode() {
  const what = "0 for no answer, or a status code";
  const message = expected(`${what} from 100 to 999`);
  const quoted = v.pipe(v.string(message), v.regex(/^(?:0|[1-9]\d\d)$/, message));
  return v.pipe(
    v.union([v.literal(0), integer(100, 999, what), quoted], message),
    v.transform(Number),
  );
}
