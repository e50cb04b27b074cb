import { assertEquals } from "@std/assert";
import { parseMoment } from "../../../lib/config/keys/times.ts";

/** Texts and their moments, in Berlin unless another time zone is given. */
const MOMENTS: readonly [text: string, moment: string, zone?: string][] = [
  ["2026-12-24", "2026-12-23T23:00:00Z"],
  ["2026-07-24", "2026-07-23T22:00:00Z"],
  ["  2026-12-24 22:00\t", "2026-12-24T21:00:00Z"],
  ["2026-12-24t22:00:30", "2026-12-24T21:00:30Z"],
  ["2026-12-24T22:00:30.123456789", "2026-12-24T21:00:30.123Z"],
  ["2026-12-24T22:00z", "2026-12-24T22:00:00Z"],
  ["2026-12-24 22:00 UTC", "2026-12-24T22:00:00Z"],
  ["2026-12-24T22:00+01:00", "2026-12-24T21:00:00Z"],
  ["2026-12-24T22:00 -0530", "2026-12-25T03:30:00Z"],
  ["2028-02-29", "2028-02-28T23:00:00Z"],
  ["2026-12-31T23:59", "2027-01-01T04:59:00Z", "America/New_York"],
  ["2026-12-24 22:00", "2026-12-24T16:30:00Z", "Asia/Kolkata"],
  // DST skips these times.
  ["2027-03-28T02:59", "2027-03-28T01:59:00Z"],
  ["2011-12-30T10:00", "2011-12-30T20:00:00Z", "Pacific/Apia"],
  // These times occur twice.
  ["2027-10-31T02:30", "2027-10-31T00:30:00Z"],
  ["2027-04-04T01:45", "2027-04-03T14:45:00Z", "Australia/Lord_Howe"],
];

Deno.test("a time is read in its time zone or by its offset", () => {
  for (const [text, moment, zone = "Europe/Berlin"] of MOMENTS) {
    assertEquals(String(parseMoment(text, zone)), moment, `${text} in ${zone}`);
  }
});

Deno.test("an invalid time is rejected", () => {
  const texts =
    "|soon|2026|2026-12|2026-13-24|2026-02-29|24.12.2026 22:00|12/24/2026|2026-12-24T22|" +
    "2026-12-24T24:00|2026-12-24T22:60|2026-12-24T22:00:00,5|2026-12-24 22:00 CET|" +
    "2026-12-24T22:00[Europe/Berlin]|2026-12-24T22:00+1|2026-12-24T22:00+24:00|20261224T220000Z";
  const read = texts.split("|").filter((text) => parseMoment(text, "Europe/Berlin") !== undefined);
  assertEquals(read, []);
});
