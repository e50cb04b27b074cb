import { assertEquals } from "@std/assert";
import { computeDetail } from "../../../lib/statistics/graph.ts";
import { selectSamples } from "../../../lib/statistics/samples.ts";
import { HOUR, MINUTE } from "../../../lib/time.ts";
import { siteOf } from "../../helpers/sites.ts";

const SITE = await siteOf({ name: "Shop", slug: "shop", url: "https://example.com" });
const NOW = Date.parse("2026-11-21T10:00:00Z");

/** Times of checks every five minutes from some hours ago to others. */
function timesFrom(hoursAgo: number, to: number) {
  const first = NOW - hoursAgo * HOUR;
  return Array.from({ length: (hoursAgo - to) * 12 }, (_, index) => first + index * 5 * MINUTE);
}

/** Hours ago of the first and the last point of a graph around an outage, and its number of points. */
function pointsAround(start: number, end: number, older = timesFrom(500, 24)) {
  const checks = timesFrom(24, 0).map((time) => ({
    time,
    ms: 100,
    state: "up" as const,
    isImported: false,
  }));
  const samples = selectSamples(
    { slug: "shop", checks, days: [], incidents: new Map(), maintenance: [] },
    { maxGap: HOUR, now: NOW },
  );
  const window = { from: NOW - (start + 1) * HOUR, to: NOW - (end - 1) * HOUR };
  const graph = computeDetail(
    { site: SITE, samples },
    { window, start: NOW - start * HOUR, older: { times: older, ms: older.map(() => 100) } },
    { timezone: "UTC", points: 100 },
  );
  if (graph === undefined) return undefined;
  const ago = (time: number | undefined) => Math.round((NOW - time!) / MINUTE) / 60;
  const { points } = graph;
  return [ago(points[0]?.time), ago(points.at(-1)?.time), points.length];
}

Deno.test("the graph of an incident shows single checks around it, as long as they are known", () => {
  assertEquals(pointsAround(3, 2), [4, 65 / 60, 36]);
  assertEquals(pointsAround(25, 23), [26, 22 + 5 / 60, 48]);
  assertEquals(pointsAround(400, 399), [401, 398 + 5 / 60, 36]);
  assertEquals(pointsAround(501, 499), undefined);
  assertEquals(pointsAround(100, 99, []), undefined);
});
