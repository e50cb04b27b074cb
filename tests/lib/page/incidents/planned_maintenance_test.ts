import { assertEquals } from "@std/assert";
import { parseMaintenance, type PlannedWindow } from "../../../../lib/history/maintenance.ts";
import { plannedMaintenance } from "../../../../lib/page/incidents.ts";

const NOW = Temporal.Instant.from("2026-11-21T10:05:00Z");

/** A window of an hour that begins some hours from now. */
function windowIn(
  hours: number,
  name: string,
  source: PlannedWindow["source"] = "configuration",
): PlannedWindow {
  const start = NOW.add({ hours });
  const sites = new Map([["shop", "down" as const]]);
  return { source, name, start, until: start.add({ hours: 1 }), sites, text: "" };
}

Deno.test("of maintenance that comes again and again the next three windows are told, and how many follow", () => {
  const backups = Array.from({ length: 5 }, (_, index) => windowIn(1 + 24 * index, "Backup"));
  const move = windowIn(30, "Move");
  const { going, ahead } = plannedMaintenance([...backups, move], new Map(), NOW);
  assertEquals(going, []);
  assertEquals(
    ahead.map(({ next, more, last }) => [next.map(({ window }) => window.name), more, last]),
    [[["Backup", "Backup", "Backup"], 2, backups[4]], [["Move"], 0, move]],
  );
});

Deno.test("what people announce is never taken for one series", () => {
  const windows = [windowIn(1, "Move", "issue"), windowIn(25, "Move", "issue")];
  assertEquals(plannedMaintenance(windows, new Map(), NOW).ahead.length, 2);
});

Deno.test("a window that goes on or is ahead is known by its file", () => {
  const going = windowIn(0, "Move", "hand");
  const ahead = windowIn(2, "Router", "issue");
  const file = (window: PlannedWindow) =>
    parseMaintenance(
      `kind: maintenance\nsource: ${window.source}\nname: ${window.name}\nstart: ${window.start}\nuntil: ${window.until}\nsites:\n  shop: down\n`,
    )!;
  const incidents = new Map([["a", file(going)], ["b", file(ahead)]]);
  const planned = plannedMaintenance([going, ahead], incidents, NOW);
  assertEquals(planned.going.map(({ id }) => id), ["a"]);
  assertEquals(planned.ahead.map(({ next }) => next.map(({ id }) => id)), [["b"]]);
});
