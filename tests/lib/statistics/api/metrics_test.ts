import { assert, assertEquals } from "@std/assert";
import { hostileText } from "../../../helpers/hostile_text.ts";
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
import { formatMetrics } from "../../../../lib/statistics/api/metrics.ts";

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

/** A value of a text in the format of OpenMetrics. */
interface MetricSample {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const ESCAPED = String.raw`(?:[^\n"\\]|\\["n\\])*`;
const LABEL = String.raw`[a-zA-Z_][a-zA-Z0-9_]*="${ESCAPED}"`;
const NUMBER = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|NaN|[+-]Inf`;
const DESCRIPTION = new RegExp(`^# (TYPE|UNIT|HELP) (${NAME}) (.+)$`);
const SAMPLE = new RegExp(`^(${NAME})(?:\\{((?:${LABEL}(?:,${LABEL})*)?)\\})? (${NUMBER})$`);
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  gauge: [""],
  info: ["_info"],
  summary: ["", "_count", "_sum"],
};

/**
 * The values of a text, validated by the specification (OpenMetrics 1.0, "ABNF" and "Overall
 * structure"): each family is described before its samples, once, without interruption.
 */
function parseOpenMetrics(text: string): MetricSample[] {
  assert(text.endsWith("# EOF\n"), "the text ends with # EOF");
  const lines = text.slice(0, -"# EOF\n".length).split("\n").slice(0, -1);
  const [samples, seen, families] = [[] as MetricSample[], new Set<string>(), new Set<string>()];
  let family = { name: "", type: "", described: new Set<string>(), hasSamples: true };
  for (const line of lines) {
    const description = DESCRIPTION.exec(line);
    if (description !== null) {
      const [, what, name, rest] = description;
      if (name !== family.name) {
        assert(family.hasSamples && !families.has(name!), line);
        families.add(name!);
        family = { name: name!, type: "", described: new Set(), hasSamples: false };
      }
      assert(!family.hasSamples && !family.described.has(what!), line);
      family.described.add(what!);
      if (what === "TYPE") family.type = rest!;
      if (what === "UNIT") assert(name!.endsWith(`_${rest}`), line);
      if (what === "HELP") assert(!/\\(?![n"\\])/.test(rest!), line);
      continue;
    }
    const [, name, pairs = "", value] = SAMPLE.exec(line) ?? [];
    assert(name !== undefined, `no sample: ${line}`);
    const suffixes = SUFFIXES[family.type];
    assert(suffixes?.some((suffix) => `${family.name}${suffix}` === name), line);
    const labels = labelsOf(pairs);
    assertEquals("quantile" in labels, family.type === "summary", line);
    const key = `${name}${JSON.stringify(Object.entries(labels).sort())}`;
    assert(!seen.has(key), `twice: ${line}`);
    seen.add(key);
    family.hasSamples = true;
    samples.push({ name, labels, value: Number(value) });
  }
  return samples;
}

function labelsOf(pairs: string): Record<string, string> {
  const found = [...pairs.matchAll(new RegExp(`([a-zA-Z_][a-zA-Z0-9_]*)="(${ESCAPED})"`, "g"))];
  const labels = found.map(([, name, text]): [string, string] => [
    name!,
    text!.replace(/\\(.)/g, (_, sign) => sign === "n" ? "\n" : sign),
  ]);
  assertEquals(new Set(labels.map(([name]) => name)).size, labels.length, pairs);
  return Object.fromEntries(labels);
}
