import { assertEquals } from "@std/assert";
import { report, siteReport } from "../../helpers/reports.ts";
import { configOf, type Keys } from "../../helpers/sites.ts";
import { outageSince } from "../../helpers/outage.ts";
import type { Config, Site } from "../../../lib/config/config.ts";
import { toSubscribers } from "../../../lib/notifications/channel_list.ts";
import { parseMessageEffect } from "../../../lib/notifications/message_effects.ts";
import type { Effect } from "../../../lib/outbox/effect.ts";
import { dropOld, type Entry, settle } from "../../../lib/outbox/outbox.ts";
import { planReports } from "../../../lib/pipeline/channel_reports.ts";
import { selectSamples } from "../../../lib/statistics/samples.ts";
import { LANGUAGE } from "../../helpers/languages.ts";

const HOUR = 3_600_000;
const MONDAY = "2026-11-30T23:00:00Z";
const SLACK = { type: "slack", "webhook-url": "$SLACK" };

/** Outages of a site: a start, and its length in hours. */
type Outages = readonly (readonly [start: string, hours: number])[];

/** The report of a site with a check each half hour from a time on. */
function measured(site: Site, now: Temporal.Instant, from: string, outages: Outages = []) {
  const times = outages.map(([start, hours]) => {
    const first = Temporal.Instant.from(start);
    return { start: first, end: first.add({ minutes: 60 * hours }) };
  });
  const first = Date.parse(from);
  const count = Math.max(0, Math.floor((now.epochMilliseconds - first) / HOUR * 2));
  const checks = Array.from({ length: count }, (_, index) => {
    const time = first + index * HOUR / 2;
    const isDown = times.some(({ start, end }) =>
      start.epochMilliseconds <= time && time < end.epochMilliseconds
    );
    return { time, state: isDown ? "down" as const : "up" as const, isImported: false };
  });
  const history = {
    ...{ slug: site.slug, first, checks, days: [], maintenance: [] },
    incidents: new Map(times.map(({ start, end }, index) => [
      `incident-${index}`,
      outageSince(start, { slug: site.slug, end }),
    ])),
  };
  const samples = selectSamples(history, { maxGap: HOUR, now: now.epochMilliseconds });
  return siteReport(site, { history, samples });
}

/** Plans the reports of a configuration; `sites` have outages, or the start of their checks. */
function plan(
  config: Config,
  now: string,
  { outages = {}, starts = {} }: {
    outages?: Readonly<Record<string, Outages>>;
    starts?: Readonly<Record<string, string>>;
  } = {},
): Effect[] {
  const time = Temporal.Instant.from(now);
  const sites = config.sites.map((site) =>
    measured(site, time, starts[site.slug] ?? "2026-09-01T00:00Z", outages[site.slug])
  );
  return planReports(report(...sites), {
    ...{ channels: toSubscribers(config), timezone: config.timezone },
    ...{ monitor: "acme/status", language: LANGUAGE, now: time },
  });
}

/** What the effects say: the headline, the line about all, and that of each site. */
function textOf(effect: Effect | undefined): string[] {
  const [event] = parseMessageEffect(effect?.data)?.message.events ?? [];
  return event === undefined
    ? []
    : [event.title!, event.error, ...event.figures!.map(({ name, text }) => `${name}: ${text}`)];
}

function configWith(channel: Keys, sites: readonly Keys[] = [{ name: "Shop" }], top: Keys = {}) {
  const all = sites.map((site) => ({ url: "https://shop.example", ...site }));
  return configOf(all, { ...top, notifications: [channel] });
}

