import { assert, assertEquals } from "@std/assert";
import { CheckColumns } from "../../../lib/history/logs/check_columns.ts";
import { NO_DAYS } from "../../../lib/history/logs/packed_days.ts";
import type { CheckRow } from "../../../lib/history/checks_log.ts";
import { parseIncident } from "../../../lib/history/incident.ts";
import { evidenceOf } from "../../../lib/statistics/evidence.ts";
import type { Graph } from "../../../lib/statistics/graph.ts";
import { graphOf } from "../../../lib/statistics/graph_of.ts";
import { measure } from "../../../lib/statistics/measure.ts";
import { windowBack, type WindowName } from "../../../lib/history/windows.ts";
import { siteReport } from "../../helpers/reports.ts";
import { siteOf } from "../../helpers/sites.ts";

const SHOP = await siteOf({ name: "Shop", slug: "shop", url: "https://example.com" });
const MIDNIGHT = Temporal.Instant.from("2026-11-21T00:00:00Z");
const NOW = MIDNIGHT.add({ hours: 24 });

/** Minutes of the day, and what a check then saw: a response time, `down` or nothing at all. */
type Seen = number | "down" | undefined;

/** The graph of a day with a check every five minutes; a site that is down is so from four seconds after a check on. */
function graphOfDay(see: (minute: number) => Seen, window: WindowName = "day"): Graph {
  const rows: CheckRow[] = [];
  for (let minute = 0; minute < 1440; minute += 5) {
    const seen = see(minute);
    if (seen === undefined) continue;
    const time = MIDNIGHT.add({ minutes: minute });
    const run = minute.toString(16).padStart(8, "0");
    const told = seen === "down" ? { state: "down" as const } : { state: "up" as const, ms: seen };
    rows.push({ time, run, slug: "shop", code: 0, attempts: 1, ...told });
  }
  const columns = new CheckColumns();
  columns.addRows(rows);
  const isDown = rows.map(({ state }) => state === "down");
  const incidents = rows.flatMap((row, index) => {
    if (!isDown[index] || isDown[index - 1]) return [];
    const end = rows.slice(index).find(({ state }) => state === "up")?.time.add({ seconds: 4 });
    const start = row.time.add({ seconds: 4 });
    const ended = end === undefined ? "" : `end: ${end}\n`;
    const text = `slug: shop\nkind: down\nstart: ${start}\nconfirmed: ${start}\n${ended}`;
    return [[`2026-11-21-shop-${index}`, parseIncident(text)!] as const];
  });
  const checks = columns.gathered().get("shop")!;
  const history = {
    slug: "shop",
    first: MIDNIGHT.epochMilliseconds,
    checks,
    days: NO_DAYS,
    incidents: new Map(incidents),
    maintenance: [],
  };
  const now = NOW.epochMilliseconds;
  const evidence = evidenceOf(history, { maxGap: 1_800_000, now });
  const back = windowBack(window, now, history.first);
  const { statistics } = siteReport(SHOP);
  const own = { ...statistics, [window]: measure(evidence, back, { apdex: 500 }) };
  return graphOf({ site: SHOP, evidence, statistics: own }, window, { timezone: "UTC" });
}

/** A moment of the day as `HH:MM`. */
function minuteOf(time: number): string {
  return new Date(time).toISOString().slice(11, 16);
}

Deno.test("a day without trouble is one line, of the medians of ten minutes each", () => {
  const { points, spans } = graphOfDay((minute) => minute % 10 === 0 ? 100 : 300);
  assertEquals(spans, []);
  assertEquals(points.length, 144);
  assertEquals(points.slice(0, 2), [
    {
      time: MIDNIGHT.epochMilliseconds + 150_000,
      median: 100,
      p95: 300,
      max: 300,
      isJoined: false,
    },
    { time: MIDNIGHT.epochMilliseconds + 750_000, median: 100, p95: 300, max: 300, isJoined: true },
  ]);
  assertEquals(points.filter(({ isJoined }) => !isJoined).length, 1);
});

Deno.test("an outage breaks the line once, and leaves no point in its span", () => {
  for (const [from, to] of [[600, 660], [605, 655], [610, 665]] as const) {
    const graph = graphOfDay((minute) => minute >= from && minute < to ? "down" : 100);
    const [span] = graph.spans;
    assertEquals(graph.spans.length, 1);
    assertEquals(span!.state, "down");
    // A run begins some seconds before its first good attempt, with which the outage ends.
    const until = span!.to - 10_000;
    const inside = graph.points.filter(({ time }) => time > span!.from && time < until);
    assertEquals(inside, []);
    const breaks = graph.points.filter(({ isJoined }) => !isJoined).map(({ time }) => time);
    assertEquals(breaks.length, 2);
    assert(breaks[1]! >= until, `${minuteOf(breaks[1]!)} in ${from}`);
  }
});

Deno.test("a line crosses no time of which nothing is known, however far its points are apart", () => {
  const { points, spans } = graphOfDay((minute) => minute >= 300 && minute < 600 ? undefined : 100);
  assertEquals(spans.map(({ state, from, to }) => [state, minuteOf(from), minuteOf(to)]), [
    ["unknown", "05:25", "10:00"],
  ]);
  const breaks = points.filter(({ isJoined }) => !isJoined).map(({ time }) => minuteOf(time));
  assertEquals(breaks, ["00:02", "10:02"]);
});

Deno.test("a site that was first checked in mid-window has nothing before, and one check is one point", () => {
  const { points, spans } = graphOfDay((minute) => minute === 1435 ? 42 : undefined, "week");
  assertEquals(points.map(({ median, p95, isJoined }) => [median, p95, isJoined]), [
    [42, undefined, false],
  ]);
  assertEquals(spans.map(({ state }) => state), ["unknown"]);
});
