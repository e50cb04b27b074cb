import { assert, assertEquals } from "@std/assert";
import { type ScheduleTimes, scheduleTimes, shortestGap } from "../../../lib/config/schedule.ts";
import { LONGEST_WINDOW } from "../../../lib/config/read_maintenance.ts";
import fc from "../../helpers/property.ts";
import { type Cron, cronText, minutesOf } from "../../helpers/wall_clock.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function gap(cron: string): number {
  return shortestGap(scheduleTimes(cron) as ScheduleTimes);
}

Deno.test("the shortest interval of a schedule is that between its closest starts", () => {
  const hours: [cron: string, hours: number | undefined][] = [
    ["0 3 * * *", 24],
    ["*/20 * * * *", 1 / 3],
    ["0 */6 * * *", 6],
    ["0 23,1 * * *", 2],
    ["0 22 * * SUN", 7 * 24],
    ["0 22 * * SAT,SUN", 24],
    ["0 0 1 * *", 28 * 24],
    ["0 0 31 * *", 31 * 24],
    ["0 0 30 * *", 30 * 24],
    ["0 0 29 * *", 29 * 24],
    // From the last of December to the first of January, whatever the hour.
    ["0 5 1,31 * *", 24],
    ["59 23 31 12 *", 365 * 24],
    ["0 0,23 1,2 6 *", 1],
    // A day of the week and one of the month: they meet, follow each other, and lie a day apart.
    ["0 3 13 * FRI", 24],
    ["0 0 30 2 *", undefined],
    ["0 0 31 4,6,9,11 *", undefined],
    ["0 0 30 2 MON", 7 * 24],
  ];
  for (const [cron, expected = Infinity] of hours) {
    assertEquals(gap(cron) / HOUR, expected, cron);
  }
  const leap = gap("0 0 29 2 *");
  assert(leap > LONGEST_WINDOW);
});

Deno.test("no schedule repeats sooner than its shortest interval, in any of 28 years", () => {
  const days = fc.oneof(fc.constant("*" as const), numbers(1, 31));
  const cron: fc.Arbitrary<Cron> = fc.record({
    minutes: numbers(0, 59),
    hours: numbers(0, 23),
    days,
    months: fc.oneof(fc.constant("*" as const), numbers(1, 12)),
    weekdays: fc.oneof(fc.constant("*" as const), numbers(0, 6)),
  });
  const property = fc.property(cron, (cron) => {
    const found = gap(cronText(cron));
    const expected = closest(cron);
    // Nothing lasts longer than that, so that it makes no difference how much longer it is.
    assertEquals(Math.min(found, LONGEST_WINDOW), Math.min(expected, LONGEST_WINDOW));
  });
  fc.assert(property);
});

function numbers(min: number, max: number) {
  return fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 3 });
}

/** The least time between two starts of 28 years, after which days of the week are the same again. */
function closest(cron: Cron): number {
  const midnights = { ...cron, minutes: [0], hours: [0] };
  const days = YEARS.filter((day) => minutesOf(midnights, { from: day, shown: [day] }).length > 0);
  const inDay = cron.hours.flatMap((hour) => cron.minutes.map((minute) => hour * 60 + minute))
    .sort((one, other) => one - other);
  let least = Infinity;
  let last = -Infinity;
  for (const day of days) {
    for (const minutes of inDay) {
      const start = day + minutes * 60_000;
      least = Math.min(least, start - last);
      last = start;
    }
  }
  return least;
}

const YEARS = Array.from(
  { length: 28 * 365 + 7 },
  (_, index) => Date.UTC(2023, 0, 1) + index * DAY,
);
