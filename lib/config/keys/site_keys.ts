import * as v from "valibot";
import { CHECKS } from "../../checks/mod.ts";
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
      "Seconds until the connection is open, TLS included.",
      duration("s", { min: 1, max: HOUR }),
    ),
    10,
  ),
  requestTimeout: v.optional(
    about(
      "Seconds for everything; 10 more than maxResponseTime and at least 30 where it is not given.",
      duration("s", { min: 1, max: HOUR }),
    ),
  ),
  ...VERDICT_KEYS,
  slo: v.optional(
    about(
      "Service level objective: percent of the time that a site shall be up, such as 99.9.",
      number(0, 100),
    ),
  ),
  apdex: v.optional(
    about(
      "Milliseconds up to which an answer satisfies; up to four times as many are tolerated.",
      duration("ms", { min: 1, max: HOUR }),
    ),
    500,
  ),
  userAgent: v.optional(
    about(
      "What requests call themselves; the program, its version and the monitor's repository where it is not given.",
      text(),
    ),
  ),
};

/** Keys of every site, whatever its check. */
export const SITE_KEYS = {
  name: about(
    "The site's name, as people read it.",
    v.pipe(
      textOrNumber("a name"),
      v.transform(plainText),
      v.nonEmpty("expected a name with something to read in it"),
    ),
  ),
  url: about(
    "The address; for tcp-ping and ssl a host, for dns a name. $NAMES in it are secrets.",
    v.pipe(text("an address"), v.transform((url) => url.trim())),
  ),
  check: v.optional(about("How the site is checked.", checkName()), "http"),
  slug: v.optional(about(
    "The name its files go by; made from the name where it is not given.",
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
    about("true: not checked for now; its history and incident stay as they are.", flag()),
    false,
  ),
  link: v.optional(about("Address that is shown in place of url.", text("an address"))),
  hideUrl: v.optional(
    about("true: no address of the site is shown; one that is wholly a $SECRET never is.", flag()),
    false,
  ),
  group: v.optional(
    about("Heading the site stands under.", v.pipe(textOrNumber("a text"), v.transform(plainText))),
  ),
  icon: v.optional(about(
    "Icon of the site: an emoji, or a picture, as a file of assets/ or a data: address.",
    text("an address"),
  )),
  description: v.optional(about("What the site is, in a sentence.", text())),
  tags: v.optional(about("Further labels of the issues of its incidents.", names("a label")), []),
  assignees: v.optional(
    about(
      "Accounts that the issues of its incidents are assigned to, beside those of the top level.",
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

function checkName() {
  return word(Object.keys(CHECKS));
}
