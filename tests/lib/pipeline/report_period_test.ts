import { assertEquals } from "@std/assert";
import { lastPeriod } from "../../../lib/pipeline/channel_reports.ts";
import type { ReportPeriod } from "../../../lib/config/channels/keys.ts";

const HOUR = 3_600_000;

function periodAt(kind: ReportPeriod, time: string, timezone: string) {
  const { id, first, last, window } = lastPeriod(kind, Temporal.Instant.from(time), timezone);
  const hours = (window.to - window.from) / HOUR;
  return [id, `${first} to ${last}`, new Date(window.from).toISOString().slice(0, 16), hours];
}

Deno.test("a week starts on Monday and a month on its first day, at midnight of the time zone", () => {
  const cases: [ReportPeriod, string, string, unknown[]][] = [
    ["week", "2026-11-29T23:59:59Z", "UTC", [
      "2026-W47",
      "2026-11-16 to 2026-11-22",
      "2026-11-16T00:00",
      168,
    ]],
    ["week", "2026-11-30T00:00:00Z", "UTC", [
      "2026-W48",
      "2026-11-23 to 2026-11-29",
      "2026-11-23T00:00",
      168,
    ]],
    ["week", "2026-11-29T23:00:00Z", "Europe/Vienna", [
      "2026-W48",
      "2026-11-23 to 2026-11-29",
      "2026-11-22T23:00",
      168,
    ]],
    ["week", "2026-11-29T18:30:00Z", "Asia/Kolkata", [
      "2026-W48",
      "2026-11-23 to 2026-11-29",
      "2026-11-22T18:30",
      168,
    ]],
    ["month", "2026-11-30T18:29:59Z", "Asia/Kolkata", [
      "2026-10",
      "2026-10-01 to 2026-10-31",
      "2026-09-30T18:30",
      744,
    ]],
    ["month", "2026-11-30T18:30:00Z", "Asia/Kolkata", [
      "2026-11",
      "2026-11-01 to 2026-11-30",
      "2026-10-31T18:30",
      720,
    ]],
  ];
  for (const [kind, time, timezone, expected] of cases) {
    assertEquals(periodAt(kind, time, timezone), expected, `${kind} ${time} ${timezone}`);
  }
});

Deno.test("periods with a change of the clocks have an hour less or more", () => {
  const hoursAt = (kind: ReportPeriod, time: string, timezone: string) =>
    periodAt(kind, time, timezone).at(-1);
  assertEquals(hoursAt("week", "2026-03-30T12:00Z", "Europe/Vienna"), 167);
  assertEquals(hoursAt("week", "2026-10-26T12:00Z", "Europe/Vienna"), 169);
  assertEquals(hoursAt("month", "2026-04-02T12:00Z", "Europe/Vienna"), 743);
  assertEquals(hoursAt("month", "2026-11-02T12:00Z", "Europe/Vienna"), 745);
  // Clocks skip midnight there.
  assertEquals(hoursAt("week", "2026-09-07T12:00Z", "America/Santiago"), 167);
});

Deno.test("the first week of a year may start in the year before", () => {
  assertEquals(periodAt("week", "2026-01-05T00:00Z", "UTC").slice(0, 2), [
    "2026-W01",
    "2025-12-29 to 2026-01-04",
  ]);
  assertEquals(periodAt("week", "2027-01-04T00:00Z", "UTC")[0], "2026-W53");
});
