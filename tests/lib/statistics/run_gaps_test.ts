import { assert, assertEquals } from "@std/assert";
import { computeRunGaps, findLongGap } from "../../../lib/statistics/run_gaps.ts";
import { DAY, HOUR, MINUTE } from "../../../lib/time.ts";
import { seededRandom } from "../../helpers/seeded_random.ts";
import fc from "../../helpers/property.ts";

const START = Date.parse("2026-11-16T00:00:00Z");
const EVERY_5 = "*/5 * * * *";

/** Moments from START on with given gaps in minutes. */
function runsWith(gaps: readonly number[], start = START): number[] {
  let moment = start;
  return [start, ...gaps.map((gap) => moment += gap * MINUTE)];
}

const repeated = (gap: number, count: number) => Array.from({ length: count }, () => gap);

function measure(moments: readonly number[], schedule = EVERY_5, now = moments.at(-1) ?? START) {
  return computeRunGaps(moments, { schedule, now });
}

/** The figures in minutes, and the share. */
function figures(moments: readonly number[], schedule?: string, now?: number) {
  const { gaps } = measure(moments, schedule, now);
  if (gaps === undefined) return undefined;
  const { median, p90, longest, late } = gaps;
  return [median / MINUTE, p90 / MINUTE, longest / MINUTE, Number(late.toFixed(3))];
}

/** True if a run so many minutes after the last of others finds a gap. */
function alarms(moments: readonly number[], minutes: number, schedule = EVERY_5, least = HOUR) {
  const to = moments.at(-1)! + minutes * MINUTE;
  return findLongGap(moments, { to, schedule, least }) !== undefined;
}

Deno.test("gaps of a week are those that ended in it, with one that has not ended", () => {
  assertEquals(figures(runsWith(repeated(5, 2016))), [5, 5, 5, 0]);
  const slow = [...repeated(5, 200), ...repeated(12, 60), ...repeated(240, 4)];
  assertEquals(figures(runsWith(slow)), [5, 12, 240, 0.242]);
  const last = runsWith(slow).at(-1)!;
  assertEquals(figures(runsWith(slow), EVERY_5, last + 5 * HOUR), [5, 12, 300, 0.242]);
  const dead = [START - 20 * DAY, ...runsWith(repeated(5, 300))];
  const { from, runs, gaps } = measure(dead);
  assertEquals([from, runs, gaps!.longest], [dead.at(-1)! - 7 * DAY, 301, 20 * DAY]);
  assertEquals(measure(runsWith(repeated(5, 300))).from, START);
});

Deno.test("few runs, or less than a day of them, say nothing", () => {
  const none = measure([]);
  assertEquals([none.runs, none.last, none.gaps], [0, undefined, undefined]);
  assertEquals(figures([START]), undefined);
  assertEquals(figures(runsWith(repeated(5, 287))), undefined);
  assert(figures(runsWith(repeated(5, 288))) !== undefined);
  assertEquals(figures(runsWith(repeated(24 * 60, 4)), "0 0 * * *"), undefined);
  assertEquals(figures(runsWith(repeated(24 * 60, 5)), "0 0 * * *"), [1440, 1440, 1440, 0]);
  const gone = runsWith(repeated(5, 2000));
  const { runs, gaps } = measure(gone, EVERY_5, START + 30 * DAY);
  assertEquals([runs, gaps], [0, undefined]);
});

Deno.test("runs by hand, runs at the same time and an hour of watch leave the figures as they are", () => {
  const own = runsWith(repeated(60, 167));
  const expected = figures(own, "0 * * * *");
  const byHand = [3, 3.5, 9, 40.1, 77.7].map((hour) => START + hour * HOUR + MINUTE);
  const doubled = own.map((moment) => moment + 2_000);
  const watched = runsWith(repeated(1 / 6, 359), START + 5 * HOUR + MINUTE);
  const merge = (others: readonly number[]) =>
    [...own, ...others].sort((one, other) => one - other);
  for (const others of [byHand.slice(0, 1), doubled, watched]) {
    const found = figures(merge(others), "0 * * * *")!;
    for (const [index, value] of found.entries()) {
      assert(Math.abs(value - expected![index]!) <= 1.01, `${found} instead of ${expected}`);
    }
  }
  assertEquals(figures(merge(byHand), "0 * * * *")!.slice(0, 3), [60, 60, 60]);
});

Deno.test("watch makes runs more often than the schedule, and that is what is measured", () => {
  const moments = runsWith(repeated(1 / 6, 8640 * 2));
  assertEquals(figures(moments)!.map((value) => Number(value.toFixed(2))), [0.17, 0.17, 0.17, 0]);
});

Deno.test("a pause that the schedule plans is not late", () => {
  const day = [...repeated(60, 10), 14 * 60];
  const week = [...day, ...day, ...day, ...day, ...repeated(60, 10), 62 * 60, ...day];
  const moments = runsWith(week.slice(0, -1), Date.parse("2026-11-16T08:00:00Z"));
  assertEquals(figures(moments, "0 8-18 * * 1-5"), [60, 60, 62 * 60, 0]);
  assert(figures(moments, "0 * * * *")![3]! > 0.05);
});

Deno.test("runs after now, of clocks that are fast, are left out", () => {
  const now = START + 3 * HOUR;
  const { runs, last } = measure([START, START + HOUR, START + 9 * HOUR], EVERY_5, now);
  assertEquals([runs, last], [2, START + HOUR]);
});

