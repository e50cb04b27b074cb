import { assertEquals } from "@std/assert";
import fc from "../../helpers/property.ts";
import { computeUptimeChange } from "../../../templates/pages/site_tiles.tsx";
import type { Interval } from "../../../lib/statistics/timeline.ts";
import { MINUTE } from "../../../lib/time.ts";
import { siteReport } from "../../helpers/reports.ts";
import { siteOf } from "../../helpers/sites.ts";

const NOW = Date.parse("2026-11-21T10:05:00Z");
const DAYS = 24 * 60;
const { samples } = siteReport(await siteOf({ name: "Shop", url: "https://shop.example" }));

/** Samples of a site that was monitored for some minutes; down at these of them before now. */
function samplesOf(minutes: number, down: ReadonlySet<number>) {
  const intervals: Interval[] = [];
  for (let back = minutes; back > 0; back--) {
    const from = NOW - back * MINUTE;
    const state = down.has(back) ? "down" : "up";
    const last = intervals.at(-1);
    if (last?.state === state) last.to = from + MINUTE;
    else intervals.push({ from, to: from + MINUTE, state });
  }
  return { ...samples, first: NOW - minutes * MINUTE, now: NOW, intervals };
}

/** Percent with two decimals, never rounded to 0 or 100. */
function slowPercent(up: number, all: number): number {
  const rounded = Math.round(10_000 * up / all);
  if (rounded === 10_000 && up < all) return 99.99;
  return (rounded === 0 && up > 0 ? 1 : rounded) / 100;
}

Deno.test("the change of uptime is the difference of what is shown of two equal times", () => {
  const outages = fc.array(fc.integer({ min: 1, max: 2 * DAYS }), { maxLength: 40 });
  fc.assert(fc.property(outages, (minutes) => {
    const down = new Set(minutes);
    const share = (from: number, to: number) =>
      slowPercent(DAYS - [...down].filter((one) => one > from && one <= to).length, DAYS);
    const expected = Math.round(100 * (share(0, DAYS) - share(DAYS, 2 * DAYS))) / 100;
    assertEquals(computeUptimeChange(samplesOf(2 * DAYS, down), "day"), expected);
  }));
});

Deno.test("there is no change if the site was not monitored through the time before, nor of all time", () => {
  const none = new Set<number>();
  assertEquals(computeUptimeChange(samplesOf(2 * DAYS - 1, none), "day"), undefined);
  assertEquals(computeUptimeChange(samplesOf(2 * DAYS, none), "day"), 0);
  assertEquals(computeUptimeChange(samplesOf(2 * DAYS, none), "week"), undefined);
  assertEquals(computeUptimeChange(samplesOf(2 * DAYS, none), "all"), undefined);
  assertEquals(computeUptimeChange({ ...samples, first: undefined }, "day"), undefined);
});
