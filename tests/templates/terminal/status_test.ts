import fc from "../../helpers/property.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { textWidth } from "../../../lib/text/columns.ts";
import { plainText } from "../../../lib/text/plain_text.ts";
import type { Report, SiteReport } from "../../../lib/statistics/report/report.ts";
import type { Interval } from "../../../lib/statistics/timeline.ts";
import type { State } from "../../../lib/state.ts";
import { siteStatus, statusJson } from "../../../templates/terminal/site_status.ts";
import { statusTable } from "../../../templates/terminal/status.ts";
import { hostileText } from "../../helpers/hostile_text.ts";
import { outageSince } from "../../helpers/outage.ts";
import {
  locationReport,
  report,
  REPORT_TIME,
  responseTimes,
  siteReport,
  unknownSite,
  windows,
} from "../../helpers/reports.ts";
import { configOf, type Keys } from "../../helpers/sites.ts";
import { printedData } from "../../helpers/printed_data.ts";

const NOW = REPORT_TIME.epochMilliseconds;
const HOUR = 3_600_000;

/** Keys of a site, and the changes of its usual report. */
type KnownSite = [keys: Keys, known?: Partial<SiteReport> | "nothing"];

/** Sites of a configuration, each with its report. */
async function reportOn(...sites: readonly KnownSite[]): Promise<Report> {
  const { sites: read } = await configOf(
    sites.map(([keys]) => ({ url: "https://example.com", ...keys })),
  );
  return report(...read.map((site, index) => {
    const known = sites[index]![1];
    return known === "nothing" ? unknownSite(site) : siteReport(site, known);
  }));
}

/** The last result of a location. */
const LAST = { time: REPORT_TIME, state: "up", code: 200 } as const;

/** The history of a site with a check every hour and the given states, the last one up to now. */
function hourly(states: readonly State[], durations: readonly number[] = []): Partial<SiteReport> {
  const begin = NOW - states.length * HOUR;
  const intervals = states.map((state, index): Interval => ({
    from: begin + index * HOUR,
    to: begin + (index + 1) * HOUR,
    state,
  })).filter(({ state }) => state !== "unknown");
  const { samples, history } = siteReport({} as SiteReport["site"]);
  const checks = states.flatMap((state, index) =>
    state === "up" || state === "degraded"
      ? [{ time: begin + index * HOUR, state, ms: durations[index] ?? 100, isImported: false }]
      : []
  );
  return { history, samples: { ...samples, checks, intervals } };
}

const DOWN = { condition: "down" as const };

/** When a site went down that is. */
function downSince(site: SiteReport, minutes: number): SiteReport {
  const record = {
    ...site.record!,
    status: "down" as const,
    since: REPORT_TIME.subtract({ minutes }),
  };
  return { ...site, ...DOWN, record };
}

Deno.test("statusTable() shows each site's state and its start, and a sentence for all sites", async () => {
  const { sites, time } = await reportOn(
    [{ name: "Shop" }, { statistics: windows({ uptime: 0.9132 }) }],
    [{ name: "API" }, { statistics: windows({ responseTimes: responseTimes(95, { p95: 1043 }) }) }],
    [{ name: "New" }, "nothing"],
    [{ name: "Off", paused: true }],
  );
  const text = statusTable({ ...report(downSince(sites[0]!, 125), ...sites.slice(1)), time }, 140);
  const lines = text.split("\n");
  assertMatch(lines[0]!, /^ +up 24h {3}up 7d {2}up 30d {3}up 1y +p50 +p95 {2}last 24 h$/);
  assertMatch(
    lines[1]!,
    /^✘ Shop {2}down 2h 5m {2}91\.32% {2}91\.32% {2}91\.32% {2}91\.32% {2}123 ms {4}123 ms$/,
  );
  assertMatch(lines[2]!, /^✔ API {3}up 40d {6}.* 100% .* 95 ms {2}1,043 ms$/);
  assertMatch(lines[3]!, /^\? New {3}no data( +–){6}$/);
  assertMatch(lines[4]!, /^‖ Off {3}paused {2}/);
  assertEquals(lines.at(-1), "1 up, 1 down, 1 paused, 1 without data. Last checked 10:05 UTC.");
  assert(!/\b0%/.test(text));
});

Deno.test("statusTable() has a sentence for any sites", async () => {
  const last = async (...sites: KnownSite[]) =>
    statusTable(await reportOn(...sites), 80).split("\n").at(-1);
  assertEquals(await last([{}]), "1 up. Last checked 10:05 UTC.");
  assertEquals(await last([{}], [{}]), "all up. Last checked 10:05 UTC.");
  assertMatch(
    (await last([{}, "nothing"], [{}, "nothing"]))!,
    /^all without data. No site has been checked yet/,
  );
  assertEquals(
    statusTable(report(), 80),
    "There is nothing to monitor: the configuration has no sites.",
  );
  const { sites } = await reportOn([{}]);
  assertEquals(
    statusTable({ ...report(...sites), time: REPORT_TIME.add({ hours: 50 }) }, 80).split("\n").at(
      -1,
    ),
    "1 up. Last checked 2026-11-21 10:05 UTC, 2 days 2 hours ago.",
  );
});

