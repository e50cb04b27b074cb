import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Expected, PlannedWindow } from "../../../lib/history/maintenance.ts";
import {
  maintenanceJson,
  maintenanceList,
  maintenanceSoon,
} from "../../../templates/terminal/maintenance.ts";
import { printedData } from "../../helpers/printed_data.ts";
import { textWidth } from "../../../lib/text/columns.ts";
import { configOf } from "../../helpers/sites.ts";

const NOW = Temporal.Instant.from("2026-11-21T20:05:00Z");
const { sites } = await configOf(
  ["Shop", "Blog", "検索"].map((name) => ({ name, url: "https://example.com" })),
);
const OUTPUT = { sites, timezone: "Europe/Berlin", now: NOW, columns: 100 };

function windowOf(
  name: string,
  [start, until]: readonly [string, string],
  expected: Readonly<Record<string, Expected>>,
  more: Partial<PlannedWindow> = {},
): PlannedWindow {
  return {
    source: "configuration",
    name,
    start: Temporal.Instant.from(start),
    until: Temporal.Instant.from(until),
    sites: new Map(Object.entries(expected)),
    text: "",
    ...more,
  };
}

const MOVE = windowOf(
  "Moving",
  ["2026-11-21T19:00:00Z", "2026-11-21T21:35:00Z"],
  { shop: "down" },
  { source: "hand" },
);
const BACKUP = windowOf("Backup", ["2026-11-22T02:00:00Z", "2026-11-22T03:30:00Z"], {
  shop: "down",
  blog: "down",
  検索: "down",
});
const ROUTER = windowOf(
  "New\nrouter \x1b[31m",
  ["2026-12-24T21:00:00Z", "2026-12-26T21:00:00Z"],
  { shop: "degraded", gone: "none" },
  { source: "issue", issue: 12, text: "We replace it." },
);

Deno.test("maintenance is listed in the configured time zone, the ongoing windows first", () => {
  assertEquals(
    maintenanceList([MOVE, BACKUP, ROUTER], { ...OUTPUT, columns: 150 }),
    `In maintenance now
🔧 Moving, until 22:35 Europe/Berlin (1h 30m left): Shop; started by hand

Ahead
🔧 Backup, 2026-11-22 03:00 to 04:30 Europe/Berlin (in 5h 55m): Shop, Blog, 検索; configured
🔧 New router [31m, 2026-12-24 22:00 to 2026-12-26 22:00 Europe/Berlin (in 33d): Shop (may be degraded), gone (announced only); issue #12`,
  );
  const lines = maintenanceList([ROUTER], { ...OUTPUT, columns: 40 }).split("\n");
  assertEquals(lines.filter((line) => textWidth(line) > 40), []);
  assertStringIncludes(maintenanceList([], OUTPUT), "No maintenance is ongoing");
});

Deno.test("the status lists the maintenance of the next week, three windows at most", () => {
  const names = (windows: readonly PlannedWindow[]) =>
    maintenanceSoon(windows, OUTPUT).split("\n").map((line) => line.split(",")[0]);
  const many = Array.from({ length: 5 }, (_, number) => ({ ...BACKUP, name: `Backup ${number}` }));
  assertEquals(names([MOVE, BACKUP, ROUTER]), ["🔧 Moving", "🔧 Backup"]);
  assertEquals(names(many), ["🔧 Backup 0", "🔧 Backup 1", "🔧 Backup 2"]);
  assertEquals(maintenanceSoon([], OUTPUT), "");
});

Deno.test("maintenance is data for pages and calendars", () => {
  assertEquals(printedData(maintenanceJson([MOVE, ROUTER], NOW)), {
    running: [{
      name: "Moving",
      source: "hand",
      start: "2026-11-21T19:00:00.000Z",
      until: "2026-11-21T21:35:00.000Z",
      sites: { shop: "down" },
      issue: null,
      text: "",
    }],
    ahead: [{
      name: "New\nrouter \x1b[31m",
      source: "issue",
      start: "2026-12-24T21:00:00.000Z",
      until: "2026-12-26T21:00:00.000Z",
      sites: { shop: "degraded", gone: "none" },
      issue: 12,
      text: "We replace it.",
    }],
  });
});
