import { assertEquals, assertStringIncludes } from "@std/assert";
import { parseStoredIncident, type StoredIncident } from "../../../lib/history/stored_incidents.ts";
import {
  computeLength,
  listIncidentMonths,
  listOpenIncidents,
  listPastDays,
  listPastMaintenance,
  splitMaintenance,
} from "../../../lib/page/incidents.ts";
import { incidentList } from "../../../templates/terminal/incidents.ts";
import { parseMaintenance, type PlannedWindow } from "../../../lib/history/maintenance.ts";

const NOW = Temporal.Instant.from("2026-11-21T10:05:00Z");

function incidentsOf(texts: Readonly<Record<string, string>>): Map<string, StoredIncident> {
  return new Map(
    Object.entries(texts).map((
      [id, text],
    ) => [id, parseStoredIncident(text.replaceAll(", ", "\n"))!]),
  );
}

/** The file of an outage: `slug`, `start`, and further keys. */
function outage(slug: string, start: string, more = "", kind = "down"): string {
  return `slug: ${slug}, kind: ${kind}, start: ${start}, confirmed: ${start}${more}`;
}

const REPORT = { time: NOW, sites: [], maintenance: [] };

function listDays(incidents: ReadonlyMap<string, StoredIncident>, zone: string, days: number) {
  return listPastDays(incidents, NOW, zone, days).map((
    { date, started, continued },
  ) => [date, started.map(([id]) => id), continued.map(([id]) => id)]);
}

Deno.test("an outage that starts after the page's time, because a clock was ahead, is open and not planned", () => {
  const incidents = incidentsOf({ early: outage("shop", "2026-11-21T10:55:00Z") });
  assertEquals(listOpenIncidents(incidents, REPORT).map(([id]) => id), ["early"]);
  assertEquals(computeLength(incidents.get("early")!, NOW), 0);
  const shown = incidentList(incidents, { now: NOW, columns: 80, sites: [] });
  assertStringIncludes(shown, "1 incident is open");
});

Deno.test("a day lists the incidents that started on it, and those that continued into it", () => {
  const incidents = incidentsOf({
    long: outage("shop", "2026-11-18T23:00:00Z", ", end: 2026-11-20T01:00:00Z"),
    short: outage("blog", "2026-11-20T08:00:00Z", ", end: 2026-11-20T08:05:00Z"),
    open: outage("wiki", "2026-11-20T09:00:00Z"),
    old: outage("wiki", "2026-11-01T09:00:00Z", ", end: 2026-11-01T10:00:00Z"),
  });
  assertEquals(listDays(incidents, "UTC", 4), [
    ["2026-11-21", [], ["open"]],
    ["2026-11-20", ["open", "short"], ["long"]],
    ["2026-11-19", [], ["long"]],
    ["2026-11-18", ["long"], []],
  ]);
});

Deno.test("days follow the time zone, also when clocks change", () => {
  const incidents = incidentsOf({
    late: outage("shop", "2026-11-20T23:30:00Z", ", end: 2026-11-20T23:40:00Z"),
  });
  assertEquals(listDays(incidents, "Europe/Berlin", 2), [
    ["2026-11-21", ["late"], []],
    ["2026-11-20", [], []],
  ]);
  const autumn = incidentsOf({
    last: outage("shop", "2026-10-25T22:30:00Z", ", end: 2026-10-25T22:40:00Z"),
  });
  const [, day] = listPastDays(
    autumn,
    Temporal.Instant.from("2026-10-26T12:00:00Z"),
    "Europe/Berlin",
    2,
  );
  assertEquals([day!.date, day!.started.length], ["2026-10-25", 1]);
});

Deno.test("a reopened incident is not listed on the days between its end and its reopening", () => {
  const incidents = incidentsOf({
    twice: outage(
      "shop",
      "2026-11-18T10:00:00Z",
      ", end: 2026-11-20T10:10:00Z, reopened: [2026-11-20T10:00:00Z], ended: [2026-11-18T10:10:00Z]",
    ),
  });
  assertEquals(listDays(incidents, "UTC", 4), [
    ["2026-11-21", [], []],
    ["2026-11-20", [], ["twice"]],
    ["2026-11-19", [], []],
    ["2026-11-18", ["twice"], []],
  ]);
  assertEquals(computeLength(incidents.get("twice")!, NOW), 1200);
});

