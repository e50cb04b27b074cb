import { assertEquals } from "@std/assert";
import { formatMetrics } from "../../../../lib/statistics/api/metrics.ts";
import { hostileText } from "../../../helpers/hostile_text.ts";
import { parseOpenMetrics } from "../../../helpers/open_metrics.ts";
import { siteNamed } from "../../../helpers/outcomes.ts";
import fc from "../../../helpers/property.ts";
import {
  FIRST,
  report,
  siteReport,
  statistics,
  unknownSite,
  windows,
} from "../../../helpers/reports.ts";

const SHOP = await siteNamed("Shop", "shop", { group: "Front" });

/** The values of a report by their names and labels. */
function values(...sites: Parameters<typeof report>): Record<string, number> {
  const samples = parseOpenMetrics(formatMetrics(report(...sites)));
  return Object.fromEntries(
    samples.map(({ name, labels: { site, ...others }, value }) => [
      [name.replace(/^monitor_/, ""), site, ...Object.values(others)].join(" "),
      value,
    ]),
  );
}

Deno.test("metrics contain the state and the figures of each site", async () => {
  const api = await siteNamed("API", "api");
  const { record } = siteReport(api);
  const down = siteReport(api, {
    condition: "down",
    record: {
      ...record!,
      status: "down",
      responseTime: 0,
      since: FIRST,
      incident: "2026-11-21-api",
    },
    statistics: {
      ...windows(),
      day: statistics("day", { uptime: 0.99999999, coverage: 0.5, outages: 2 }),
    },
  });
  const all = values(siteReport(SHOP), down);
  const shown = Object.entries(all).filter(([key]) =>
    !/ (?:week|month|quarter|year|all)\b/.test(key)
  );
  assertEquals(Object.fromEntries(shown), {
    "site_info shop Shop Front": 1,
    "site_info api API": 1,
    "up shop": 1,
    "up api": 0,
    "degraded shop": 0,
    "degraded api": 0,
    "incident_open shop": 0,
    "incident_open api": 1,
    "last_check_timestamp_seconds shop": 1795255500,
    "last_check_timestamp_seconds api": 1795255500,
    "response_time_seconds shop": 0.123,
    "window_response_time_seconds shop day 0.5": 0.123,
    "window_response_time_seconds shop day 0.95": 0.123,
    "window_response_time_seconds shop day 0.99": 0.123,
    "window_response_time_seconds api day 0.5": 0.123,
    "window_response_time_seconds api day 0.95": 0.123,
    "window_response_time_seconds api day 0.99": 0.123,
    "uptime_ratio shop day": 1,
    "uptime_ratio api day": 0.999999,
    "coverage_ratio shop day": 1,
    "coverage_ratio api day": 0.5,
    "outages shop day": 0,
    "outages api day": 2,
  });
  assertEquals(Object.keys(all).filter((key) => key.startsWith("uptime_ratio shop")).length, 6);
});

Deno.test("the metrics of a site without data contain its name and no values", () => {
  assertEquals(values(unknownSite(SHOP)), { "site_info shop Shop Front": 1 });
  assertEquals(formatMetrics(report()), "# EOF\n");
});

Deno.test("metrics are valid whatever the site names contain", () => {
  fc.assert(
    fc.property(hostileText(), hostileText(), (name, group) => {
      const site = { ...SHOP, name, group };
      const [info] = parseOpenMetrics(formatMetrics(report(siteReport(site))));
      assertEquals(info!.labels, {
        site: "shop",
        name: name.toWellFormed(),
        group: group.toWellFormed(),
      });
    }),
  );
});
