import { printedData } from "../../helpers/printed_data.ts";
import fc, { runs } from "../../helpers/property.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { parse } from "@std/csv/parse";
import { unescapeCell } from "../../../lib/history/csv.ts";
import type { Incident } from "../../../lib/history/incident.ts";
import {
  computeMonthReport,
  type MonthReport,
  parseMonth,
} from "../../../lib/statistics/report/month.ts";
import type { Statistics } from "../../../lib/statistics/statistics.ts";
import { plainText } from "../../../lib/text/plain_text.ts";
import {
  INCIDENT_COLUMNS,
  monthCsv,
  monthIncidentsCsv,
  monthJson,
  SITE_COLUMNS,
} from "../../../templates/markdown/month_data.ts";
import { ENGLISH_LANGUAGE } from "../../../lib/text/languages.ts";
import { monthMarkdown, type ReportOwner } from "../../../templates/markdown/month_report.ts";
import { hostileText } from "../../helpers/hostile_text.ts";
import { outageSince } from "../../helpers/outage.ts";
import {
  noStatistics,
  report,
  responseTimes,
  siteReport,
  statistics,
} from "../../helpers/reports.ts";
import { rendered } from "../../helpers/rendered_markdown.ts";
import { configOf, siteOf } from "../../helpers/sites.ts";

function inEnglish(report: MonthReport, owner: ReportOwner): string {
  return monthMarkdown(report, owner, ENGLISH_LANGUAGE);
}

const OWNER = { repository: "acme/status", server: "https://github.com" };
const MADE = Temporal.Instant.from("2026-12-01T08:00:00Z");
const MONTH = parseMonth("2026-11", "Europe/Berlin")!;

function incident(changes: Partial<Incident> = {}): Incident {
  const start = Temporal.Instant.from("2026-11-21T08:00:00Z");
  return outageSince(start, { end: start.add({ minutes: 20 }), issue: 12, ...changes });
}

const KEPT: Partial<Statistics> = {
  uptime: 0.99954,
  coverage: 0.993,
  down: 1200,
  outages: 1,
  longestOutage: 1200,
  responseTimes: responseTimes(123, { mean: 130.4, p95: 1043 }),
  objective: { target: 0.999, isMet: true, budget: 2592, left: 1392 },
};

/** A month of sites by name; `undefined` has no data. */
async function monthReport(
  sites: readonly [name: string, own: Partial<Statistics> | undefined][],
  incidents: readonly Incident[] = [],
  changes: Partial<MonthReport> = {},
): Promise<MonthReport> {
  const config = await configOf(
    sites.map(([name], index) => ({ name, slug: `site-${index}`, url: "https://example.com" })),
  );
  return {
    month: MONTH,
    time: MADE,
    sites: config.sites.map((site, index) => {
      const own = sites[index]![1];
      return { site, statistics: own ? statistics("month", own) : noStatistics("month") };
    }),
    incidents: incidents.map((one) => ({
      site: config.sites[0]!,
      id: "2026-11-21-shop",
      incident: one,
      seconds: 1200,
      within: 1200,
    })),
    ...changes,
  };
}

Deno.test("a report has a table of locations if sites have several", async () => {
  const made = await monthReport([["Shop", KEPT], ["Blog", KEPT]]);
  const locations = [
    { name: "Virginia | @octocat", statistics: statistics("month", { uptime: 0.5 }) },
    { name: "Oslo", statistics: noStatistics("month") },
  ];
  const [shop, blog] = made.sites;
  const shown = { ...made, sites: [{ ...shop!, locations }, blog!] };
  const text = inEnglish(shown, OWNER);
  const section = text.slice(text.indexOf("## Locations"), text.indexOf("## Incidents"));
  assertEquals(section.split("\n").filter((line) => line.startsWith("| Shop")), [
    "| Shop | Virginia \\| @\u200boctocat | 50% | 123 ms | 123 ms |",
    "| Shop | Oslo | no data | – | – |",
  ]);
  const data = printedData(monthJson(shown));
  assertEquals([data.sites[0].locations[1], "locations" in data.sites[1]], [
    { name: "Oslo", coverage: null, uptime: null, checks: 0, responseTime: null },
    false,
  ]);
  assertEquals(monthCsv(shown), monthCsv(made));
  assert(!inEnglish(made, OWNER).includes("Locations"));
});