Deno.test("statusTable() draws the last 24 hours: medians, outages, maintenance and gaps", async () => {
  const states = Array.from({ length: 24 }, (_, hour): State => {
    if (hour < 2) return "unknown";
    return hour === 10 || hour === 11 ? "down" : hour === 12 ? "maintenance" : "up";
  });
  const durations = states.map((_, hour) => hour === 20 ? 800 : 100);
  const line = (text: string) => text.split("\n")[1]!.replace(/^.*\d ms {2}/, "");
  const steady = await reportOn([{}, hourly(states)]);
  assertEquals(line(statusTable(steady, 140)), "  ▄▄▄▄▄▄▄▄××•▄▄▄▄▄▄▄▄▄▄▄");
  const slow = await reportOn([{}, hourly(states, durations)]);
  assertEquals(line(statusTable(slow, 140)), "  ▁▁▁▁▁▁▁▁××•▁▁▁▁▁▁▁█▁▁▁");
});

Deno.test("statusTable() shows objectives, their remaining budgets and incomplete coverage", async () => {
  const objective = (left: number) => ({ target: 0.999, isMet: left >= 0, budget: 2592, left });
  const text = statusTable(
    await reportOn(
      [{ name: "Kept" }, { statistics: windows({ objective: objective(1680) }) }],
      [{ name: "Missed" }, { statistics: windows({ objective: objective(-900) }) }],
      [{ name: "Young" }, {
        statistics: windows({ objective: { target: 0.999, isMet: false } }),
      }],
      [{ name: "Strict" }, {
        statistics: windows({ objective: { target: 1, isMet: true, budget: 0, left: 0 } }),
      }],
      [{ name: "Unseen" }, {
        statistics: windows((name) => ({ coverage: name === "week" ? 0.624 : 0.993 })),
      }],
    ),
    150,
  );
  assertMatch(text, /^ .* SLO {4}budget {2}coverage {2}last 24 h$/m);
  assertMatch(text, /^✔ Kept .* 99\.9% {2}28m left$/m);
  assertMatch(text, /^✔ Missed .* 99\.9% {2}15m over$/m);
  assertMatch(text, /^✔ Young .* 99\.9%$/m);
  assertMatch(text, /^✔ Strict .* 100% +none$/m);
  assertMatch(text, /^✔ Unseen .* 62% 7d$/m);
});

Deno.test("statusTable() puts sites under their groups, those without one first", async () => {
  const text = statusTable(
    await reportOn([{ name: "A", group: "Back end" }], [{ name: "B" }], [{
      name: "C",
      group: "Back end",
    }]),
    80,
  );
  const beginnings = text.split("\n").slice(1, -2).map((line) => line.split("  ")[0]);
  assertEquals(beginnings, ["✔ B", "", "Back end", "✔ A", "✔ C"]);
});

for (const columns of [60, 80, 139, 140]) {
  Deno.test(`statusTable() fits into ${columns} columns, and its columns are aligned`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(hostileText().filter((name) => plainText(name) !== ""), {
          minLength: 1,
          maxLength: 5,
        }),
        async (names) => {
          const up = hourly(Array.from({ length: 24 }, () => "up" as const));
          const all = await reportOn(
            ...names.map((
              name,
              index,
            ): KnownSite => [{ name, slug: `site-${index}`, group: "日本" }, up]),
          );
          const lines = statusTable(all, columns).split("\n").slice(0, -2);
          const rows = lines.filter((line) => line.startsWith("✔"));
          assertEquals(rows.length, names.length);
          for (const line of lines) assert(textWidth(line) <= columns, line);
          assertEquals(new Set(rows.map(textWidth)).size, 1);
        },
      ),
    );
  });
}

