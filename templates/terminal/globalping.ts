import type { GlobalpingLoad } from "../../lib/setup/globalping_load.ts";
import { paint } from "../../lib/text/paint.ts";
import { count } from "../words.ts";

/**
 * Tests that the configuration takes of Globalping, and a warning if they exceed its limits.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const lines = globalpingLines({
 *   siteLocations: 3,
 *   runsPerHour: 12,
 *   testsPerHour: 36,
 *   limits: { withToken: 500, withoutToken: 250 },
 *   mostWithToken: 41,
 * });
 * assertEquals(lines, [
 *   "Globalping: 3 locations of sites, 12 runs an hour, so 36 tests an hour; a failure takes as many again.",
 *   "  It gives 500 an hour with a GLOBALPING_TOKEN, and 250 without, to all users of an address together.",
 * ]);
 * ```
 */
export function globalpingLines(
  { siteLocations, runsPerHour, testsPerHour, limits, mostWithToken }: GlobalpingLoad,
): string[] {
  const mark = paint.yellow("▲");
  const runs = count(runsPerHour, "run");
  const tooMany = `${mark} Without credits at most ${
    count(mostWithToken, "location")
  } of sites fit; with more, sites take turns, and some have no result in a run: choose fewer, or a less frequent schedule.`;
  const needsToken = `${mark} So it needs a token: save it as the secret GLOBALPING_TOKEN.`;
  return [
    `Globalping: ${
      count(siteLocations, "location")
    } of sites, ${runs} an hour, so ${testsPerHour} tests an hour; a failure takes as many again.`,
    `  It gives ${limits.withToken} an hour with a GLOBALPING_TOKEN, and ${limits.withoutToken} without, to all users of an address together.`,
    ...testsPerHour > limits.withToken
      ? [tooMany]
      : testsPerHour > limits.withoutToken
      ? [needsToken]
      : [],
  ];
}