Deno.test("maintenance is not listed as an incident, and canceled windows are not listed at all", () => {
  const window = (start: string, end?: string) =>
    `kind: maintenance, source: hand, name: Move, start: ${start}, until: 2026-12-01T00:00:00Z, sites: {shop: down}` +
    (end === undefined ? "" : `, end: ${end}`);
  const incidents = incidentsOf({
    done: window("2026-11-20T08:00:00Z", "2026-11-20T09:00:00Z"),
    off: window("2026-11-19T08:00:00Z", "2026-11-19T08:00:00Z"),
    going: window("2026-11-21T08:00:00Z"),
  });
  assertEquals(listDays(incidents, "UTC", 3).flatMap(([, started]) => started), []);
  assertEquals(listOpenIncidents(incidents, REPORT), []);
  assertEquals(listPastMaintenance(incidents, NOW).map(([id]) => id), ["done"]);
  assertEquals(computeLength(incidents.get("going")!, NOW), 7500);
});

Deno.test("open incidents are listed with outages first, then manual incidents, then degradations, and of each with updates first", () => {
  const incidents = incidentsOf({
    slow: outage("shop", "2026-11-21T10:00:00Z", "", "degraded"),
    old: outage("blog", "2026-11-20T10:00:00Z"),
    new: outage("wiki", "2026-11-21T09:00:00Z"),
    said: outage(
      "mail",
      "2026-11-19T10:00:00Z",
      ", updates:\n  - at: 2026-11-19T11:00:00.000Z\n    text: We look.",
    ),
    // Announced after the last check.
    notice: "kind: manual, name: Slow banks, start: 2026-11-21T10:07:00Z, issue: 3",
    over: outage("blog", "2026-11-21T08:00:00Z", ", end: 2026-11-21T08:10:00Z"),
  });
  const order = listOpenIncidents(incidents, REPORT).map(([id]) => id);
  assertEquals(order, ["said", "new", "old", "notice", "slow"]);
  assertEquals(computeLength(incidents.get("notice")!, NOW), 0);
});

Deno.test("months, their days and their incidents are listed newest first", () => {
  const at = (time: string) => outage("shop", time, `, end: ${time}`);
  const incidents = incidentsOf({
    a: at("2025-12-31T23:30:00Z"),
    b: at("2026-11-02T08:00:00Z"),
    c: at("2026-11-02T09:00:00Z"),
    d: at("2026-11-03T09:00:00Z"),
  });
  const months = (zone: string) =>
    listIncidentMonths(incidents, (time) => time.toZonedDateTimeISO(zone).toPlainDate().toString())
      .map(({ month, count, days }) => [
        month,
        count,
        ...[...days].map(([date, own]) => `${date}: ${own.map(([id]) => id)}`),
      ]);
  assertEquals(months("UTC"), [
    ["2026-11", 3, "2026-11-03: d", "2026-11-02: c,b"],
    ["2025-12", 1, "2025-12-31: a"],
  ]);
  assertEquals(months("Europe/Berlin").at(1), ["2026-01", 1, "2026-01-01: a"]);
});

const PLAN_TIME = Temporal.Instant.from("2026-11-21T10:05:00Z");

/** A window of one hour that starts some hours from now. */
function windowIn(
  hours: number,
  name: string,
  source: PlannedWindow["source"] = "configuration",
): PlannedWindow {
  const start = PLAN_TIME.add({ hours });
  const sites = new Map([["shop", "down" as const]]);
  return { source, name, start, until: start.add({ hours: 1 }), sites, text: "" };
}

Deno.test("of recurring maintenance the next three windows are listed, with the number of further ones", () => {
  const backups = Array.from({ length: 5 }, (_, index) => windowIn(1 + 24 * index, "Backup"));
  const move = windowIn(30, "Move");
  const { going, ahead } = splitMaintenance([...backups, move], new Map(), PLAN_TIME);
  assertEquals(going, []);
  assertEquals(
    ahead.map(({ next, more, last }) => [next.map(({ window }) => window.name), more, last]),
    [[["Backup", "Backup", "Backup"], 2, backups[4]], [["Move"], 0, move]],
  );
});

Deno.test("announced maintenance is never treated as a recurring series", () => {
  const windows = [windowIn(1, "Move", "issue"), windowIn(25, "Move", "issue")];
  assertEquals(splitMaintenance(windows, new Map(), PLAN_TIME).ahead.length, 2);
});

Deno.test("an ongoing or planned maintenance window is matched with its file", () => {
  const going = windowIn(0, "Move", "hand");
  const ahead = windowIn(2, "Router", "issue");
  const file = (window: PlannedWindow) =>
    parseMaintenance(
      `kind: maintenance\nsource: ${window.source}\nname: ${window.name}\nstart: ${window.start}\nuntil: ${window.until}\nsites:\n  shop: down\n`,
    )!;
  const incidents = new Map([["a", file(going)], ["b", file(ahead)]]);
  const planned = splitMaintenance([going, ahead], incidents, PLAN_TIME);
  assertEquals(planned.going.map(({ id }) => id), ["a"]);
  assertEquals(planned.ahead.map(({ next }) => next.map(({ id }) => id)), [["b"]]);
});
