import { assert, assertEquals } from "@std/assert";
import { type ScheduleTimes, scheduleTimes } from "../../../../lib/config/schedule.ts";
import { scheduledStarts } from "../../../../lib/incidents/maintenance/windows.ts";
import fc, { runs } from "../../../helpers/property.ts";
import {
  type Cron,
  cronText,
  minutesOf,
  type WallClock,
  wallClock,
} from "../../../helpers/wall_clock.ts";

const DAYS = 8;
const DAY = 86_400_000;

/** Zones, and days before their clocks change. */
const CHANGES: readonly [zone: string, firstDay: string, what: string][] = [
  ["UTC", "2028-02-26", "nothing, over a leap day"],
  ["Europe/Berlin", "2027-03-25", "an hour forth, at two"],
  ["Europe/Berlin", "2027-10-28", "an hour back, at three"],
  ["America/New_York", "2027-03-11", "an hour forth, at two"],
  ["America/New_York", "2027-11-04", "an hour back, at two"],
  ["Australia/Lord_Howe", "2027-09-30", "half an hour forth"],
  ["Australia/Lord_Howe", "2027-04-01", "half an hour back"],
  ["America/Sao_Paulo", "2018-11-01", "an hour forth, at midnight"],
  ["America/Sao_Paulo", "2018-02-15", "an hour back, at midnight"],
  ["Pacific/Apia", "2011-12-27", "a whole day, and the end of a year"],
  ["America/Nuuk", "2027-03-25", "an hour forth, up to midnight"],
  ["Africa/Casablanca", "2027-02-04", "an hour back, for Ramadan"],
];

Deno.test("a schedule starts at its local time, through every clock change", () => {
  for (const [zone, firstDay, what] of CHANGES) {
    const clock = wallClock(zone, firstDay, DAYS);
    const compare = (cron: Cron, from: number) => {
      const expected = minutesOf(cron, clock).filter((time) => time >= from && time < endOf(clock));
      assertEquals(
        startsOf(cronText(cron), zone, { from, to: endOf(clock) }),
        expected,
        `${zone}: ${what}`,
      );
      return expected.length;
    };
    const late = fc.integer({ min: 1440, max: 5 * 1440 });
    const property = fc.property(CRON, late, (cron, minutes) => {
      compare(cron, clock.from + minutes * 60_000 + minutes);
    });
    fc.assert(property, { numRuns: runs(1, 4) });
    const all = { minutes: [...Array(60).keys()], hours: [...Array(24).keys()] };
    const every: Cron = { ...all, days: "*", months: "*", weekdays: "*" };
    assert(compare(every, clock.from + 2 * DAY) >= 4 * 1440);
  }
});

Deno.test("a start that the clocks skip is an hour later, and of one that they repeat the first counts", () => {
  const starts: [cron: string, spring: string[], autumn: string[]][] = [
    ["30 2 * * *", ["01:30"], ["00:30"]],
    ["*/20 2 * * *", ["01:00", "01:20", "01:40"], ["00:00", "00:20", "00:40"]],
    ["*/30 2 * * *", ["01:00", "01:30"], ["00:00", "00:30"]],
  ];
  for (const [cron, spring, autumn] of starts) {
    for (const [day, times] of [["2026-03-29", spring], ["2026-10-25", autumn]] as const) {
      const from = Date.parse(`${day}T00:00:00Z`);
      const found = startsOf(cron, "Europe/Vienna", { from, to: from + DAY });
      const expected = times.map((time) => Date.parse(`${day}T${time}:00Z`));
      assertEquals(found, expected, `${cron} ${day}`);
    }
  }
});

Deno.test("month ends, leap days and weekdays are found over centuries", () => {
  const cases: [cron: string, from: string, starts: string[]][] = [
    ["0 3 31 * *", "2027-01-31T03:00:01Z", [
      "2027-03-31T03:00:00Z",
      "2027-05-31T03:00:00Z",
      "2027-07-31T03:00:00Z",
    ]],
    ["0 3 30 * *", "2028-01-30T03:00:01Z", ["2028-03-30T03:00:00Z", "2028-04-30T03:00:00Z"]],
    ["30 23 29 2 *", "2096-01-01T00:00:00Z", [
      "2096-02-29T23:30:00Z",
      "2104-02-29T23:30:00Z",
      "2108-02-29T23:30:00Z",
    ]],
    ["0 0 29 2 *", "2027-03-01T00:00:00Z", ["2028-02-29T00:00:00Z", "2032-02-29T00:00:00Z"]],
    // Both days are named, so that either counts: 1 February 2027 is a Monday, and so is the 8th.
    ["0 4 1,29 2 MON", "2027-01-31T00:00:00Z", [
      "2027-02-01T04:00:00Z",
      "2027-02-08T04:00:00Z",
      "2027-02-15T04:00:00Z",
      "2027-02-22T04:00:00Z",
      "2028-02-01T04:00:00Z",
    ]],
    ["15 12 * 2 SUN", "2027-02-27T00:00:00Z", ["2027-02-28T12:15:00Z", "2028-02-06T12:15:00Z"]],
    ["0 0 30 2 *", "2027-01-01T00:00:00Z", []],
  ];
  for (const [cron, from, starts] of cases) {
    const found = scheduledStarts(
      scheduleTimes(cron) as ScheduleTimes,
      "UTC",
      Temporal.Instant.from(from),
    );
    assertEquals(found.take(starts.length || 1).map(String).toArray(), starts, cron);
  }
});

Deno.test("a start exactly at the given moment counts, and one just before it does not", () => {
  const daily = scheduleTimes("0 3 * * *") as ScheduleTimes;
  const next = (from: string) =>
    String(scheduledStarts(daily, "Europe/Berlin", Temporal.Instant.from(from)).next().value);
  assertEquals(next("2027-01-10T02:00:00Z"), "2027-01-10T02:00:00Z");
  assertEquals(next("2027-01-10T02:00:00.000001Z"), "2027-01-11T02:00:00Z");
});

const numbers = (min: number, max: number, maxLength: number) =>
  fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength });
const some = (min: number, max: number) =>
  fc.oneof(fc.constant("*" as const), numbers(min, max, 4));
/** Mostly at night, when clocks are changed. */
const CRON: fc.Arbitrary<Cron> = fc.record({
  minutes: numbers(0, 59, 4),
  hours: fc.oneof(numbers(0, 23, 3), fc.subarray([0, 1, 2, 3, 22, 23], { minLength: 1 })),
  days: some(1, 31),
  months: fc.oneof(fc.constant("*" as const), some(1, 12)),
  weekdays: some(0, 6),
});

/** The starts of some days. */
function startsOf(
  cron: string,
  zone: string,
  { from, to }: { from: number; to: number },
): number[] {
  const schedule = scheduleTimes(cron) as ScheduleTimes;
  const starts = scheduledStarts(schedule, zone, Temporal.Instant.fromEpochMilliseconds(from));
  const found: number[] = [];
  for (const { epochMilliseconds } of starts) {
    if (epochMilliseconds >= to) break;
    found.push(epochMilliseconds);
  }
  return found;
}

/** A day before the end of the search: delayed starts may be missing after it. */
function endOf({ from }: WallClock): number {
  return from + (DAYS - 1) * DAY;
}
