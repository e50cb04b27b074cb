import { assertEquals } from "@std/assert";
import { parseStoredIncident, type StoredIncident } from "../../../lib/history/stored_incidents.ts";
import { createNeighbours, listTimeline } from "../../../lib/page/timeline.ts";

const NOW = Temporal.Instant.from("2026-11-21T10:05:00Z");

/** Entries of a timeline: the clock, and the event or the phase and text of people. */
function timelineOf(text: string): string[] {
  return listTimeline(parseStoredIncident(text)!, NOW).map(({ at, event, phase, text }) =>
    [String(at).slice(11, 16), event ?? phase, text].filter((part) => part).join(" ")
  );
}

const OUTAGE = `slug: shop
kind: down
start: 2026-11-18T10:00:00Z
confirmed: 2026-11-18T10:01:00Z
end: 2026-11-18T12:00:00Z
error: refused
attempts: 3
ended: [2026-11-18T10:10:00Z]
reopened: [2026-11-18T10:20:00Z]
changes:
  - at: 2026-11-18T11:00:00Z
    state: degraded
reasons:
  - at: 2026-11-18T11:00:00Z
    confirmed: 2026-11-18T11:05:00Z
    error: slow
acknowledgements:
  - at: 2026-11-18T10:02:00Z
    by: ann
    way: comment
    state: down
updates:
  - at: 2026-11-18T10:15:00Z
    phase: identified
    text: A cable
  - at: 2026-11-18T11:30:00Z
    text: Nearly
  - at: 2026-11-19T08:00:00Z
    phase: post-mortem
    text: All of it
`;

Deno.test("a timeline has updates and the monitor's events, the newest first, without post-mortems and people", () => {
  assertEquals(timelineOf(OUTAGE), [
    "12:00 ended",
    "11:30 Nearly",
    "11:00 reason slow",
    "11:00 degraded",
    "10:20 reopened",
    "10:15 identified A cable",
    "10:10 ended",
    "10:02 acknowledged",
    "10:01 confirmed refused",
    "10:00 down",
  ]);
  assertEquals(timelineOf(OUTAGE.replace("10:01:00Z", "10:00:31Z")).slice(-2), [
    "10:02 acknowledged",
    "10:00 down refused",
  ]);
});

Deno.test("a timeline starts with the text of a manual incident, and not before maintenance starts", () => {
  const manual = (more: string) =>
    `kind: manual\nname: Banks\nstart: 2026-11-18T10:00:00Z\nissue: 3\ntext: Slow\n${more}`;
  assertEquals(timelineOf(manual("end: 2026-11-18T11:00:00Z\n")), [
    "11:00 completed",
    "10:00 started Slow",
  ]);
  assertEquals(timelineOf(manual("end: 2026-11-18T10:00:00Z\n")), ["10:00 canceled"]);
  const window = (start: string) =>
    `kind: maintenance\nsource: hand\nname: Move\nstart: ${start}\nuntil: 2026-12-01T00:00:00Z\nsites: {}\n`;
  assertEquals(timelineOf(window("2026-11-21T10:00:00Z")), ["10:00 started"]);
  assertEquals(timelineOf(window("2026-11-22T10:00:00Z")), []);
});

Deno.test("the neighbours of an incident are those of its first site, without maintenance and canceled ones", () => {
  const of = (slug: string, day: number) =>
    `slug: ${slug}\nkind: down\nstart: 2026-11-${day}T10:00:00Z\nconfirmed: 2026-11-${day}T10:00:00Z\n`;
  const manual = (sites: string, day: number, more = "") =>
    `kind: manual\nname: Banks\nsites: [${sites}]\nstart: 2026-11-${day}T10:00:00Z\nissue: 3\n${more}`;
  const incidents = new Map(
    Object.entries({
      first: of("shop", 10),
      second: manual("shop, blog", 11),
      canceled: manual("shop", 12, "end: 2026-11-12T10:00:00Z\n"),
      window:
        "kind: maintenance\nsource: hand\nname: Move\nstart: 2026-11-12T12:00:00Z\nuntil: 2026-11-12T13:00:00Z\nsites: {shop: down}\n",
      other: of("blog", 13),
      third: of("shop", 14),
      all: manual("", 15),
    }).map(([id, text]): [string, StoredIncident] => [id, parseStoredIncident(text)!]),
  );
  const find = createNeighbours(incidents);
  const around = [...incidents].map(([id, incident]) => {
    const { earlier, later } = find(id, incident);
    return `${earlier?.[0] ?? ""} < ${id} < ${later?.[0] ?? ""}`;
  });
  assertEquals(around, [
    " < first < second",
    "first < second < third",
    " < canceled < ",
    " < window < ",
    "second < other < ",
    "second < third < ",
    " < all < ",
  ]);
});
