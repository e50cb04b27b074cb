import { assert, assertEquals } from "@std/assert";
import {
  computeSummary,
  formatSummary,
  NO_STATISTICS,
  parseSummary,
  SUMMARY_PATH,
} from "../../../lib/statistics/summary.ts";
import { siteNamed } from "../../helpers/outcomes.ts";
import { outageSince } from "../../helpers/outage.ts";
import { assertKeepsTo, publishedSchema } from "../../helpers/published_schema.ts";
import {
  FIRST,
  noStatistics,
  report,
  REPORT_TIME,
  responseTimes,
  siteReport,
  statistics,
  unknownSite,
  windows,
} from "../../helpers/reports.ts";

const SCHEMA = await publishedSchema("summary");
const SHOP = await siteNamed("Shop", "shop", { group: "Front", icon: "https://a.example/i.png" });

/** The keys of Upptime's summaries, in their order. */
const KEYS_OF_UPPTIME = [
  ...["name", "url", "icon", "slug", "status"],
  ...["uptime", "uptimeDay", "uptimeWeek", "uptimeMonth", "uptimeYear"],
  ...["time", "timeDay", "timeWeek", "timeMonth", "timeYear", "dailyMinutesDown"],
];

/** The text of a summary of sites, and its entries, validated by its schema. */
function summary(...sites: Parameters<typeof report>) {
  const text = formatSummary(computeSummary(report(...sites)));
  const entries = JSON.parse(text);
  assertKeepsTo(SCHEMA, entries);
  return { text, entries };
}

Deno.test("a summary has the keys of Upptime's in their order, then ours", () => {
  const { text, entries } = summary(siteReport(SHOP, {
    statistics: {
      ...windows(),
      day: statistics("day", { uptime: 0.99996, responseTimes: responseTimes(0.2) }),
      week: statistics("week", { uptime: 0.5, responseTimes: responseTimes(88.6) }),
    },
    downMinutes: new Map([["2026-11-20", 1], ["2026-11-21", 13]]),
  }));
  assertEquals(SUMMARY_PATH, "history/summary.json");
  assertEquals(entries, [{
    name: "Shop",
    url: "https://example.com/",
    icon: "https://a.example/i.png",
    slug: "shop",
    status: "up",
    uptime: "100%",
    uptimeDay: "99.99%",
    uptimeWeek: "50%",
    uptimeMonth: "100%",
    uptimeYear: "100%",
    time: 123,
    timeDay: 1,
    timeWeek: 89,
    timeMonth: 123,
    timeYear: 123,
    dailyMinutesDown: { "2026-11-20": 1, "2026-11-21": 13 },
    state: "up",
    since: "2026-10-12T10:05:00.000Z",
    lastUpdated: "2026-11-21T10:05:00.000Z",
    code: 200,
    responseTime: 123,
    group: "Front",
  }]);
  assertEquals(Object.keys(entries[0]).slice(0, KEYS_OF_UPPTIME.length), KEYS_OF_UPPTIME);
  assert(text.startsWith('[\n  {\n    "name": "Shop",\n') && text.endsWith("]\n"));
});

Deno.test("the summary entry of a site that is down has its incident and issue", () => {
  const { record, history } = siteReport(SHOP);
  const id = "2026-11-21-shop";
  const incident = outageSince(FIRST, { issue: 12 });
  const { entries: [site] } = summary(siteReport(SHOP, {
    condition: "down",
    record: {
      ...record!,
      status: "down",
      code: 0,
      responseTime: 0,
      since: REPORT_TIME,
      incident: id,
    },
    history: { ...history, incidents: new Map([[id, incident]]) },
  }));
  const { status, state, code, responseTime } = site;
  assertEquals([status, state, code, responseTime], ["down", "down", 0, undefined]);
  assertEquals([site.incident, site.issue], [id, 12]);
});

Deno.test("a summary without coverage has no data, and no values for a site that was never checked", () => {
  const { entries: [site, day] } = summary(
    unknownSite(SHOP),
    siteReport(SHOP, { statistics: { ...windows(), day: noStatistics("day") } }),
  );
  assertEquals([site.status, site.state, site.since], ["unknown", "unknown", undefined]);
  const { uptime, uptimeYear, time, timeYear } = site;
  assertEquals([uptime, uptimeYear, time, timeYear], ["no data", "no data", 0, 0]);
  assertEquals([day.uptimeDay, day.timeDay, day.uptimeWeek], ["no data", 0, "100%"]);
});

Deno.test("a summary shows no address that is hidden or a secret, and resolves none", async () => {
  const sites = [
    await siteNamed("A", "a", { url: "https://a.example/?key=$KEY" }),
    await siteNamed("B", "b", { url: "$ADDRESS" }),
    await siteNamed("C", "c", { hideUrl: true }),
    await siteNamed("D", "d", { hideUrl: true, link: "https://d.example" }),
    await siteNamed("E", "e", { paused: true }),
  ];
  const { entries } = summary(...sites.map((site) => siteReport(site)));
  assertEquals(entries.map(({ url }: { url: string }) => url), [
    "https://a.example/?key=$KEY",
    "",
    "",
    "https://d.example",
    "https://example.com/",
  ]);
  assertEquals([entries[0].icon, entries[0].paused, entries[4].paused], ["", undefined, true]);
});

Deno.test("a summary contains site names unchanged, whatever they contain", async () => {
  const site = { ...await siteNamed("A", "a"), name: '"</script>\\\n$1 ünï' };
  const { text, entries } = summary(siteReport(site));
  assertEquals(entries[0].name, site.name);
  assertEquals(formatSummary([...parseSummary(text).values()]), text);
});

Deno.test("a summary of Upptime's is read, and a damaged one as far as it can be", () => {
  const upptime = {
    name: "Shop",
    url: "https://a.example",
    icon: "https://icons.example/shop",
    slug: "shop",
    status: "up",
    uptime: "99.98%",
    uptimeDay: "100.00%",
    uptimeWeek: "100.00%",
    uptimeMonth: "100.00%",
    uptimeYear: "99.98%",
    time: 312,
    timeDay: 0,
    timeWeek: 300,
    timeMonth: 301,
    timeYear: 312,
    dailyMinutesDown: { "2026-11-20": 14 },
  };
  const { statistics, current } = parseSummary(JSON.stringify([upptime])).get("shop")!;
  assertEquals([statistics.uptime, statistics.time], ["99.98%", 312]);
  assertEquals([statistics.dailyMinutesDown, current.state], [{ "2026-11-20": 14 }, "unknown"]);
  const damaged = { ...upptime, uptime: 12, time: "fast", dailyMinutesDown: [1], since: {} };
  const read = parseSummary(JSON.stringify([damaged, { name: "X" }, null, "a"])).get("shop")!;
  const { uptime, time, dailyMinutesDown } = read.statistics;
  assertEquals([uptime, time, dailyMinutesDown], ["no data", 0, {}]);
  assertEquals([read.statistics.timeWeek, read.current.since], [300, undefined]);
  for (const text of ["", "{}", "null", "[[]]", "[", "\u0000"]) {
    assertEquals(parseSummary(text), new Map());
  }
  assertEquals(NO_STATISTICS.uptime, "no data");
});
