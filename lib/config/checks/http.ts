import type * as v from "valibot";
import { DAY, MINUTE } from "../../time.ts";
import { duration } from "../keys/times.ts";
import { integer, optional, word } from "../keys/values.ts";
import { ASSERTION_KEY_NAMES, ASSERTION_KEYS, needsBody } from "./assertions/keys.ts";
import { checkKind } from "./check_kind.ts";
import { addressProblem, ROUTE_KEYS, TLS_KEYS } from "./connection_keys.ts";
import { REQUEST_KEYS } from "./request_keys.ts";
import { STEPS_KEY } from "./steps.ts";

const HTTP_KEYS = {
  ...REQUEST_KEYS,
  ...ASSERTION_KEYS,
  maxRedirects: optional(
    "http: redirects to follow; 0 evaluates the first answer.",
    integer(0, 50),
    3,
  ),
  redirects: optional(
    "http: `public` refuses redirects from a public to a private address. `anywhere` follows them, but shows nothing of the answer. Private includes loopback and link-local addresses.",
    word(["public", "anywhere"]),
    "public",
  ),
  ...STEPS_KEY,
  ...TLS_KEYS,
  ...ROUTE_KEYS,
};

const OF_STEPS = ["method", "body", ...ASSERTION_KEY_NAMES] as const;

export type HttpKeys = v.InferOutput<v.ObjectSchema<typeof HTTP_KEYS, undefined>>;

export const http = checkKind(
  "http",
  HTTP_KEYS,
  (site) => {
    const misplaced = site.steps && OF_STEPS.find((key) => (site[key] ?? []).length > 0);
    if (misplaced !== undefined) {
      return { path: [misplaced], message: "has no effect with steps: move it into a step" };
    }
    const ofBody = ASSERTION_KEY_NAMES.find((key) => needsBody(site[key]));
    if (site.method === "HEAD" && ofBody !== undefined) {
      return { path: [ofBody], message: "an answer to HEAD has no body that could be asserted" };
    }
    return addressProblem("http", site);
  },
);

/** Keys of `monitor`. `url` is the address of another monitor's `summary.json`. */
export const monitor = checkKind(
  "monitor",
  {
    maxAge: optional(
      "monitor: minutes since its newest check after which the other monitor is down.",
      duration("m", { min: MINUTE, max: 31 * DAY }),
      "3h",
    ),
    sitesDown: optional(
      "monitor: state while a site of the other monitor is down.",
      word(["ignore", "degraded", "down"]),
      "ignore",
    ),
    headers: REQUEST_KEYS.headers,
    ...TLS_KEYS,
    ...ROUTE_KEYS,
  },
  (site) => addressProblem("http", site),
);
