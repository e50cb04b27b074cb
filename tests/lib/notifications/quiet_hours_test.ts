import { assertEquals } from "@std/assert";
import { DAY_NAMES, type QuietHours } from "../../../lib/config/channels/keys.ts";
import { isQuiet } from "../../../lib/notifications/gate.ts";
import fc, { runs } from "../../helpers/property.ts";

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

/** Zones with a day of a transition: by an hour, by half an hour, at midnight, by a day, in Ramadan, and none. */
const ZONES: [timezone: string, days: string[]][] = [
  ["Europe/Vienna", ["2026-03-29", "2026-10-25"]],
  ["America/New_York", ["2026-03-08", "2026-11-01"]],
  ["Australia/Lord_Howe", ["2026-04-05", "2026-10-04"]],
  ["America/Sao_Paulo", ["2018-02-18", "2018-11-04"]],
  ["Pacific/Apia", ["2011-12-30"]],
  ["Africa/Casablanca", ["2026-02-15", "2026-03-22"]],
  ["Asia/Kolkata", ["2026-06-15"]],
];

/** Local times, minute by minute, as if they were UTC, without the program's calendar. */
function readClocks(timeZone: string, from: number, to: number): number[] {
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    hourCycle: "h23",
    ...{ year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" },
  });
  const shown: number[] = [];
  for (let time = from; time < to; time += MINUTE) {
    // Transitions are at quarters of an hour.
    const isQuarter = (time - from) % (15 * MINUTE) === 0;
    if (!isQuarter) shown.push(shown.at(-1)! + MINUTE);
    else {
      const [year, month, day, hour, minute] = format.format(time).match(/\d+/g)!.map(Number);
      shown.push(Date.UTC(year!, month! - 1, day, hour, minute));
    }
  }
  return shown;
}

/** The first minute at which clocks show a time; if they skip it, as much later as they skip of it. */
function findMinute(shown: readonly number[], wanted: number): number {
  const index = shown.findIndex((time) => time >= wanted);
  return shown[index] === wanted ? index : index + (wanted - shown[index - 1]!) / MINUTE - 1;
}

/** The minutes of quiet hours, found day by day on the clocks. */
function findQuietMinutes(
  { from, to, days = [...DAY_NAMES] }: QuietHours,
  shown: readonly number[],
) {
  const minutes = new Set<number>();
  const at = (day: number, time: string) =>
    findMinute(shown, day + Date.parse(`1970-01-01T${time}Z`));
  const first = Math.ceil(shown[0]! / DAY) * DAY;
  for (let day = first; day + 2 * DAY < shown.at(-1)!; day += DAY) {
    if (!days.includes(DAY_NAMES[(new Date(day).getUTCDay() + 6) % 7]!)) continue;
    const end = at(to > from ? day : day + DAY, to);
    for (let minute = at(day, from); minute < end; minute++) minutes.add(minute);
  }
  return minutes;
}

const TIME = fc.integer({ min: 0, max: 95 }).map((quarter) =>
  new Date(quarter * 15 * MINUTE).toISOString().slice(11, 16)
);
const NIGHT = fc.constantFrom(
  "00:00",
  "00:30",
  "01:00",
  "01:45",
  "02:00",
  "02:15",
  "02:30",
  "03:00",
);
const HOURS = fc.record({
  from: fc.oneof(TIME, NIGHT),
  to: fc.oneof(TIME, NIGHT, fc.constant("24:00")),
  days: fc.option(fc.uniqueArray(fc.constantFrom(...DAY_NAMES), { minLength: 1 }), {
    nil: undefined,
  }),
}).filter(({ from, to }) => from !== to);
const PLACE = fc.constantFrom(
  ...ZONES.flatMap(([timezone, days]) => days.map((day) => ({ timezone, day }))),
);

Deno.test("quiet hours are what clocks show in each zone, through changes of daylight saving", () => {
  const clocks = new Map<string, number[]>();
  fc.assert(
    fc.property(HOURS, PLACE, fc.infiniteStream(fc.nat()), (hours, { timezone, day }, random) => {
      const from = Date.parse(day) - 4 * DAY;
      const key = `${timezone} ${day}`;
      const shown = clocks.get(key) ?? readClocks(timezone, from, from + 9 * DAY);
      clocks.set(key, shown);
      const quiet = findQuietMinutes(hours, shown);
      // From the second day on; around each change, and at random.
      const edges = shown.flatMap((_, minute) =>
        quiet.has(minute) === quiet.has(minute - 1) ? [] : [minute - 1, minute]
      );
      const others = [...random.take(8)].map((number) => number % shown.length);
      for (const minute of [...edges, ...others]) {
        if (minute < 2880 || minute > 4 * 1440 + 2 * 1440) continue;
        const now = Temporal.Instant.fromEpochMilliseconds(from + minute * MINUTE);
        assertEquals(
          isQuiet({ ...hours, timezone }, now),
          quiet.has(minute),
          `${now} ${new Date(shown[minute]!).toISOString()}`,
        );
      }
    }),
    { numRuns: runs(100) },
  );
});
