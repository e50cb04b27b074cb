import { assertEquals } from "@std/assert";
import fc from "../../helpers/property.ts";
import type { Check } from "../../../lib/history/site_history.ts";
import { computeWeekMedians } from "../../../lib/statistics/medians.ts";
import type { Samples } from "../../../lib/statistics/samples.ts";
import { HOUR, MINUTE } from "../../../lib/time.ts";
import { siteReport } from "../../helpers/reports.ts";
import { siteOf } from "../../helpers/sites.ts";

const NOW = Date.parse("2026-11-21T10:05:00Z");
const { samples } = siteReport(await siteOf({ name: "Shop", url: "https://shop.example" }));

/** Samples of checks at some minutes before now; those without a response time failed. */
function samplesOf(checks: readonly (readonly [minutes: number, ms?: number])[]): Samples {
  const sorted = checks.toSorted(([one], [other]) => other - one);
  return {
    ...samples,
    now: NOW,
    checks: sorted.map(([minutes, ms]): Check => ({
      time: NOW - minutes * MINUTE,
      state: ms === undefined ? "down" : "up",
      ms,
      isImported: false,
    })),
  };
}

const someChecks = fc.uniqueArray(
  fc.tuple(
    fc.integer({ min: 0, max: 40 * 24 * 60 }),
    fc.option(fc.integer({ min: 1, max: 900 }), { nil: undefined }),
  ),
  { selector: ([minutes]) => minutes, maxLength: 300 },
);

/** The middle one of values, by counting those that are smaller. */
function slowMedian(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.ceil(sorted.length / 2) - 1];
}

Deno.test("the line of a week has the median of each six hours, and a gap where nothing was measured", () => {
  fc.assert(fc.property(someChecks, (checks) => {
    const expected = Array.from({ length: 28 }, (_, index) => {
      const start = (28 - index) * 6 * HOUR / MINUTE;
      const isLast = index === 27;
      return slowMedian(
        checks.filter(([minutes]) => minutes <= start && (minutes > start - 360 || isLast))
          .flatMap(([, ms]) => ms ?? []),
      );
    });
    assertEquals(computeWeekMedians(samplesOf(checks)), expected);
  }));
});
