import { assertEquals } from "@std/assert";
import { parseIncident } from "../../../../lib/history/incident.ts";
import { reportTime } from "../../../../lib/statistics/report/report_time.ts";

/** The time of a report on a site whose run at 10:05 has found an outage that ended. */
function timeOf(start: string, end: string): string {
  const at = (time: string) => `2026-11-21T${time}Z`;
  const text = `slug: shop\nkind: down\nstart: ${at(start)}\nconfirmed: ${at(start)}\nend: ${
    at(end)
  }\n`;
  const checks = [{
    time: Date.parse(at("10:05:00.000")),
    state: "down" as const,
    isImported: false,
  }];
  const incidents = new Map([["2026-11-21-shop", parseIncident(text)!]]);
  const history = { slug: "shop", days: [], incidents, maintenance: [], checks };
  const read = {
    histories: new Map([["shop", history]]),
    records: new Map(),
    maintenance: new Map(),
  };
  const now = Temporal.Instant.from(at("10:06:00.000"));
  return reportTime(read, now, 1_800_000).time.toString().slice(11);
}

Deno.test("a report is one second after the last check, or after an outage that its run found later", () => {
  assertEquals(timeOf("10:05:00.040", "10:05:00.900"), "10:05:01Z");
  assertEquals(timeOf("10:05:07.000", "10:05:07.000"), "10:05:08Z");
  assertEquals(timeOf("09:00:00.000", "10:05:12.000"), "10:05:13Z");
  assertEquals(timeOf("09:00:00.000", "11:00:00.000"), "10:05:01Z");
});
