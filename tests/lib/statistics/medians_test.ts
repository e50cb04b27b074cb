import { assert, assertEquals } from "@std/assert";
import fc, { runs } from "../../helpers/property.ts";
import { NO_TIMES } from "../../../lib/history/older_times.ts";
import type { Check } from "../../../lib/history/site_history.ts";
import { computeWeekHours, computeWeekMedians } from "../../../lib/statistics/medians.ts";
import { DAY, HOUR, MINUTE } from "../../../lib/time.ts";
import { siteReport } from "../../helpers/reports.ts";
import { siteOf } from "../../helpers/sites.ts";

/** Shortly after clocks of Berlin were set back, on a Tuesday. */
const NOW = Date.parse("2026-10-27T10:05:00Z");
const { history, samples } = siteReport(
  await siteOf({ name: "Shop", url: "https://shop.example" }),
);

/** Minutes before now, and the response time; a check without one failed. */
type Seen = readonly [minutes: number, ms?: number];

function reportOf(seen: readonly Seen[]) {
  const checks = seen.toSorted(([one], [other]) => other - one).map(([minutes, ms]): Check => ({
    time: NOW - minutes * MINUTE,
    state: ms === undefined ? "down" : "up",
    ms,
    isImported: false,
  }));
  return { samples: { ...samples, now: NOW, checks }, history: { ...history, checks } };
}

const checksOf = (minLength: number) =>
  fc.uniqueArray(
    fc.tuple(
      fc.integer({ min: 0, max: 40 * 24 * 60 }),
      fc.option(fc.integer({ min: 1, max: 900 }), { nil: undefined }),
    ),
    { selector: ([minutes]) => minutes, minLength, maxLength: minLength + 200 },
  );

/** The value that a share of values does not exceed, by sorting. */
function slowPercentile(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(1, Math.ceil(share * sorted.length - 1e-9)) - 1];
}

Deno.test("the line of a week has the median of each six hours, and a gap where nothing was measured", () => {
  fc.assert(fc.property(checksOf(0), (checks) => {
    const expected = Array.from({ length: 28 }, (_, index) => {
      const start = (28 - index) * 6 * HOUR / MINUTE;
      const isLast = index === 27;
      const own = checks.filter(([minutes]) =>
        minutes <= start && (minutes > start - 360 || isLast)
      );
      return slowPercentile(own.flatMap(([, ms]) => ms ?? []), 0.5);
    });
    assertEquals(computeWeekMedians(reportOf(checks).samples), expected);
  }));
});

Deno.test("hours of the week have the medians of four weeks by the clocks of a zone, also across a change of them", () => {
  const zones = ["UTC", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe"];
  let known = 0;
  fc.assert(
    fc.property(checksOf(300), fc.constantFrom(...zones), (checks, zone) => {
      const found = computeWeekHours(reportOf(checks), NO_TIMES, zone);
      const own = checks.flatMap(([minutes, ms]) =>
        ms === undefined || minutes > 28 * 24 * 60 ? [] : [{ minutes, ms }]
      );
      const days = new Set(own.map(({ minutes }) => Math.floor(minutes / 1440)));
      if (days.size < 14 || own.every(({ minutes }) => minutes < 14 * 1440)) {
        assertEquals(found, undefined);
        return;
      }
      known++;
      const times = own.map(({ ms }) => ms);
      const slots = own.map(({ minutes, ms }) => {
        const zoned = Temporal.Instant.fromEpochMilliseconds(NOW - minutes * MINUTE)
          .toZonedDateTimeISO(zone);
        return { day: zoned.dayOfWeek - 1, hour: zoned.hour, ms };
      });
      assertEquals(
        [found!.low, found!.high],
        [0.1, 0.9].map((share) => slowPercentile(times, share)!),
      );
      for (const [day, hours] of found!.medians.entries()) {
        for (const [hour, median] of hours.entries()) {
          const inside = slots.filter((one) => one.day === day && one.hour === hour);
          const expected = slowPercentile(inside.map(({ ms }) => ms), 0.5);
          assertEquals(median, inside.length < 3 ? undefined : expected);
        }
      }
    }),
    { numRuns: runs(25, 60) },
  );
  assert(known > 10, `${known} histories are long enough`);
});

Deno.test("hours of the week are known from fourteen days of data on, and without maintenance", () => {
  const every = (days: number, ms: number): Seen[] =>
    Array.from({ length: 24 * days + 1 }, (_, hour): Seen => [60 * hour, ms]);
  const isKnown = (seen: readonly Seen[]) =>
    computeWeekHours(reportOf(seen), NO_TIMES, "UTC") !== undefined;
  assertEquals([13, 14, 40].map((days) => isKnown(every(days, 80))), [false, true, true]);
  // Two days of data, two weeks apart, are not many.
  assertEquals(isKnown([...every(1, 80), [20 * 1440, 90]]), false);
  const report = reportOf(every(28, 80));
  const maintenance = [{ from: NOW - 20 * DAY, to: NOW + 1 }];
  const inMaintenance = { ...report, samples: { ...report.samples, maintenance } };
  assertEquals(computeWeekHours(inMaintenance, NO_TIMES, "UTC"), undefined);
});

Deno.test("checks of days of which the history has only totals count as well", () => {
  const recent = Array.from({ length: 8 * 24 }, (_, hour): Seen => [60 * hour, 100]);
  const times = Array.from({ length: 20 * 24 }, (_, hour) => NOW - (28 * 24 - hour) * HOUR);
  const older = { times, ms: times.map(() => 300) };
  const report = reportOf(recent);
  assertEquals(computeWeekHours(report, NO_TIMES, "UTC"), undefined);
  const { low, high, medians } = computeWeekHours(report, older, "UTC")!;
  assertEquals([low, high, new Set(medians.flat())], [100, 300, new Set([300, 100])]);
});