Deno.test("a month is a complete report", async () => {
  const text = inEnglish(
    await monthReport([["Shop", KEPT], ["New", undefined]], [incident()]),
    OWNER,
  );
  assertEquals(text.split("\n").slice(0, 5), [
    "# Uptime in November 2026",
    "",
    "- Monitor: [acme/status](https://github.com/acme/status)",
    "- Time: from 2026-11-01 00:00 to 2026-12-01 00:00, Europe/Berlin (as all times below)",
    "- Generated: 2026-12-01 09:00 by monitor-action v1.41.0",
  ]);
  assertStringIncludes(
    text,
    "| Shop | 99.95% | 99.3% | 20 minutes | 1 | 20 minutes | 130 ms | 1,043 ms | 99.9%: met | 20 minutes of 43 minutes 12 seconds (46%) |",
  );
  assertStringIncludes(text, "| New | no data | – | – | – | – | – | – | – | – |");
  assertStringIncludes(
    text,
    "| Shop | 2026-11-21 09:00 | 2026-11-21 09:20 | 20 minutes | down | connection refused | [#12](https://github.com/acme/status/issues/12) |",
  );
  const { elements } = rendered(text);
  assertEquals(elements.filter((name) => name === "table").length, 2);
  assertEquals(elements.filter((name) => name === "tr").length, 5);
});

Deno.test("a month says if an objective was missed, and omits it if none is set", async () => {
  const missed = { target: 0.999, isMet: false, budget: 600, left: -600 };
  const strict = { target: 1, isMet: false, budget: 0, left: -1200 };
  const text = inEnglish(
    await monthReport([
      ["A", { ...KEPT, objective: missed }],
      ["B", { ...KEPT, objective: strict }],
    ]),
    { server: "https://github.com" },
  );
  assertStringIncludes(text, "| 99.9%: missed | 20 minutes of 10 minutes (200%) |");
  assertStringIncludes(text, "| 100%: missed | 20 minutes of none |");
  const young = { ...KEPT, down: 35, objective: { target: 0.999, isMet: false } };
  const tiny = { ...KEPT, down: 35, objective: { ...missed, budget: 0.09, left: -34.91 } };
  const early = inEnglish(await monthReport([["A", young], ["B", tiny]]), OWNER);
  assertStringIncludes(early, "| 99.9%: less than a day of data | – |");
  assertStringIncludes(early, "| 99.9%: missed | 35 seconds of less than a second |");
  assertStringIncludes(text, "## Incidents\n\nNone.\n");
  assert(!text.includes("Monitor:"));
  const without = inEnglish(await monthReport([["A", {}]]), OWNER);
  assert(!without.includes("Objective"));
});

Deno.test("a report says why it is empty, or that the month is not over", async () => {
  const made = (changes: Partial<MonthReport>, own?: Partial<Statistics>) =>
    monthReport([["Shop", own]], [], changes).then((one) => inEnglish(one, OWNER));
  assertStringIncludes(
    await made({}),
    "\nNo checks of this month are recorded, so there is nothing to report.\n",
  );
  assertStringIncludes(
    await made({ recorded: { first: "2026-12", last: "2026-12" } }),
    "so there is nothing to report. There are checks of 2026-12: --month 2026-12 reports it.\n",
  );
  assertStringIncludes(
    await made({ recorded: { first: "2025-03", last: "2026-10" } }),
    "There are checks from 2025-03 to 2026-10: choose one with --month YYYY-MM.\n",
  );
  const future = await made({ month: parseMonth("2027-01", "UTC")! });
  assertStringIncludes(future, "# Uptime in January 2027\n");
  assertStringIncludes(future, "\nThis month has not started yet, so it has no report.\n");
  const early = await made({ time: Temporal.Instant.from("2026-11-21T10:05:00Z") }, KEPT);
  assertStringIncludes(early, "# Uptime in November 2026, so far\n");
  assertStringIncludes(early, "to 2026-11-21 11:05, Europe/Berlin");
});

