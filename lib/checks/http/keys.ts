import * as v from "valibot";
import { flag, integer, list, text } from "../../config/values.ts";

const NAME_AND_VALUE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+\s*:/;

/** What an `http` check reads of its site. */
export const HTTP_KEYS = {
  method: v.optional(
    v.pipe(
      text("a method such as GET or POST"),
      v.regex(/^[A-Za-z]+$/, "expected a method such as GET or POST"),
      v.toUpperCase(),
    ),
  ),
  headers: v.optional(
    list(
      v.pipe(
        text('a header such as "X-Name: value"'),
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
  body: v.optional(text()),
  expectedStatusCodes: v.optional(
    v.pipe(
      list(integer(100, 999), "a list of status codes"),
      v.nonEmpty("expected at least one status code"),
    ),
  ),
  maxRedirects: v.optional(integer(0, 50), 3),
  insecure: v.optional(flag(), false),
  ca: v.optional(text("a file or a $SECRET with certificates in PEM")),
  clientCertificate: v.optional(text("a file or a $SECRET with a certificate in PEM")),
  clientKey: v.optional(text("a file or a $SECRET with a key in PEM")),
};

/** {@linkcode HTTP_KEYS} as read. */
export type HttpKeys = v.InferOutput<v.ObjectSchema<typeof HTTP_KEYS, undefined>>;