Deno.test("a gap alarms if it is longer than three times the 90th percentile, and an hour", () => {
  const exact = runsWith(repeated(5, 600));
  assertEquals([59, 60, 61, 1440].map((minutes) => alarms(exact, minutes)), [
    ...[false, false, true, true],
  ]);
  assertEquals([150, 181].map((minutes) => alarms(exact, minutes, EVERY_5, 3 * HOUR)), [
    false,
    true,
  ]);
  const slow = runsWith([...repeated(60, 20), ...repeated(100, 20)]);
  assertEquals([299, 300, 301].map((minutes) => alarms(slow, minutes)), [false, false, true]);
  assert(alarms(exact, 60 * 24 * 30), "the week before a long pause counts");
  assert(!alarms(exact, -10));
  assertEquals(findLongGap([], { to: START, schedule: EVERY_5, least: HOUR }), undefined);
});

Deno.test("a pause of months alarms once, and the first day after it counts as a first day", () => {
  const before = runsWith(repeated(5, 600));
  const pause = 100 * 24 * 60;
  assert(alarms(before, pause));
  const after = (minutes: number) => [
    ...before,
    ...runsWith(repeated(5, minutes / 5), before.at(-1)! + pause * MINUTE),
  ];
  assert(!alarms(after(20), 5));
  assert(!alarms(after(20 * 60), 180));
  assert(alarms(after(25 * 60), 180));
  assert(!alarms(after(25 * 60), 59));
});

Deno.test("nothing alarms in the first day, nor after a first run", () => {
  assert(!alarms(runsWith(repeated(5, 200)), 600));
  assert(!alarms([START], 6000));
});

Deno.test("runs by hand, runs at the same time and clocks that are fast cause no alarm", () => {
  const daily = runsWith(repeated(24 * 60, 6));
  const tried = [...daily, ...runsWith(repeated(2, 70), daily.at(-1)!)].slice(0, -1);
  assert(!alarms(tried, 24 * 60, "0 0 * * *"));
  const exact = runsWith(repeated(5, 600));
  const ahead = [...exact, exact.at(-1)! + 3 * HOUR];
  assertEquals(
    findLongGap(ahead, { to: exact.at(-1)! + 5 * MINUTE, schedule: EVERY_5, least: HOUR }),
    undefined,
  );
});

Deno.test("gaps that come every day alarm three times a week at most", () => {
  const bumpy = Array.from({ length: 300 }, (_, index) => index % 12 === 11 ? 90 : 5);
  assert(!alarms(runsWith(bumpy), 95));
  assert(alarms(runsWith(bumpy), 140));
});

Deno.test("a night that the schedule leaves out is no alarm, and a morning without runs is", () => {
  const hours = "*/10 8-17 * * 1-5";
  const day = repeated(10, 59);
  const night = 14 * 60 + 10;
  const moments = runsWith([...day, night, ...day], Date.parse("2026-11-16T08:00:00Z"));
  assertEquals([night, night + 30, night + 61].map((minutes) => alarms(moments, minutes, hours)), [
    ...[false, false, true],
  ]);
  // Started every ten minutes from elsewhere, whatever the schedule says.
  const outside = runsWith(repeated(10, 500));
  assert(alarms(outside, 300, "0 0 * * *"));
  assert(alarms(outside, 300, "0 0 30 2 *"));
});

Deno.test("on a schedule that is slow every day, few gaps alarm", () => {
  const random = seededRandom(7);
  for (const typical of [15, 60, 230]) {
    let moment = START;
    const moments = [moment];
    let rung = 0;
    while (moment < START + 28 * DAY) {
      moment += Math.round(
        typical * MINUTE * Math.exp(1.2 * (random() + random() + random() - 1.5) * 2),
      );
      const options = { to: moment, schedule: "*/10 * * * *", least: HOUR };
      if (findLongGap(moments, options) !== undefined) rung++;
      moments.push(moment);
    }
    assert(rung <= 4, `${rung} alarms in four weeks of gaps of ${typical} minutes`);
  }
});

Deno.test("any moments give ordered figures, and never an error", () => {
  const property = fc.property(
    fc.array(fc.integer({ min: -10 * DAY, max: 10 * DAY }), { maxLength: 60 }),
    fc.constantFrom("*/5 * * * *", "0 0 30 2 *", "0 8-17 * * 1-5", "0 0 29 2 *", "7 3 1 * *"),
    fc.integer({ min: -10 * DAY, max: 10 * DAY }),
    (offsets, schedule, at) => {
      const moments = [...new Set(offsets)].sort((one, other) => one - other).map((by) =>
        START + by
      );
      const now = START + at;
      const { gaps, runs, last } = computeRunGaps(moments, { schedule, now });
      assertEquals(last === undefined, runs === 0);
      if (gaps !== undefined) {
        const { median, p90, longest, late } = gaps;
        assert(0 < median && median <= p90 && p90 <= longest && late >= 0 && late <= 1);
      }
      const gap = findLongGap(moments, { to: now, schedule, least: HOUR });
      if (gap !== undefined) assert(gap.to - gap.from > Math.max(HOUR, 3 * gap.usual.p90));
    },
  );
  fc.assert(property);
});
