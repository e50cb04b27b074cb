import { assertEquals } from "@std/assert";
import type { PlannedWindow } from "../../../lib/history/maintenance.ts";
import { maintenanceList } from "../../../templates/terminal/maintenance.ts";
import { announced, at, planned } from "../../helpers/kept_maintenance.ts";
import { configOf } from "../../helpers/sites.ts";

const SITES = ["Shop", "Post", "Bürö <b>|", "日本語サイト"].map((name, index) => ({
  name,
  slug: ["shop", "post", "office", "japan"][index],
  url: "https://example.com",
}));

const WINDOWS: PlannedWindow[] = [
  { ...planned("Backup", "09:30", "11:00", "post"), source: "hand" },
  announced(12, "10:00", "22T01:00", "New\nrouter"),
  { ...planned("Nightly", "22T02:00", "22T03:00", "shop", "post", "office", "japan") },
  {
    ...announced(
      13,
      "24T23:30",
      "26T00:30",
      "Move of the whole data centre to the new building in the other part of the town, with all that is in it",
    ),
    sites: new Map([["shop", "degraded"], ["post", "none"], ["gone", "down"]]),
  },
];

Deno.test("windows that go on and are ahead are listed with their times, whatever they are called", async () => {
  const config = await configOf(SITES, { timezone: "Europe/Berlin" });
  const text = (columns: number) =>
    maintenanceList(WINDOWS, config, { now: at("10:15"), columns }).split("\n");
  const narrow = [
    "In maintenance now",
    "  🔧 Backup, until 12:00 Europe/Berlin (45m left)",
    "     Post; begun by hand",
    "  🔧 New router, until Sun 2026-11-22 02:00 Europe/Berlin (14h 45m left)",
    "     Shop; announced by issue #12",
    "",
    "Ahead",
    "  🔧 Nightly, Sun 2026-11-22 03:00 to 04:00 Europe/Berlin (in 15h 45m)",
    "     all sites; configured",
    "  🔧 Move of the…, Wed 2026-11-25 00:30 to Thu 2026-11-26 01:30 Europe/Berlin (…",
    "     Shop (may be degraded), Post (announced only), gone; announced by issue #13",
  ];
  assertEquals(text(80), narrow);
  const wide = text(140);
  assertEquals(wide.toSpliced(9, 1), narrow.toSpliced(9, 1));
  assertEquals(
    wide[9],
    "  🔧 Move of the whole data centre to the new building in the other…, Wed 2026-11-25 00:30 to Thu 2026-11-26 01:30 Europe/Berlin (in 3d 13h)",
  );
});
