import { assert, assertEquals } from "@std/assert";
import { readHistories } from "../../../../lib/history/read_histories.ts";
import type { SiteHistory } from "../../../../lib/history/site_history.ts";
import { measure } from "../../../../lib/statistics/measure.ts";
import {
  type DayBar,
  dayBars,
  downMinutes,
  wholeBars,
} from "../../../../lib/statistics/report/bars.ts";
import { type Samples, selectSamples } from "../../../../lib/statistics/samples.ts";
import { DAY, floorToDay, formatDate } from "../../../../lib/time.ts";
import { rollUp } from "../../../../lib/statistics/rolled_days.ts";
import fc, { runs } from "../../../helpers/property.ts";
import { stories, writeStory } from "../../../helpers/random_history.ts";
import { siteReport } from "../../../helpers/reports.ts";
import { configOf } from "../../../helpers/sites.ts";

const { sites } = await configOf([
  { slug: "shop", url: "https://example.com" },
  { slug: "blog", url: "https://example.com", degradedRuns: [1, 1] },
]);
const MAX_GAP = 1_800_000;
const GOALS = { apdex: 500 };
const START = Date.parse("2026-11-20T00:00:00Z");

/** Asserts that bars equal the statistics of one day each, and list their outages. */
function assertBars(samples: Samples, count: number): DayBar[] {
  const bars = dayBars({ samples }, count);
  assertEquals(bars.length, count);
  assertEquals(bars.at(-1)!.date, formatDate(samples.now));
  const minutes = downMinutes(samples);
  for (const { date, uptime, worst, ...lengths } of bars) {
    const from = Date.parse(date);
    const day = measure(samples, { from, to: from + DAY }, GOALS);
    for (const [name, seconds] of Object.entries(lengths)) {
      assert(Math.abs(seconds - day[name as "down"]) < 1e-6, `${date} ${name}`);
    }
    assertEquals(uptime === undefined, day.uptime === undefined, date);
    assert(Math.abs((uptime ?? 1) - (day.uptime ?? 1)) < 1e-9, date);
    assertEquals(Math.round(lengths.down / 60), minutes.get(date) ?? 0, date);
    assertEquals(worst === "down", lengths.down > 0, date);
    assertEquals(worst === "unknown", lengths.observed === 0, date);
  }
  return bars;
}

/** Asserts that bars of the whole time together have its figures. */
function assertWhole(samples: Samples) {
  const { bars, length } = wholeBars({ samples });
  assert(length >= DAY || bars.length === 1);
  const from = floorToDay(samples.first ?? samples.now);
  const whole = measure(samples, { from, to: samples.now }, GOALS);
  for (const name of ["observed", "down", "degraded", "maintenance"] as const) {
    const sum = bars.reduce((all, bar) => all + bar[name], 0);
    assert(Math.abs(sum - whole[name]) < 1e-6, `${name}: ${sum} and not ${whole[name]}`);
  }
}

/** The same site after its days but the last were rolled up and their checks removed. */
function rolledUp(history: SiteHistory, now: number, kept: number): SiteHistory {
  const checks = history.checks.filter(({ time }) => time >= now - kept * DAY);
  return { ...history, checks, days: rollUp(selectSamples(history, { maxGap: MAX_GAP, now })) };
}

Deno.test("the bar of a day equals that day's statistics, computed from checks or from totals", async () => {
  const property = fc.asyncProperty(
    stories(START / 1000, sites.length, 3),
    fc.integer({ min: 0, max: 3 }),
    async (story, kept) => {
      const { store, now: seconds } = await writeStory(story, sites);
      const now = 1000 * seconds;
      const { histories } = await readHistories(await store.read(), sites);
      for (const history of histories.values()) {
        for (const one of [history, rolledUp(history, now, kept)]) {
          const samples = selectSamples(one, { maxGap: MAX_GAP, now });
          assertBars(samples, 6);
          assertWhole(samples);
        }
      }
    },
  );
  await fc.assert(property, { numRuns: runs(4, 16) });
});

Deno.test("a day has the color of its worst state; maintenance counts only if nothing was worse", () => {
  const { samples } = siteReport(sites[0]!);
  const now = Date.parse("2026-11-21T12:00:00Z");
  const at = (text: string) => Date.parse(`2026-11-${text}:00Z`);
  const bars = assertBars({
    ...samples,
    first: at("17T00:00"),
    now,
    intervals: [
      { from: at("17T06:00"), to: at("18T06:00"), state: "up" },
      { from: at("18T06:00"), to: at("18T07:00"), state: "maintenance" },
      { from: at("18T07:00"), to: at("19T01:00"), state: "degraded" },
      { from: at("20T01:00"), to: at("20T02:00"), state: "maintenance" },
      { from: at("20T02:00"), to: at("20T03:00"), state: "up" },
      { from: at("21T01:00"), to: at("21T02:00"), state: "degraded" },
      { from: at("21T02:00"), to: at("21T02:30"), state: "down" },
      { from: at("21T02:30"), to: at("21T12:00"), state: "maintenance" },
    ],
  }, 7);
  assertEquals(bars.map(({ date, worst }) => [date, worst]), [
    ["2026-11-15", "unknown"],
    ["2026-11-16", "unknown"],
    ["2026-11-17", "up"],
    ["2026-11-18", "degraded"],
    ["2026-11-19", "degraded"],
    ["2026-11-20", "maintenance"],
    ["2026-11-21", "down"],
  ]);
  assertEquals(bars.at(-1)!.uptime, 1 - 30 / 90);
});

Deno.test("a day with only maintenance, or before the first check, has no uptime", () => {
  const { samples } = siteReport(sites[0]!);
  const now = Date.parse("2026-11-21T12:00:00Z");
  const intervals = [{ from: now - DAY / 2, to: now, state: "maintenance" as const }];
  const [before, today] = assertBars({ ...samples, first: now - DAY / 2, now, intervals }, 2);
  assertEquals([before!.uptime, before!.observed, today!.uptime], [undefined, 0, undefined]);
  assertEquals([today!.worst, today!.maintenance], ["maintenance", 43_200]);
});