Deno.test("monthCsv() and monthIncidentsCsv() return tables with the exact values in their cells", async () => {
  const made = await monthReport([['Shop, "EU"', KEPT], ["=1+1", undefined]], [
    incident({ end: undefined, error: '@SUM(1)\n"x"' }),
  ]);
  const text = monthCsv(made);
  assert(text.endsWith("\r\n"));
  const [header, shop, other, ...rest] = parse(text);
  assertEquals([header, rest], [[...SITE_COLUMNS], []]);
  const cell = (row: string[] | undefined, name: string) => row![header!.indexOf(name)];
  const cells = (row: string[] | undefined, ...names: string[]) =>
    names.map((name) => cell(row, name));
  assertEquals(cells(shop, "site", "from", "to"), [
    'Shop, "EU"',
    "2026-11-01T00:00:00+01:00",
    "2026-12-01T00:00:00+01:00",
  ]);
  assertEquals(
    cells(shop, "uptime_percent", "coverage_percent", "down_s", "outages", "mean_ms", "p95_ms"),
    ["99.954", "99.3", "1200", "1", "130", "1043"],
  );
  assertEquals(
    cells(shop, "slo_percent", "slo_met", "budget_s", "budget_used_s"),
    ["99.9", "true", "2592", "1200"],
  );
  assertEquals(cells(other, "site", "uptime_percent", "down_s", "outages", "slo_met"), [
    "'=1+1",
    "",
    "",
    "",
    "",
  ]);
  const [names, row] = parse(monthIncidentsCsv(made));
  assertEquals(names, [...INCIDENT_COLUMNS]);
  assertEquals(row!.slice(2), [
    "2026-11-21-shop",
    "down",
    "2026-11-21T09:00:00+01:00",
    "",
    "1200",
    "1200",
    "0",
    '\'@SUM(1) "x"',
    "12",
  ]);
});

Deno.test("a report has the same tables for any site names, and no cell is a formula", async () => {
  const name = hostileText().filter((text) => plainText(text) !== "");
  await fc.assert(
    fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 4 }), async (names) => {
      const made = await monthReport(
        names.map((one): [string, Partial<Statistics>] => [one, KEPT]),
        names.map((error) => incident({ error })),
      );
      const { elements } = rendered(inEnglish(made, OWNER));
      const expected = (cells: number) => ["tr", ...Array.from({ length: cells }, () => "td")];
      const body = elements.slice(elements.indexOf("tbody") + 1, elements.lastIndexOf("h2"));
      assertEquals(body, names.flatMap(() => expected(10)));
      const [, ...rows] = parse(monthCsv(made));
      assertEquals(
        rows.map(([site]) => unescapeCell(site!)),
        made.sites.map(({ site }) => site.name),
      );
      for (const cells of [...rows, ...parse(monthIncidentsCsv(made))]) {
        assertEquals(cells.filter((cell) => /^[=+\-@\t\r]/.test(cell)), []);
      }
    }),
    { numRuns: runs(10, 80) },
  );
});

Deno.test("computeMonthReport() selects the incidents of a month, and the length of each within it", async () => {
  const at = (text: string) => Temporal.Instant.from(text);
  const incidents = new Map([
    ["before", incident({ start: at("2026-10-01T00:00:00Z"), end: at("2026-10-31T23:00:00Z") })],
    ["into", incident({ start: at("2026-10-31T22:30:00Z"), end: at("2026-10-31T23:10:00Z") })],
    [
      "twice",
      incident({
        start: at("2026-11-02T00:00:00Z"),
        ended: [at("2026-11-02T00:10:00Z")],
        reopened: [at("2026-11-02T00:20:00Z")],
        end: at("2026-11-02T00:25:00Z"),
      }),
    ],
    ["at once", incident({ start: at("2026-11-03T00:00:00Z"), end: at("2026-11-03T00:00:00Z") })],
    ["open", incident({ start: at("2026-11-30T22:00:00Z"), end: undefined })],
    ["after", incident({ start: at("2026-11-30T23:00:00Z"), end: undefined })],
  ]);
  const one = siteReport(await siteOf({ name: "Shop", url: "https://example.com" }));
  const { history } = one;
  const made = computeMonthReport(
    { ...report({ ...one, history: { ...history, incidents } }), time: MADE },
    MONTH,
  );
  assertEquals(
    made.incidents.map(({ id, seconds, within }) => [id, seconds / 60, within / 60]),
    [["into", 40, 10], ["twice", 15, 15], ["at once", 0, 0], ["open", 600, 60]],
  );
  const text = inEnglish(made, OWNER);
  assertStringIncludes(text, "| 40 minutes (10 minutes of it in this month) |");
  assertStringIncludes(text, "| ongoing | 10 hours (1 hour of it in this month) |");
  const data = printedData(monthJson(made));
  assertEquals([data.month, data.over, data.sites.length], ["2026-11", true, 1]);
  assertEquals(data.incidents[3], {
    name: "Shop",
    slug: "shop",
    id: "open",
    kind: "down",
    start: "2026-11-30T22:00:00.000Z",
    end: null,
    code: 0,
    cause: "connection refused",
    issue: 12,
    duration: 36_000,
    withinMonth: 3600,
  });
  assertMatch(data.from, /^2026-10-31T23:00/);
});
