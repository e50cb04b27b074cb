import * as v from "valibot";
import { CHECKS } from "../checks/mod.ts";
import { plainText } from "../plain_text.ts";
import { byteLength, SLUG_BYTES, slugOf } from "./slug.ts";
import { duration, expected, later, list, map, number, text, word } from "./values.ts";

/** An hour in milliseconds: no wait of a single run is longer. */
const HOUR = 3_600_000;

/** Keys of a site that the top level may set for all sites. */
export const SHARED_KEYS = {
  maxResponseTime: v.optional(duration("ms", HOUR), 30_000),
  connectTimeout: v.optional(duration("s", HOUR), 10),
  requestTimeout: v.optional(duration("s", HOUR)),
  retry: v.optional(
    map({
      delays: v.optional(list(duration("s", HOUR), "a list of delays in seconds"), [5, 25]),
      jitter: v.optional(number(0, 1), 0.2),
    }, "a map with delays and jitter"),
    {},
  ),
};

/** Keys of every site, whatever its check. */
export const SITE_KEYS = {
  name: v.pipe(
    v.union([text("a name"), v.number()], expected("a name")),
    v.transform((name) => plainText(String(name))),
    v.nonEmpty("expected a name with something to read in it"),
  ),
  slug: v.optional(v.pipe(
    text(),
    v.check(
      (slug) => slugOf(slug) === slug.toLowerCase() && byteLength(slug) <= SLUG_BYTES,
      (issue) =>
        `expected a short name for files such as ${
          JSON.stringify(slugOf(issue.input).slice(0, 40))
        }`,
    ),
  )),
  url: text("an address"),
  check: v.optional(word(Object.keys(CHECKS)), "http"),
  // What is wrong with them is told elsewhere, and costs the site nothing.
  notifications: v.optional(v.fallback(v.array(v.unknown()), []), []),
};

/** Keys that a later version uses; until then they load without effect. */
export const LATER_SITE_KEYS = later([
  "group",
  "icon",
  "tags",
  "assignees",
  "link",
  "description",
  "hideUrl",
  "paused",
  "record",
  "expect",
  "resolver",
  "assert",
  "ipv4",
  "ipv6",
  "proxy",
]);

/** Keys for all sites that a later version uses. */
export const LATER_SHARED_KEYS = later([
  "recheckDelay",
  "failureThreshold",
  "successThreshold",
  "degradedRuns",
  "degradedLeave",
  "flapThreshold",
  "reopenWithin",
  "userAgent",
  "slo",
  "apdex",
]);

const COMMON = v.object({ ...SHARED_KEYS, ...SITE_KEYS });
/** {@linkcode SITE_KEYS} and {@linkcode SHARED_KEYS} as read; lengths of time in milliseconds. */
export type CommonKeys = v.InferOutput<typeof COMMON>;
