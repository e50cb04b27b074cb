import * as v from "valibot";
import { duration } from "./duration.ts";
import { about, expected, integer, list, map, number } from "./values.ts";

/** No wait between two attempts is longer, in milliseconds. */
const HOUR = 3_600_000;
/** A day, in milliseconds. */
const DAY = 86_400_000;

/** Keys that say how a verdict is reached; the top level may set them for all sites. */
export const VERDICT_KEYS = {
  retry: v.optional(
    about(
      "How a failure is retried within a run.",
      map({
        delays: v.optional(
          about(
            "Seconds before each further attempt.",
            list(duration("s", { max: HOUR }), "a list of delays in seconds"),
          ),
          [5, 25],
        ),
        jitter: v.optional(about("Share by which a delay varies at random.", number(0, 1)), 0.2),
      }, "a map with delays and jitter"),
    ),
    {},
  ),
  failureThreshold: v.optional(
    about("Consecutive failing runs until a site is down.", integer(1, 100)),
    1,
  ),
  successThreshold: v.optional(
    about("Consecutive successful attempts until a site that was down is up.", integer(1, 10)),
    2,
  ),
  recheckDelay: v.optional(
    about(
      "Seconds between these attempts, which are made in one run.",
      duration("s", { max: HOUR }),
    ),
    5,
  ),
  degradedRuns: v.optional(
    about(
      "Runs that must be slow until a site is degraded: [2, 3] means 2 of the last 3.",
      shareOfRuns(),
    ),
    [2, 3],
  ),
  degradedLeave: v.optional(
    about(
      "Share of maxResponseTime below which a degraded site is up again.",
      number(0.01, 1),
    ),
    0.8,
  ),
  unknownAfter: v.optional(
    about(
      "Consecutive runs without a result (such as a missing secret) until channels are notified.",
      integer(1, 1000),
    ),
    6,
  ),
  flapThreshold: v.optional(
    about(
      "Share of changes in the last 21 results above which a site is flapping. A flapping site keeps one incident; after one message nothing is sent until it is up in 6 consecutive runs.",
      number(0, 1),
    ),
    0.5,
  ),
  reopenWithin: v.optional(
    about(
      "Minutes after an incident ends in which a new failure reopens it.",
      duration("m", { max: DAY }),
    ),
    15,
  ),
};

/** Two numbers of runs, of which the first is not the greater. */
function shareOfRuns() {
  const message = expected("two whole numbers such as [2, 3], the first not above the second");
  const runs = v.pipe(
    v.number(message),
    v.integer(message),
    v.minValue(1, message),
    v.maxValue(20, message),
  );
  return v.pipe(
    v.strictTuple([runs, runs], message),
    v.check(([some, all]) => some <= all, message),
  );
}
