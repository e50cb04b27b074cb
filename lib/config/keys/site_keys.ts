import { DAY, HOUR, MINUTE } from "../../time.ts";
import * as v from "valibot";
import { CHECK_NAMES } from "../checks/mod.ts";
import { countBytes, plainText } from "../../text/plain_text.ts";
import { SITE_LOCATION_KEYS } from "./location_keys.ts";
import { duration } from "./times.ts";
import { SLUG_BYTES, slugWithBrackets, toSlug } from "../slug.ts";
import {
  about,
  accounts,
  expected,
  flag,
  integer,
  list,
  map,
  names,
  number,
  optional,
  text,
  textOrNumber,
  withoutEffect,
  word,
} from "./values.ts";

/** Keys of the evaluation; the top level may set them for all sites. */
const EVALUATION_KEYS = {
  retry: optional(
    "How a failure is retried within a run.",
    map({
      delays: optional(
        "Seconds before each further attempt.",
        list(duration("s", { max: HOUR }), "a list of delays in seconds"),
        [5, 25],
      ),
      jitter: optional("Share by which a delay varies at random.", number(0, 1), 0.2),
    }, "a map with delays and jitter"),
    {},
  ),
  failureThreshold: optional("Consecutive failing runs until a site is down.", integer(1, 100), 1),
  successThreshold: optional(
    "Consecutive successful attempts until a site that was down is up.",
    integer(1, 10),
    2,
  ),
  recheckDelay: optional(
    "Seconds between these attempts, which are made in one run.",
    duration("s", { max: HOUR }),
    5,
  ),
  degradedRuns: optional(
    "Runs that must be slow until a site is degraded: [2, 3] means 2 of the last 3.",
    shareOfRuns(),
    [2, 3],
  ),
  degradedLeave: optional(
    "Share of maxResponseTime below which a degraded site is up again.",
    number(0.01, 1),
    0.8,
  ),
  unknownAfter: optional(
    "Consecutive runs without a result (such as a missing secret) until channels are notified.",
    integer(1, 1000),
    6,
  ),
  flapThreshold: optional(
    "Share of changes in the last 21 results above which a site is flapping. A flapping site keeps one incident; after one message nothing is sent until it is up in 6 consecutive runs.",
    number(0, 1),
    0.5,
  ),
  reopenWithin: optional(
    "Minutes after an incident ends in which a new failure reopens it.",
    duration("m", { max: DAY }),
    15,
  ),
};

/** Shortest `interval`, in milliseconds. */
const SHORTEST_INTERVAL = 10_000;

