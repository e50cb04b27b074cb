import { assertEquals } from "@std/assert";
import { parseStoredIncident } from "../../../lib/history/stored_incidents.ts";
import { findChartDays } from "../../../lib/page/outages.ts";

const NOW = Temporal.Instant.from("2026-11-21T10:05:00Z");

Deno.test("charts need the single checks of four weeks, and of the days around each incident", () => {
  const incidents = [
    "slug: shop\nkind: down\nstart: 2026-10-10T00:30:00Z\nconfirmed: 2026-10-10T00:31:00Z\nend: 2026-10-10T22:45:00Z\n",
    "kind: manual\nissue: 1\nname: Slow\nsites: []\nstart: 2026-10-14T23:30:00Z\nend: 2026-10-16T10:00:00Z\n",
    "kind: maintenance\nname: Disks\nsource: issue\nsites: {}\nstart: 2026-10-18T10:00:00Z\nuntil: 2026-10-18T11:00:00Z\n",
  ].map((text) => parseStoredIncident(text)!);
  const isWanted = findChartDays(incidents, NOW);
  const october = Array.from({ length: 31 }, (_, index) => index + 1);
  assertEquals(october.filter((day) => isWanted(Date.UTC(2026, 9, day))), [
    ...[9, 10, 14, 15, 16],
    ...[24, 25, 26, 27, 28, 29, 30, 31],
  ]);
});
