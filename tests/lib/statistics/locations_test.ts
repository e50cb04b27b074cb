import { assert, assertEquals } from "@std/assert";
import { recordPath } from "../../../lib/config/record_path.ts";
import { formatRecord } from "../../../lib/history/record.ts";
import { appendRows, type CheckRow, checksPath } from "../../../lib/history/checks_log.ts";
import { parseLocationDays } from "../../../lib/history/daily_log.ts";
import { readHistories } from "../../../lib/history/read_histories.ts";
import { apiFiles } from "../../../lib/statistics/api/api_files.ts";
import { formatEndpoint } from "../../../lib/statistics/api/badge.ts";
import { computeGraph } from "../../../lib/statistics/graph.ts";
import { sortWorstFirst } from "../../../lib/statistics/report/location_reports.ts";
import { computeReport } from "../../../lib/statistics/report/report_of.ts";
import { recordStatistics } from "../../../lib/statistics/report/record_statistics.ts";
import { computeSummary, formatSummary, parseSummary } from "../../../lib/statistics/summary.ts";
import { HOUR, MINUTE } from "../../../lib/time.ts";
import { assertKeepsTo, publishedSchema } from "../../helpers/published_schema.ts";
import { storeOf } from "../../helpers/random_history.ts";
import { siteReport } from "../../helpers/reports.ts";
import { configOf, type Keys } from "../../helpers/sites.ts";

const NOW = Temporal.Instant.from("2026-11-21T10:05:00Z");
const PLACES = ["Frankfurt", "Virginia", "São Paulo"];
const LOCATIONS = PLACES.map((name) => ({ name, runner: "ubuntu-latest" }));
const SHOP = { name: "Shop", url: "https://shop.example" };

/** A check of the shop some minutes ago: by all locations together, or by one. */
function row(minutes: number, location?: string, more: Partial<CheckRow> = {}): CheckRow {
  const run = minutes.toString(16).padStart(8, "0");
  const time = NOW.subtract({ minutes });
  const ms = location === undefined ? 120 : 100 * (1 + PLACES.indexOf(location));
  return { time, run, slug: "shop", state: "up", code: 200, ms, attempts: 1, location, ...more };
}

const DOWN = { state: "down", code: 0, ms: undefined, error: "refused" } as const;

function logsOf(rows: readonly CheckRow[]): Map<string, string> {
  const byPath = Map.groupBy(rows, ({ time }) => checksPath(time));
  return new Map([...byPath].map(([path, own]) => [path, appendRows(undefined, own)]));
}

/** Report of a shop after some checks. */
async function know(rows: readonly CheckRow[], { site }: { site?: Keys } = {}) {
  const config = await configOf([{ ...SHOP, ...site }], { locations: LOCATIONS });
  const { record } = siteReport(config.sites[0]!, {});
  const store = await storeOf(logsOf(rows).set(recordPath("shop"), formatRecord(record!)));
  const snapshot = await store.read();
  const read = await readHistories(snapshot, config.sites);
  const report = computeReport(config, read, NOW);
  return { config, store, snapshot, read, report, shop: report.sites[0]! };
}

/** Two hours of checks, every five minutes. */
const MINUTES = Array.from({ length: 24 }, (_, index) => 5 * index);
const ALL = MINUTES.flatMap((minutes) => [
  row(minutes),
  ...PLACES.map((place) => row(minutes, place)),
]);

Deno.test("each location has response times, uptime and a last state of its own, in the order of the configuration", async () => {
  const failing = ALL.filter(({ location, time }) =>
    !(location === "Virginia" && time.epochMilliseconds > NOW.epochMilliseconds - HOUR)
  );
  const lastHour = MINUTES.filter((minutes) => minutes < 60);
  const { shop } = await know([...failing, ...lastHour.map((one) => row(one, "Virginia", DOWN))]);
  const seen = shop.locations!.map((
    { name, state, last, statistics: { day } },
  ) => [name, state, last?.error, day.checks, day.responseTimes?.count, day.responseTimes?.p95]);
  assertEquals(seen, [
    ["Frankfurt", "up", undefined, 24, 24, 100],
    ["Virginia", "down", "refused", 24, 12, 200],
    ["São Paulo", "up", undefined, 24, 24, 300],
  ]);
  const [frankfurt, virginia] = shop.locations!.map(({ statistics }) => statistics.day.uptime!);
  assertEquals(frankfurt, 1);
  assert(virginia! > 0.49 && virginia! < 0.54, String(virginia));
  assertEquals([shop.statistics.day.uptime, shop.statistics.day.responseTimes?.mean], [1, 120]);
});

