import { assertEquals } from "@std/assert";
import { describeMoment, describeSpan } from "../../lib/time.ts";

const at = (time: string) => Temporal.Instant.from(time);

Deno.test("a moment is shown on the clock of a zone, with its short name on both sides of a change", () => {
  const show = (timezone: string, ...times: string[]) =>
    times.map((time) => describeMoment(at(time), { timezone, now: at(time) }));
  assertEquals(
    show("Europe/Vienna", "2027-03-28T00:59:00Z", "2027-03-28T01:00:00Z", "2026-10-25T00:30:00Z"),
    ["01:59 CET", "03:00 CEST", "02:30 CEST"],
  );
  assertEquals(
    show("America/New_York", "2026-11-01T05:30:00Z", "2026-11-01T06:30:00Z"),
    ["01:30 EDT", "01:30 EST"],
  );
  assertEquals(show("Asia/Kolkata", "2026-11-21T20:00:00Z"), ["01:30 IST"]);
  assertEquals(show("Asia/Tokyo", "2026-11-21T20:00:00Z"), ["05:00 GMT+9"]);
  assertEquals(show("Europe/London", "2026-07-01T20:00:00Z"), ["21:00 BST"]);
  assertEquals(show("UTC", "2026-11-21T20:00:00Z"), ["20:00 UTC"]);
});

Deno.test("a moment has its date unless it is of the day in that zone, and its year if it is of another", () => {
  const now = at("2026-11-27T23:30:00Z");
  const show = (timezone: string, time: string) => describeMoment(at(time), { timezone, now });
  assertEquals(show("UTC", "2026-11-27T00:30:00Z"), "00:30 UTC");
  assertEquals(show("Europe/Vienna", "2026-11-27T21:14:00Z"), "27 Nov 22:14 CET");
  assertEquals(show("Europe/Vienna", "2026-11-28T12:00:00Z"), "13:00 CET");
  assertEquals(show("America/New_York", "2025-12-31T23:00:00Z"), "31 Dec 2025 18:00 EST");
});

Deno.test("a span has one date and one zone if they say all", () => {
  const vienna = { timezone: "Europe/Vienna", now: at("2026-11-28T08:00:00Z") };
  const show = (from: string, to: string) => describeSpan(at(from), at(to), vienna);
  assertEquals(show("2026-11-27T22:53:00Z", "2026-11-27T23:00:00Z"), "23:53 to 00:00 CET");
  assertEquals(show("2026-11-28T07:00:00Z", "2026-11-28T07:30:00Z"), "08:00 to 08:30 CET");
  assertEquals(show("2026-11-27T07:00:00Z", "2026-11-27T07:30:00Z"), "27 Nov 08:00 to 08:30 CET");
  assertEquals(
    show("2026-11-26T07:00:00Z", "2026-11-28T07:30:00Z"),
    "26 Nov 08:00 to 28 Nov 08:30 CET",
  );
  assertEquals(
    show("2026-10-25T00:30:00Z", "2026-10-25T01:10:00Z"),
    "25 Oct 02:30 CEST to 02:10 CET",
  );
});
