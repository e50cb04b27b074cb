import { assertEquals } from "@std/assert";
import type { WindowName } from "../../../lib/history/windows.ts";
import { timeAxis } from "../../../templates/graph/graph_svg.ts";
import { HOUR } from "../../../lib/time.ts";
import { graph } from "../../helpers/graphs.ts";
import { statistics } from "../../helpers/reports.ts";

function labels(window: WindowName, timezone = "UTC"): string {
  return timeAxis(graph("busy", window, { timezone })).ticks.map(({ label }) => label).join(" ");
}

function labelsOf(from: string, hours: number, timezone: string): string {
  const start = Temporal.Instant.from(from).epochMilliseconds;
  const window = { from: start, to: start + hours * HOUR };
  const shown = graph("empty", "all", { timezone, statistics: statistics("all", { window }) });
  return timeAxis(shown).ticks.map(({ label }) => label).join(" ");
}

Deno.test("a day has ticks at full hours, and the date where it begins", () => {
  assertEquals(labels("day"), "12:00 15:00 18:00 21:00 Sat 21 03:00 06:00 09:00");
});

Deno.test("a week has its days, a month its Sundays, a year its months, with the year at January", () => {
  assertEquals(labels("week"), "Sun 15 Mon 16 Tue 17 Wed 18 Thu 19 Fri 20 Sat 21");
  assertEquals(labels("month"), "25 Oct 1 Nov 8 Nov 15 Nov");
  assertEquals(labels("year"), "Dec 2026 Feb Mar Apr May Jun Jul Aug Sep Oct Nov");
});

Deno.test("days begin where they begin in the zone, also one without a midnight", () => {
  const { ticks } = timeAxis(graph("busy", "day", { timezone: "Asia/Kolkata" }));
  const midnight = ticks.find(({ label }) => label === "Sat 21")!;
  assertEquals(midnight.time, Date.parse("2026-11-20T18:30:00Z"));
  assertEquals(labelsOf("2026-04-23T12:00:00Z", 24, "Africa/Cairo").includes("Fri 24"), true);
});

Deno.test("hours that a day skips have no tick, and hours that it has twice have one", () => {
  const spring = labelsOf("2026-03-28T23:00:00Z", 8, "Europe/Berlin");
  assertEquals(spring, "Sun 29 01:00 03:00 04:00 05:00 06:00 07:00 08:00 09:00");
  const autumn = labelsOf("2026-10-24T22:00:00Z", 8, "Europe/Berlin");
  assertEquals(autumn, "Sun 25 01:00 02:00 03:00 04:00 05:00 06:00 07:00");
});

Deno.test("labels of every length of time keep apart, from an instant to a century", () => {
  for (let hours = 0; hours < 900_000; hours = Math.ceil(hours * 1.7 + 0.3)) {
    for (const zone of ["UTC", "America/St_Johns", "Pacific/Apia"]) {
      const found = labelsOf("1970-02-03T04:05:06Z", hours, zone).split(" ").length;
      assertEquals(found >= 2 && found <= 48, true, `${hours} ${zone}: ${found}`);
    }
  }
});
