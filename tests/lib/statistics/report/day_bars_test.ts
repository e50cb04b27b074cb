import { assert, assertEquals } from "@std/assert";
import { readHistories } from "../../../../lib/history/read_histories.ts";
import { type DayBar, dayBars } from "../../../../lib/statistics/report/day_bars.ts";
import { downMinutes } from "../../../../lib/statistics/report/down_minutes.ts";
import { type Evidence, evidenceOf } from "../../../../lib/statistics/evidence.ts";
import { measure } from "../../../../lib/statistics/measure.ts";
import type { SiteHistory } from "../../../../lib/history/site_history.ts";
import { dateOf, DAY } from "../../../../lib/time.ts";
import { loggedDays } from "../../../helpers/dated_days.ts";
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

/** That bars are what statistics of one day each are, and tell the outages that are told by the minute. */
function assertBars(evidence: Evidence, count: number): DayBar[] {
  const bars = dayBars({ evidence }, count);
  assertEquals(bars.length, count);
  assertEquals(bars.at(-1)!.date, dateOf(evidence.now));
  const minutes = downMinutes(evidence);
  for (const { date, uptime, worst, ...lengths } of bars) {
    const from = Date.parse(date);
    const day = measure(evidence, { from, to: from + DAY }, GOALS);
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

/** The same site when its days but the last have been rolled up and their checks are gone. */
function rolledUp(history: SiteHistory, now: number, kept: number): SiteHistory {
  const { fresh } = evidenceOf(history, { maxGap: MAX_GAP, now });
  const { checks } = history;
  const from = checks.times.findIndex((time) => time >= now - kept * DAY);
  const begin = from === -1 ? checks.length : from;
  const times = checks.times.subarray(begin);
  return {
    ...history,
    checks: {
      length: times.length,
      times,
      states: checks.states.subarray(begin),
      durations: checks.durations.subarray(begin),
      imported: checks.imported.subarray(begin),
    },
    days: loggedDays(fresh),
  };
}

Deno.test("the bar of a day tells what the statistics of that day tell, from checks and from totals", async () => {
  const property = fc.asyncProperty(
    stories(START / 1000, sites.length, 3),
    fc.integer({ min: 0, max: 3 }),
    async (story, kept) => {
      const { store, now: seconds } = await writeStory(story, sites);
      const now = 1000 * seconds;
      const { histories } = await readHistories(await store.read(), sites);
      for (const history of histories.values()) {
        for (const one of [history, rolledUp(history, now, kept)]) {
          assertBars(evidenceOf(one, { maxGap: MAX_GAP, now }), 6);
        }
      }
    },
  );
  await fc.assert(property, { numRuns: runs(8) });
});

Deno.test("a day is shown as the worst of it, and maintenance only where nothing was worse", () => {
  const { evidence } = siteReport(sites[0]!);
  const now = Date.parse("2026-11-21T12:00:00Z");
  const at = (text: string) => Date.parse(`2026-11-${text}:00Z`);
  const bars = assertBars({
    ...evidence,
    first: at("17T00:00"),
    now,
    spans: [
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

Deno.test("a day of which only maintenance is known has no uptime, and neither has one before the first", () => {
  const { evidence } = siteReport(sites[0]!);
  const now = Date.parse("2026-11-21T12:00:00Z");
  const spans = [{ from: now - DAY / 2, to: now, state: "maintenance" as const }];
  const [before, today] = assertBars({ ...evidence, first: now - DAY / 2, now, spans }, 2);
  assertEquals([before!.uptime, before!.observed, today!.uptime], [undefined, 0, undefined]);
  assertEquals([today!.worst, today!.maintenance], ["maintenance", 43_200]);
});
