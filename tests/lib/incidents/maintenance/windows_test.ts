import { assertEquals } from "@std/assert";
import type { Expected } from "../../../../lib/history/maintenance.ts";
import {
  CALENDAR,
  configuredWindows,
  siteWindows,
  wasAllowed,
} from "../../../../lib/incidents/maintenance/windows.ts";
import { DAY } from "../../../../lib/time.ts";
import { configOf } from "../../../helpers/sites.ts";

/** The time of a day, `10:30`. */
function at(time: string): Temporal.Instant {
  return Temporal.Instant.from(`2026-11-21T${time}:00Z`);
}

type Window = [start: string, until: string, expected?: Expected];

/** The expected state of a site at a time of its windows, and its end; nothing outside of them. */
const CASES: readonly [what: string, windows: Window[], times: Record<string, string>][] = [
  ["one window", [["10:00", "11:00"]], {
    "09:59": "",
    "10:00": "down until 11:00",
    "10:59": "down until 11:00",
    "11:00": "",
  }],
  ["one that is only announced", [["10:00", "11:00", "none"]], { "10:30": "" }],
  ["two that overlap", [["10:00", "11:00"], ["10:30", "12:00"]], {
    "10:00": "down until 12:00",
    "10:45": "down until 12:00",
    "11:30": "down until 12:00",
    "12:00": "",
  }],
  ["one within the other", [["10:00", "12:00"], ["10:30", "11:00"]], {
    "10:00": "down until 12:00",
    "10:45": "down until 12:00",
    "11:30": "down until 12:00",
  }],
  ["two that touch", [["11:00", "12:00"], ["10:00", "11:00"]], {
    "10:30": "down until 12:00",
    "11:00": "down until 12:00",
  }],
  ["two that are apart by a minute", [["10:00", "11:00"], ["11:01", "12:00"]], {
    "10:30": "down until 11:00",
    "11:00": "",
    "11:01": "down until 12:00",
  }],
  ["a chain of three", [["10:00", "10:20"], ["10:40", "11:00"], ["10:20", "10:40"]], {
    "10:00": "down until 11:00",
  }],
  ["twice the same", [["10:00", "11:00"], ["10:00", "11:00"]], { "10:00": "down until 11:00" }],
  // The expectation until then counts now: the site may be degraded while it may be down.
  ["degraded, then down", [["10:00", "11:00", "degraded"], ["11:00", "12:00"]], {
    "10:30": "degraded until 12:00",
    "11:00": "down until 12:00",
  }],
  // And it may not be down when it may be degraded only.
  ["down, then degraded", [["10:00", "11:00"], ["11:00", "12:00", "degraded"]], {
    "10:30": "down until 11:00",
    "11:00": "degraded until 12:00",
  }],
  ["down within degraded", [["10:00", "12:00", "degraded"], ["10:30", "11:00"]], {
    "10:00": "degraded until 12:00",
    "10:30": "down until 11:00",
    "11:00": "degraded until 12:00",
  }],
];

Deno.test("overlapping windows have the latest end, and the worst state expected now", () => {
  for (const [what, windows, times] of CASES) {
    const planned = windows.map(([start, until, expected = "down"]) => ({
      start: at(start),
      until: at(until),
      sites: new Map([["shop", expected]]),
    }));
    for (const [time, expected] of Object.entries(times)) {
      const found = siteWindows(planned, at(time)).get("shop");
      const text = found && `${found.expected} until ${found.until.toString().slice(11, 16)}`;
      assertEquals(text ?? "", expected, `${what}, ${time}`);
    }
  }
});

Deno.test("a window affects no site that it does not name", () => {
  const sites = new Map<string, Expected>([["shop", "down"], ["post", "none"]]);
  const found = siteWindows([{ start: at("10:00"), until: at("11:00"), sites }], at("10:30"));
  assertEquals([...found.keys()], ["shop"]);
});

Deno.test("a failure that was seen in maintenance is told from one after it", async () => {
  const { sites: [site] } = await configOf([{ name: "Shop", url: "https://example.com" }]);
  const allows = (expected: Expected, state: "up" | "degraded" | "down", time: string) => {
    const sites = new Map([["shop", expected]]);
    const window = { start: at("10:00"), until: at("12:00"), end: at("11:00"), sites };
    return wasAllowed({ site: site!, state, confirmed: at(time) }, [window]);
  };
  assertEquals([allows("down", "down", "10:59"), allows("down", "down", "11:00")], [true, false]);
  assertEquals([allows("down", "up", "10:30"), allows("none", "down", "10:30")], [false, false]);
  assertEquals(
    [allows("degraded", "down", "10:30"), allows("degraded", "degraded", "10:30")],
    [false, true],
  );
});

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

Deno.test("each configured maintenance window yields its ongoing occurrence and the next one", () => {
  assertEquals(startsOf("Backup"), ["2026-11-22T02:00:00Z", "2026-11-29T02:00:00Z"]);
  assertEquals(startsOf("Leap"), ["2028-02-29T00:00:00Z"]);
  assertEquals(startsOf("Over"), []);
  assertEquals(startsOf("Often"), ["2026-11-22T02:30:00Z", "2026-11-22T02:40:00Z"]);
});

Deno.test("calendars contain all windows of a period, but at least the next one and at most a hundred", () => {
  assertEquals(startsOf("Backup", 14 * DAY), [
    "2026-11-22T02:00:00Z",
    "2026-11-29T02:00:00Z",
    "2026-12-06T02:00:00Z",
  ]);
  assertEquals(startsOf("Backup", CALENDAR).length, 13);
  assertEquals(startsOf("Leap", CALENDAR), ["2028-02-29T00:00:00Z"]);
  assertEquals(startsOf("Often", CALENDAR).length, 100);
});