/** Keys of a site that the top level may set for all sites. */
export const SHARED_KEYS = {
  interval: optional(
    "Seconds between two checks by `watch`, at least 10. `update` ignores it and checks every site in each run.",
    duration("s", { min: SHORTEST_INTERVAL, max: DAY }),
    MINUTE / 1000,
  ),
  maxResponseTime: optional(
    "Milliseconds; a site that answers more slowly is degraded.",
    duration("ms", { min: 1, max: HOUR }),
    30_000,
  ),
  connectTimeout: optional(
    "Seconds until the connection is open, including TLS.",
    duration("s", { min: 1, max: HOUR }),
    10,
  ),
  requestTimeout: optional(
    "Seconds for the whole request. Default: maxResponseTime + 10, at least 30.",
    duration("s", { min: 1, max: HOUR }),
  ),
  ...EVALUATION_KEYS,
  slo: optional(
    "Objective: uptime in percent that the site should reach, such as 99.9.",
    number(0, 100),
  ),
  apdex: optional(
    "Milliseconds up to which a response is satisfying; up to four times that is tolerable.",
    duration("ms", { min: 1, max: HOUR }),
    500,
  ),
  userAgent: optional(
    "User-Agent of requests. Default: the program, its version and the monitor's repository.",
    text(),
  ),
};

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
  check: optional("Check type.", word(CHECK_NAMES), "http"),
  inverted: optional(
    "true: the site is up if its check fails, such as at a closed port, and down if it succeeds.",
    flag(),
    false,
  ),
  slug: optional(
    "Name used in file names, labels and page addresses. Default: made from `name`.",
    v.pipe(
      textOrNumber("a text"),
      v.check(
        (slug) => slugWithBrackets(slug) === slug.toLowerCase() && countBytes(slug) <= SLUG_BYTES,
        (issue) =>
          `expected a short name for files such as ${
            JSON.stringify(toSlug(issue.input).slice(0, 40))
          }`,
      ),
    ),
  ),
  paused: optional(
    "true stops checking the site; its history and incident stay as they are.",
    flag(),
    false,
  ),
  link: optional("Address shown instead of `url`.", text("an address")),
  hideUrl: optional(
    "true hides the site's address; an address that is entirely a $SECRET is always hidden.",
    flag(),
    false,
  ),
  public: optional(
    "false: nothing that is published names the site; it is checked, and channels are notified of it.",
    flag(),
    true,
  ),
  group: optional(
    "Heading the site is listed under.",
    v.pipe(textOrNumber("a text"), v.transform(plainText)),
  ),
  icon: optional(
    "Icon of the site: an emoji, a file in assets/, or a data: address.",
    text("an address"),
  ),
  description: optional("Description of the site, in a sentence.", text()),
  runbook: optional(
    "Address of the instructions for an outage, shown in messages and issues; or the instructions.",
    text(),
  ),
  keepBody: optional(
    "true: emails, issues and errors quote a failed response, even in a public repository.",
    flag(),
    false,
  ),
  tags: optional(
    "Additional labels for its incident issues; channels can select sites by them.",
    names("a label"),
    [],
  ),
  warnAt: optional(
    "Days before its certificate expires at which channels that get `certificate` are notified.",
    list(integer(0, 3650), "a list of days"),
    [30, 14, 7, 3, 1],
  ),
  severity: optional(
    "Severity of an outage of the site. A degradation is always a warning.",
    word(["critical", "warning"]),
    "critical",
  ),
  assignees: optional(
    "Accounts assigned to its incident issues, in addition to those at the top level.",
    accounts(),
    [],
  ),
  ...SITE_LOCATION_KEYS,
};

/** Keys of a site that mean something to other programs only. */
export const UNSUPPORTED_SITE_KEYS = withoutEffect({
  type: "only globalping is understood; locations says from where a site is checked",
  location: "only a site of type globalping has one; locations says from where a site is checked",
  verbose: "the option --verbose and the command check show more",
  maxRetries: "retry.delays says how often a failure is confirmed",
  urlSecretText: "an address that is wholly a $SECRET is never shown",
});

const COMMON = v.object({ ...SHARED_KEYS, ...SITE_KEYS });
/** {@linkcode SITE_KEYS} and {@linkcode SHARED_KEYS} as read; lengths of time in milliseconds. */
export type CommonKeys = v.InferOutput<typeof COMMON>;

/** Two numbers of runs, of which the first is not the greater. */
function shareOfRuns() {
  const message = expected("two whole numbers such as [2, 3], the first not above the second");
  return v.pipe(
    v.strictTuple([integer(1, 20), integer(1, 20)], message),
    v.check(([some, all]) => some <= all, message),
  );
}

export const DEPENDENCY_KEYS = {
  dependsOn: optional(
    "Sites (name or slug) or host:port addresses it depends on; one or a list.",
    dependencies(),
    [],
  ),
};

function dependencies() {
  const what = "the name of a site or host:port";
  const one = v.union([text(what), v.number()], expected(what));
  const message = expected(`${what}, or a list of these`);
  return v.pipe(
    v.union([text(what), v.number(), v.array(one)], message),
    v.transform((written) => [written].flat().map(String)),
  );
}