Deno.test("a location without a current result is unknown, and comes after those that fail", async () => {
  const { shop } = await know([
    row(0),
    row(0, "Frankfurt"),
    row(0, "São Paulo", DOWN),
    row(50),
    row(50, "Virginia"),
  ]);
  const sorted = sortWorstFirst(shop.locations!, "day");
  assertEquals(sorted.map(({ name, state }) => `${name} ${state}`), [
    "São Paulo down",
    "Virginia unknown",
    "Frankfurt up",
  ]);
  const silent = await know([row(0)]);
  assertEquals(silent.shop.locations!.map(({ state, last }) => [state, last]), [
    ["unknown", undefined],
    ["unknown", undefined],
    ["unknown", undefined],
  ]);
});

Deno.test("a site with one location, or none, is reported as if there were no locations", async () => {
  const without = await know(ALL.filter(({ location }) => location === undefined), {
    site: { locations: [] },
  });
  for (const locations of [[], ["Frankfurt"]]) {
    const { shop } = await know(ALL, { site: { locations } });
    assertEquals(shop.locations, undefined);
    const { history: { locations: _, ...history }, ...others } = shop;
    assertEquals(
      { ...others, history, site: without.shop.site },
      without.shop,
    );
  }
});

Deno.test("statistics.json and the summary contain the locations, and lack the key without any", async () => {
  const { report, shop } = await know([
    ...ALL.filter(({ location }) => location !== "Virginia"),
    ...MINUTES.map((one) => row(one, "Virginia", DOWN)),
  ]);
  const schema = await publishedSchema("statistics");
  const draw = () => "";
  const statisticsOf = (one: typeof report) =>
    JSON.parse(new Map(apiFiles(one, { draw })).get("api/shop/statistics.json")!);
  const data = statisticsOf(report);
  assertKeepsTo(schema, data);
  const [frankfurt, virginia] = data.locations;
  assertEquals(
    [frankfurt.name, frankfurt.state, frankfurt.windows.day.responseTime.p50],
    ["Frankfurt", "up", 100],
  );
  assertEquals([virginia.state, virginia.lastUpdated, virginia.windows.week], [
    "down",
    "2026-11-21T10:05:00.000Z",
    { coverage: virginia.windows.week.coverage, uptime: 0, checks: 24 },
  ]);
  const text = formatSummary(computeSummary(report));
  assertKeepsTo(await publishedSchema("summary"), JSON.parse(text));
  const states = { Frankfurt: "up", Virginia: "down", "São Paulo": "up" };
  assertEquals(JSON.parse(text)[0].locations, states);
  assertEquals(formatSummary([...parseSummary(text).values()]), text);
  const alone = { ...report, sites: [{ ...shop, locations: undefined }] };
  assertEquals([statisticsOf(alone).locations, "locations" in statisticsOf(alone)], [
    undefined,
    false,
  ]);
  assert(!formatSummary(computeSummary(alone)).includes("locations"));
});

Deno.test("badges and endpoints cover all locations together, and metrics show each of them", async () => {
  const draw = formatEndpoint;
  const files = new Map(apiFiles((await know(ALL)).report, { draw }));
  const rows = ALL.filter(({ location }) => location === undefined);
  const without = new Map(
    apiFiles((await know(rows, { site: { locations: [] } })).report, { draw }),
  );
  assertEquals([...files.keys()], [...without.keys()]);
  for (const [path, text] of files) {
    if (/\.(?:svg|json)$/.test(path) && !path.endsWith("statistics.json")) {
      assertEquals(text, without.get(path), path);
    }
  }
  const known = new Set(without.get("api/metrics.txt")!.split("\n"));
  const added = files.get("api/metrics.txt")!.split("\n").filter((line) =>
    !known.has(line) && !line.startsWith("#")
  );
  assertEquals(
    added,
    [["up", 1, 1, 1], ["degraded", 0, 0, 0], ["response_time_seconds", 0.1, 0.2, 0.3]].flatMap(
      ([figure, ...values]) =>
        PLACES.map((place, index) =>
          `monitor_location_${figure}{site="shop",location="${place}"} ${values[index]}`
        ),
    ),
  );
});

