import { assertEquals, assertStringIncludes } from "@std/assert";
import { lastPeriod } from "../../../lib/pipeline/channel_reports.ts";
import type { ReportPeriod } from "../../../lib/config/channels/keys.ts";

const HOUR = 3_600_000;

/** ID, days and hours of a period, and when it starts in UTC. */
function describePeriod(kind: ReportPeriod, time: string, timezone: string): string {
  const { id, first, last, window } = lastPeriod(kind, Temporal.Instant.from(time), timezone);
  const start = new Date(window.from).toISOString().slice(5, 16);
  return `${id}: ${first} to ${last}, ${(window.to - window.from) / HOUR} h from ${start}`;
}

Deno.test("a week starts on Monday and a month on its first day, at midnight of the time zone", () => {
  const first = "2026-W47: 2026-11-16 to 2026-11-22, 168 h from 11-16T00:00";
  const second = "2026-W48: 2026-11-23 to 2026-11-29, 168 h from";
  const cases: [ReportPeriod, time: string, timezone: string, expected: string][] = [
    ["week", "2026-11-29T23:59:59Z", "UTC", first],
    ["week", "2026-11-30T00:00:00Z", "UTC", `${second} 11-23T00:00`],
    ["week", "2026-11-29T23:00:00Z", "Europe/Vienna", `${second} 11-22T23:00`],
    ["week", "2026-11-29T18:30:00Z", "Asia/Kolkata", `${second} 11-22T18:30`],
    [
      ...["month", "2026-11-30T18:29:59Z", "Asia/Kolkata"] as const,
      "2026-10: 2026-10-01 to 2026-10-31, 744 h from 09-30T18:30",
    ],
    [
      ...["month", "2026-11-30T18:30:00Z", "Asia/Kolkata"] as const,
      "2026-11: 2026-11-01 to 2026-11-30, 720 h from 10-31T18:30",
    ],
    // The first week of a year may start in the year before.
    [
      "week",
      "2026-01-05T00:00Z",
      "UTC",
      "2026-W01: 2025-12-29 to 2026-01-04, 168 h from 12-29T00:00",
    ],
    [
      "week",
      "2027-01-04T00:00Z",
      "UTC",
      "2026-W53: 2026-12-28 to 2027-01-03, 168 h from 12-28T00:00",
    ],
  ];
  for (const [kind, time, timezone, expected] of cases) {
    assertEquals(describePeriod(kind, time, timezone), expected, `${kind} ${time} ${timezone}`);
  }
});

Deno.test("periods with a change of the clocks have an hour less or more", () => {
  const cases: [ReportPeriod, time: string, timezone: string, hours: number][] = [
    ["week", "2026-03-30T12:00Z", "Europe/Vienna", 167],
    ["week", "2026-10-26T12:00Z", "Europe/Vienna", 169],
    ["month", "2026-04-02T12:00Z", "Europe/Vienna", 743],
    ["month", "2026-11-02T12:00Z", "Europe/Vienna", 745],
    // Clocks skip midnight there.
    ["week", "2026-09-07T12:00Z", "America/Santiago", 167],
  ];
  for (const [kind, time, timezone, hours] of cases) {
    assertStringIncludes(describePeriod(kind, time, timezone), `, ${hours} h from`);
  }
});
