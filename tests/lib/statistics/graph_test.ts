import { assert, assertEquals } from "@std/assert";
import type { Check } from "../../../lib/history/site_history.ts";
import { parseIncident } from "../../../lib/history/incident.ts";
import { windowBack, type WindowName } from "../../../lib/history/windows.ts";
import { computeGraph, type Graph } from "../../../lib/statistics/graph.ts";
import { measure } from "../../../lib/statistics/measure.ts";
import { selectSamples } from "../../../lib/statistics/samples.ts";
import { MINUTE } from "../../../lib/time.ts";
import { siteReport } from "../../helpers/reports.ts";
import { siteOf } from "../../helpers/sites.ts";

const SHOP = await siteOf({ name: "Shop", slug: "shop", url: "https://example.com" });
const MIDNIGHT = Temporal.Instant.from("2026-11-21T00:00:00Z");
const NOW = MIDNIGHT.add({ hours: 24 });

/** Minutes of the day, and the result of a check: a response time, `down` or none. */
type Seen = number | "down" | undefined;

/** The graph of a day with a check every five minutes; a site that is down is so from four seconds after a check on. */
function graphOfDay(see: (minute: number) => Seen, window: WindowName = "day"): Graph {
  const checks: Check[] = [];
  for (let minute = 0; minute < 1440; minute += 5) {
    const seen = see(minute);
    if (seen === undefined) continue;
    const found = seen === "down" ? { state: "down" as const } : { state: "up" as const, ms: seen };
    checks.push({
      time: MIDNIGHT.epochMilliseconds + minute * MINUTE,
      isImported: false,
      ...found,
    });
  }
  const incidents = checks.flatMap(({ time, state }, index) => {
    if (state !== "down" || checks[index - 1]?.state === "down") return [];
    const end = checks.slice(index).find(({ state }) => state === "up")?.time;
    const start = instant(time + 4000);
    const ended = end === undefined ? "" : `end: ${instant(end + 4000)}\n`;
    const text = `slug: shop\nkind: down\nstart: ${start}\nconfirmed: ${start}\n${ended}`;
    return [[`2026-11-21-shop-${index}`, parseIncident(text)!] as const];
  });
  const history = {
    slug: "shop",
    first: MIDNIGHT.epochMilliseconds,
    checks,
    days: [],
    incidents: new Map(incidents),
    maintenance: [],
  };
  const now = NOW.epochMilliseconds;
  const samples = selectSamples(history, { maxGap: 1_800_000, now });
  const back = windowBack(window, now, history.first);
  const { statistics } = siteReport(SHOP);
  const own = { ...statistics, [window]: measure(samples, back, { apdex: 500 }) };
  return computeGraph({ site: SHOP, samples, statistics: own }, window, { timezone: "UTC" });
}

function instant(time: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(time);
}

/** A moment of the day as `HH:MM`. */
function minuteOf(time: number): string {
  return new Date(time).toISOString().slice(11, 16);
}

Deno.test("a day without trouble is one line, of the medians of ten minutes each", () => {
  const { points, intervals } = graphOfDay((minute) => minute % 10 === 0 ? 100 : 300);
  assertEquals(intervals, []);
  assertEquals(points.length, 144);
  assertEquals(points.slice(0, 2), [
    {
      time: MIDNIGHT.epochMilliseconds + 150_000,
      median: 100,
      p95: 300,
      max: 300,
      checks: 2,
      isJoined: false,
    },
    {
      time: MIDNIGHT.epochMilliseconds + 750_000,
      median: 100,
      p95: 300,
      max: 300,
      checks: 2,
      isJoined: true,
    },
  ]);
  assertEquals(points.filter(({ isJoined }) => !isJoined).length, 1);
});

Deno.test("an outage breaks the line once, and leaves no point in its span", () => {
  for (const [from, to] of [[600, 660], [605, 655], [610, 665]] as const) {
    const graph = graphOfDay((minute) => minute >= from && minute < to ? "down" : 100);
    const [interval] = graph.intervals;
    assertEquals(graph.intervals.length, 1);
    assertEquals(interval!.state, "down");
    // A run starts some seconds before its first good attempt, which ends the outage.
    const until = interval!.to - 10_000;
    const inside = graph.points.filter(({ time }) => time > interval!.from && time < until);
    assertEquals(inside, []);
    const breaks = graph.points.filter(({ isJoined }) => !isJoined).map(({ time }) => time);
    assertEquals(breaks.length, 2);
    assert(breaks[1]! >= until, `${minuteOf(breaks[1]!)} in ${from}`);
  }
});

Deno.test("a line is interrupted where data is missing, however far apart its points are", () => {
  const { points, intervals } = graphOfDay((minute) =>
    minute >= 300 && minute < 600 ? undefined : 100
  );
  assertEquals(intervals.map(({ state, from, to }) => [state, minuteOf(from), minuteOf(to)]), [
    ["unknown", "05:25", "10:00"],
  ]);
  const breaks = points.filter(({ isJoined }) => !isJoined).map(({ time }) => minuteOf(time));
  assertEquals(breaks, ["00:02", "10:02"]);
});

Deno.test("a site that was first checked in mid-window has nothing before, and one check is one point", () => {
  const { points, intervals } = graphOfDay((minute) => minute === 1435 ? 42 : undefined, "week");
  assertEquals(points.map(({ median, p95, isJoined }) => [median, p95, isJoined]), [
    [42, undefined, false],
  ]);
  assertEquals(intervals.map(({ state }) => state), ["unknown"]);
});
