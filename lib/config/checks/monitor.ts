import { DAY, MINUTE } from "../../time.ts";
import { duration } from "../keys/times.ts";
import { optional, word } from "../keys/values.ts";
import { checkKind } from "./check_kind.ts";
import { addressProblem, ROUTE_KEYS, TLS_KEYS } from "./connection_keys.ts";
import { REQUEST_KEYS } from "./request_keys.ts";

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