Deno.test("days of locations are rolled up into a log of their own, which windows beyond the kept days use", async () => {
  const old = Array.from({ length: 8 }, (_, index) => 24 * 60 * (20 + index));
  const rows = old.flatMap((minutes) => [
    row(minutes),
    ...PLACES.map((place) => row(minutes, place)),
  ]);
  const opened = await know([...ALL, ...rows]);
  const options = {
    run: { id: "00000001", time: NOW },
    filesOf: () => new Map<string, string>(),
    message: "Roll up",
    author: { name: "Jo", email: "jo@example.com" },
  };
  const config = { ...opened.config, history: { ...opened.config.history, keepDays: 5 } };
  const { files } = await recordStatistics({ ...opened, config, listsAllSites: true }, options);
  const path = "history/daily/locations-2026.csv";
  const days = parseLocationDays([String(files.get(path))]);
  assertEquals([...days.get("shop")!].map(([name, own]) => [name, own.length]), [
    ["Frankfurt", 8],
    ["São Paulo", 8],
    ["Virginia", 8],
  ]);
  assertEquals([...files.values()].filter((text) => text === null).length, 8);
  const snapshot = await opened.store.read();
  const read = await readHistories(snapshot, config.sites);
  const [before, after] = [opened.report, computeReport(config, read, NOW)].map(({ sites }) =>
    sites[0]!.locations!.map(({ statistics: { day, month } }) => [
      day.responseTimes,
      month.checks,
      Math.round(month.responseTimes!.mean),
    ])
  );
  assertEquals(after, before);
  assertEquals(after![2]!.slice(1), [24 + 8, 300]);
  const again = { ...opened, config, snapshot, read, report: computeReport(config, read, NOW) };
  const { files: none } = await recordStatistics({ ...again, listsAllSites: true }, options);
  assertEquals([...none.keys()], []);
});

Deno.test("a repository without locations gets no log of them", async () => {
  const rows = [row(0), row(24 * 60 * 3), row(24 * 60 * 3, "upptime", { run: "0000abcd" })];
  const opened = await know(rows, { site: { locations: [] } });
  const { files } = await recordStatistics({ ...opened, listsAllSites: true }, {
    run: { id: "00000001", time: NOW },
    filesOf: () => new Map<string, string>(),
    message: "Roll up",
    author: { name: "Jo", email: "jo@example.com" },
  });
  assertEquals([...files.keys()], ["history/daily/2026.csv"]);
});

Deno.test("a graph has a line for each location, the slowest first, and the line of the site before there were any", async () => {
  const before = MINUTES.map((minutes) => row(minutes + 300));
  const { shop } = await know([...ALL, ...before]);
  const { locations, points } = computeGraph(shop, "day", { timezone: "UTC" });
  assertEquals(locations!.lines.map(({ name, points }) => [name, points[0]!.median]), [
    ["São Paulo", 300],
    ["Virginia", 200],
    ["Frankfurt", 100],
  ]);
  const end = NOW.epochMilliseconds - 2 * HOUR;
  assert(locations!.earlier.length > 0 && locations!.earlier.every(({ time }) => time < end));
  assert(locations!.earlier.length < points.length);
  assertEquals(locations!.others, 0);
});

Deno.test("a graph has six lines at most, and none of locations that have no response time in its window", async () => {
  const names = Array.from({ length: 10 }, (_, index) => `Place ${index}`);
  const rows = MINUTES.flatMap((minutes) => [
    row(minutes),
    ...names.slice(0, 9).map((name, index) => row(minutes, name, { ms: 10 + index })),
    row(minutes, names[9], DOWN),
  ]);
  const config = await configOf([SHOP], {
    locations: names.map((name) => ({ name, runner: "ubuntu-latest" })),
  });
  const snapshot = await (await storeOf(logsOf(rows))).read();
  const [shop] = computeReport(config, await readHistories(snapshot, config.sites), NOW).sites;
  const { locations } = computeGraph(shop!, "day", { timezone: "UTC" });
  assertEquals(
    locations!.lines.map(({ name }) => name),
    [8, 7, 6, 5, 4, 3].map((one) => names[one]!),
  );
  assertEquals(locations!.others, 3);
  const { shop: silent } = await know([row(0)]);
  assertEquals(computeGraph(silent, "day", { timezone: "UTC" }).locations, undefined);
});

Deno.test("no line of a location crosses a time in which it had no result", async () => {
  const gap = (minutes: number) => minutes > 20 && minutes < 95;
  const rows = ALL.filter(({ location, time }) =>
    location !== "Virginia" || !gap((NOW.epochMilliseconds - time.epochMilliseconds) / MINUTE)
  );
  const { shop } = await know(rows);
  const { lines } = computeGraph(shop, "day", { timezone: "UTC" }).locations!;
  const joined = (name: string) =>
    lines.find((line) => line.name === name)!.points.filter(({ isJoined }) => !isJoined).length;
  assertEquals([joined("Virginia"), joined("Frankfurt")], [2, 1]);
});
