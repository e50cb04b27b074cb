import { assertEquals } from "@std/assert";
import { CALENDAR, configuredWindows } from "../../../../lib/incidents/maintenance/windows.ts";
import { DAY } from "../../../../lib/time.ts";
import { configOf } from "../../../helpers/sites.ts";

const NOW = Temporal.Instant.from("2026-11-22T02:30:00Z");
const { maintenance } = await configOf([{ name: "Shop", url: "https://example.com" }], {
  maintenance: [
    { name: "Backup", cron: "0 2 * * SUN", duration: "1h" },
    { name: "Leap", cron: "0 0 29 2 *", duration: "1h" },
    { name: "Over", start: "2026-11-21T00:00", duration: "1h" },
    { name: "Often", cron: "*/10 * * * *", duration: "1m" },
  ],
});

function startsOf(name: string, reach?: number): string[] {
  return configuredWindows(maintenance, NOW, reach).filter((window) => window.name === name)
    .map(({ start }) => start.toString());
}

Deno.test("a configuration has the windows that go on, and of each the next", () => {
  assertEquals(startsOf("Backup"), ["2026-11-22T02:00:00Z", "2026-11-29T02:00:00Z"]);
  assertEquals(startsOf("Leap"), ["2028-02-29T00:00:00Z"]);
  assertEquals(startsOf("Over"), []);
  assertEquals(startsOf("Often"), ["2026-11-22T02:30:00Z", "2026-11-22T02:40:00Z"]);
});

Deno.test("calendars are told of all windows of a time, the next one at least and a hundred at most", () => {
  assertEquals(startsOf("Backup", 14 * DAY), [
    "2026-11-22T02:00:00Z",
    "2026-11-29T02:00:00Z",
    "2026-12-06T02:00:00Z",
  ]);
  assertEquals(startsOf("Backup", CALENDAR).length, 13);
  assertEquals(startsOf("Leap", CALENDAR), ["2028-02-29T00:00:00Z"]);
  assertEquals(startsOf("Often", CALENDAR).length, 100);
});