Deno.test("each week and month is reported once, whenever runs come and if some are missed", async () => {
  for (const timezone of ["UTC", "Europe/Vienna", "Asia/Kolkata"]) {
    const config = await configWith({ ...SLACK, report: ["week", "month"] }, undefined, {
      timezone,
    });
    for (const misses of [[], ["2026-11-01", "2026-11-09", "2026-11-30"]]) {
      let outbox: Entry[] = [];
      const sent: string[] = [];
      for (let hour = 0; hour < 24 * 40; hour += 4) {
        const now = Temporal.Instant.from("2026-10-27T03:00Z").add({ hours: hour });
        outbox = dropOld(outbox, now);
        if (misses.some((day) => now.toString().startsWith(day))) continue;
        const known = new Set(outbox.map(({ id }) => id));
        const planned = plan(config, now.toString()).filter(({ id }) => !known.has(id));
        outbox = settle(
          [...outbox, ...planned.map((effect) => ({ ...effect, planned: now }))],
          planned.map(({ id }) => ({ id, receipt: {} })),
          now.add({ minutes: 5 }),
        );
        sent.push(...planned.map(({ id }) => id.replace(/.*\//, "")));
      }
      const weeks = [43, 44, 45, 46, 47, 48].map((week) => `2026-W${week}`);
      assertEquals(sent.toSorted(), ["2026-10", "2026-11", ...weeks], `${timezone} ${misses}`);
    }
  }
});

Deno.test("a report has the sites of the channel's route, whatever events it wants", async () => {
  const sites = [
    { name: "Shop", group: "Sales" },
    { name: "Blog", severity: "warning", tags: ["web"] },
    { name: "Lab", tags: ["lab"], notifications: [{ ...SLACK, "webhook-url": "$LAB" }] },
  ];
  const cases: [keys: Keys, names: string[]][] = [
    [{ on: [] }, ["Shop", "Blog", "Lab"]],
    [{ severity: "critical" }, ["Shop", "Blog", "Lab"]],
    [{ tags: ["!lab"] }, ["Shop", "Blog"]],
    [{ groups: ["Sales"] }, ["Shop"]],
  ];
  for (const [keys, names] of cases) {
    const config = await configWith({ ...SLACK, ...keys, report: "week" }, sites);
    const [effect, ...others] = plan(config, MONDAY);
    assertEquals(others, []);
    assertEquals(
      textOf(effect).slice(2).map((line) => line.split(":")[0]),
      names,
      JSON.stringify(keys),
    );
  }
  const lab = { ...SLACK, "webhook-url": "$LAB", report: "month" };
  const own = await configWith(SLACK, [{ name: "Shop" }, { name: "Lab", notifications: [lab] }]);
  const [effect] = plan(own, "2026-12-01T23:00Z");
  assertEquals(textOf(effect), [
    "November 2026: no outages of Lab",
    "From 2026-11-01 to 2026-11-30, UTC",
    "Lab: 100% uptime, no outages",
  ]);
});

Deno.test("a report counts outages and objectives, the worst site first and unknown ones last", async () => {
  const sites = [
    { name: "New", slug: "new" },
    { name: "Good", slo: 99 },
    { name: "Bad", slo: 99.9 },
    { name: "Worst" },
    { name: "Paused", slug: "paused", paused: true },
  ];
  const config = await configWith({ ...SLACK, report: "week" }, sites, {
    timezone: "Europe/Vienna",
  });
  const starts = { new: MONDAY, paused: MONDAY };
  const outages = {
    bad: [["2026-11-24T10:00Z", 1], ["2026-11-26T10:00Z", 1.5]],
    // It starts on the Sunday before, and the week at midnight in Vienna.
    worst: [["2026-11-22T20:00Z", 4], ["2026-11-27T10:00Z", 12]],
  } as const;
  const [effect] = plan(config, MONDAY, { starts, outages });
  assertEquals(textOf(effect), [
    "Week of 2026-11-23: 4 outages of 2 of 4 sites, 15 hours 30 minutes",
    "From 2026-11-23 to 2026-11-29, Europe/Vienna; 1 of 2 objectives missed",
    "Worst: 92.26% uptime, 2 outages (13 hours)",
    "Bad: 98.51% uptime, 2 outages (2 hours 30 minutes), objective of 99.9% missed",
    "Good: 100% uptime, no outages, objective of 99% met",
    "New: no data",
  ]);
  const { id, handler, queue, description, expires, data } = effect!;
  const [key] = toSubscribers(config).map(({ key }) => key);
  assertEquals([id, handler, queue], [`report/${key}/2026-W48`, "report", `report/${key}`]);
  assertEquals(description, "send slack the report of 2026-W48");
  assertEquals(expires?.toString(), "2026-12-06T23:00:00Z");
  assertEquals(data["timezone"], "Europe/Vienna");
});

Deno.test("nothing is reported two days after a period, of one without data, or to services for incidents", async () => {
  const config = await configWith({ ...SLACK, report: "week" });
  assertEquals(plan(config, "2026-12-01T23:59:59Z").length, 1);
  assertEquals(plan(config, "2026-12-02T00:00:00Z"), []);
  assertEquals(plan(config, MONDAY, { starts: { shop: "2026-11-30T00:00Z" } }), []);
  const pager = { type: "pagerduty", "integration-key": "$PAGER", report: "week" };
  assertEquals(plan(await configWith(pager), MONDAY), []);
});