Deno.test("siteStatus() shows every window of one site, its last day and its incidents", async () => {
  const { sites } = await reportOn([
    { name: "Shop", link: "https://shop.example.com" },
    {
      ...hourly(Array.from({ length: 24 }, () => "up" as const)),
      statistics: windows((name) => name === "day" ? { uptime: undefined, observed: 0 } : {}),
    },
  ]);
  const start = REPORT_TIME.subtract({ minutes: 125 });
  const incident = outageSince(start, { error: "connection\nrefused \u202e", issue: 12 });
  const [site] = sites;
  site!.history = { ...site!.history, incidents: new Map([["2026-11-21-shop", incident]]) };
  const text = siteStatus(downSince(site!, 125), REPORT_TIME, 80);
  assertStringIncludes(text, "Shop  http  https://shop.example.com\n");
  assertStringIncludes(text, "\n✘ down for 2 hours 5 minutes, since 2026-11-21 08:00 UTC\n");
  assertMatch(text, /^ +24h +7d +30d +1y +all$/m);
  assertMatch(text, /^uptime +no data +100% +100% +100% +100%$/m);
  assertMatch(text, /^p95( +123 ms){5}$/m);
  assertMatch(text, /^last 24 hours\n▄{48}$/m);
  assertMatch(text, /^✘ down: connection refused {2}2026-11-21 08:00 {2}2h 5m {2}#12$/m);
  for (const columns of [60, 80]) {
    for (const line of siteStatus(site!, REPORT_TIME, columns).split("\n").slice(6)) {
      assert(textWidth(line) <= Math.max(columns, 31), line);
    }
  }
  const { sites: [unknown] } = await reportOn([{ name: "New" }, "nothing"]);
  assertMatch(siteStatus(unknown!, REPORT_TIME, 80), /^New {2}http .*\n\n\? no data$/);
});

Deno.test("an incident that several locations see is one sentence", async () => {
  const { sites: [site] } = await reportOn([{ name: "Shop" }, hourly(["up"])]);
  const start = REPORT_TIME.subtract({ minutes: 125 });
  const incident = outageSince(start, { error: "down in Rome and Oslo (up in Bonn): reset" });
  site!.history = { ...site!.history, incidents: new Map([["2026-11-21-shop", incident]]) };
  assertMatch(
    siteStatus(site!, REPORT_TIME, 90),
    /^✘ down in Rome and Oslo \(up in Bonn\): reset {2}2026-11-21 08:00 {2}2h 5m$/m,
  );
});

Deno.test("the status of a site lists its locations, the worst first, and says which have no result", async () => {
  const slow = windows({ responseTimes: responseTimes(900) });
  const locations = [
    locationReport("Virginia"),
    locationReport("Sydney", { statistics: slow }),
    locationReport("Oslo", { state: "unknown", last: undefined }),
    locationReport("Lima", {
      state: "unknown",
      last: { ...LAST, time: REPORT_TIME.subtract({ hours: 7 }) },
    }),
    locationReport("São Paulo", {
      state: "down",
      last: { ...LAST, state: "down", error: "refused\n" },
    }),
  ];
  const shown = await reportOn([{ name: "Shop" }, { locations }]);
  const text = siteStatus(shown.sites[0]!, REPORT_TIME, 100);
  const lines = text.slice(text.indexOf("  locations")).split("\n").slice(0, 6);
  assertEquals(lines, [
    "  locations           up 24h    mean     p95",
    "✘ São Paulo  down       100%  123 ms  123 ms  refused",
    "? Oslo       unknown    100%  123 ms  123 ms  no result yet",
    "? Lima       unknown    100%  123 ms  123 ms  no result since 2026-11-21 03:05 UTC",
    "✔ Sydney     up         100%  900 ms  900 ms",
    "✔ Virginia   up         100%  123 ms  123 ms",
  ]);
  const [json] = printedData(statusJson(shown)).sites;
  const { windows: ofWindows, ...first } = json.locations[4];
  assertEquals(first, {
    name: "São Paulo",
    state: "down",
    lastUpdated: "2026-11-21T10:05:00.000Z",
    cause: "refused",
  });
  assertEquals(Object.keys(ofWindows.day), ["coverage", "uptime", "checks", "responseTime"]);
  const alone = await reportOn([{ name: "Shop" }]);
  assert(!siteStatus(alone.sites[0]!, REPORT_TIME, 80).includes("locations"));
  assert(!JSON.stringify(statusJson(alone)).includes("locations"));
});

Deno.test("statusJson() contains the same data, without hidden addresses", async () => {
  const data = printedData(statusJson(
    await reportOn(
      [{ name: "Shop", group: "Shops" }, {
        statistics: windows({
          objective: { target: 0.999, isMet: true, budget: 2592, left: 1680 },
        }),
      }],
      [{ name: "New", hideUrl: true }, "nothing"],
    ),
  ));
  assertEquals(data.time, "2026-11-21T10:05:00.000Z");
  const [shop, unknown] = data.sites;
  assertEquals([shop.state, shop.group, shop.since], ["up", "Shops", "2026-10-12T10:05:00.000Z"]);
  assertEquals(Object.keys(shop.windows), ["day", "week", "month", "quarter", "year", "all"]);
  assertEquals([shop.windows.day.uptime, shop.windows.day.responseTime.p95], [1, 123]);
  assertEquals(shop.windows.month.objective, {
    target: 0.999,
    met: true,
    budget: 2592,
    left: 1680,
  });
  assertEquals([unknown.state, unknown.address, unknown.lastChecked], [null, null, null]);
  assertEquals([unknown.windows.day.uptime, unknown.windows.day.coverage], [null, null]);
});
