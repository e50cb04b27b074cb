import * as v from "valibot";
import { CHECK_NAMES } from "../checks/mod.ts";
import { plainText } from "../../text/plain_text.ts";
import { duration } from "./duration.ts";
import { VERDICT_KEYS } from "./verdict_keys.ts";
import { byteLength, SLUG_BYTES, slugOf, slugWithBrackets } from "../slug.ts";
import {
  about,
  accounts,
  flag,
  names,
  number,
  text,
  textOrNumber,
  withoutEffect,
  word,
} from "./values.ts";

/** No wait of a single run is longer, in milliseconds. */
const HOUR = 3_600_000;

/** Keys of a site that the top level may set for all sites. */
export const SHARED_KEYS = {
  maxResponseTime: v.optional(
    about(
      "Milliseconds; a site that answers more slowly is degraded.",
      duration("ms", { min: 1, max: HOUR }),
    ),
    30_000,
  ),
  connectTimeout: v.optional(
    about(
      "Seconds until the connection is open, including TLS.",
      duration("s", { min: 1, max: HOUR }),
    ),
    10,
  ),
  requestTimeout: v.optional(
    about(
      "Seconds for the whole request. Default: maxResponseTime + 10, at least 30.",
      duration("s", { min: 1, max: HOUR }),
    ),
  ),
  ...VERDICT_KEYS,
  slo: v.optional(
    about(
      "Objective: uptime in percent that the site should reach, such as 99.9.",
      number(0, 100),
    ),
  ),
  apdex: v.optional(
    about(
      "Milliseconds up to which a response is satisfying; up to four times that is tolerable.",
      duration("ms", { min: 1, max: HOUR }),
    ),
    500,
  ),
  userAgent: v.optional(
    about(
      "User-Agent of requests. Default: the program, its version and the monitor's repository.",
      text(),
    ),
  ),
};

/** Keys of every site, whatever its check. */
export const SITE_KEYS = {
  name: about(
    "Display name of the site.",
    v.pipe(
      textOrNumber("a name"),
      v.transform(plainText),
      v.nonEmpty("expected a name with something to read in it"),
    ),
  ),
  url: about(
    "Address; a host for tcp-ping and ssl, a name for dns. $NAMES in it are secrets.",
    v.pipe(text("an address"), v.transform((url) => url.trim())),
  ),
  check: v.optional(about("Check type.", word(CHECK_NAMES)), "http"),
  slug: v.optional(about(
    "Name used in file names, labels and page addresses. Default: made from `name`.",
    v.pipe(
      textOrNumber("a text"),
      v.check(
        (slug) => slugWithBrackets(slug) === slug.toLowerCase() && byteLength(slug) <= SLUG_BYTES,
        (issue) =>
          `expected a short name for files such as ${
            JSON.stringify(slugOf(issue.input).slice(0, 40))
          }`,
      ),
    ),
  )),
  paused: v.optional(
    about("true stops checking the site; its history and incident stay as they are.", flag()),
    false,
  ),
  link: v.optional(about("Address shown instead of `url`.", text("an address"))),
  hideUrl: v.optional(
    about(
      "true hides the site's address; an address that is entirely a $SECRET is always hidden.",
      flag(),
    ),
    false,
  ),
  group: v.optional(
    about(
      "Heading the site is listed under.",
      v.pipe(textOrNumber("a text"), v.transform(plainText)),
    ),
  ),
  icon: v.optional(about(
    "Icon of the site: an emoji, a file in assets/, or a data: address.",
    text("an address"),
  )),
  description: v.optional(about("Description of the site, in a sentence.", text())),
  tags: v.optional(about("Additional labels for its incident issues.", names("a label")), []),
  assignees: v.optional(
    about(
      "Accounts assigned to its incident issues, in addition to those at the top level.",
      accounts(),
    ),
    [],
  ),
};

/** Keys of a site that mean something to other programs only. */
export const FOREIGN_SITE_KEYS = withoutEffect({
  type: "every check is made from where the program runs",
  location: "every check is made from where the program runs",
  verbose: "the option --verbose and the command check show more",
  maxRetries: "retry.delays says how often a failure is confirmed",
  urlSecretText: "an address that is wholly a $SECRET is never shown",
});

const COMMON = v.object({ ...SHARED_KEYS, ...SITE_KEYS });
/** {@linkcode SITE_KEYS} and {@linkcode SHARED_KEYS} as read; lengths of time in milliseconds. */
export type CommonKeys = v.InferOutput<typeof COMMON>;
