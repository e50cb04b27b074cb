import { assertEquals } from "@std/assert";
import { parseStoredIncident } from "../../../lib/history/stored_incidents.ts";
import { computeCalendar, markDays } from "../../../lib/page/calendar.ts";

const NOW = Temporal.Instant.from("2026-11-21T10:05:00Z");

function calendarOf(texts: readonly string[], { zone = "UTC", firstDay = 1 } = {}) {
  const dateOf = (time: Temporal.Instant) => time.toZonedDateTimeISO(zone).toPlainDate().toString();
  const days = markDays(texts.map((text) => [parseStoredIncident(text)!]), { now: NOW, dateOf });
  const isObserved = ({ to }: { to: number }) =>
    to > Date.parse("2026-11-03T00:00:00Z") && to <= Date.parse("2026-11-22T00:00:00Z");
  return computeCalendar("2026-11", { days, now: NOW, firstDay, zone, isObserved });
}

function outage(start: string, end: string, kind = "down", more = ""): string {
  return `slug: shop\nkind: ${kind}\nstart: 2026-11-${start}:00Z\nconfirmed: 2026-11-${start}:00Z\n` +
    `${end === "" ? "" : `end: 2026-11-${end}:00Z\n`}${more}`;
}

/** The days of November that are neither calm nor unknown. */
function markedIn(texts: readonly string[], zone?: string): string[] {
  return calendarOf(texts, { zone }).flat().flatMap((day) =>
    day === undefined || (["up", "unknown"].includes(day.worst) && day.incidents === 0)
      ? []
      : [`${day.date.slice(8)} ${day.worst} ${day.incidents} ${day.newest?.slice(8) ?? "-"}`]
  );
}

Deno.test("weeks start on the day that is usual, and days without data are unknown", () => {
  const weeks = calendarOf([]);
  assertEquals(weeks.map((week) => week.length), [7, 7, 7, 7, 7, 7]);
  assertEquals(weeks[0]!.map((day) => day?.worst), [...Array(6).fill(undefined), "unknown"]);
  assertEquals(weeks[1]!.map((day) => day?.worst), ["unknown", ...Array(6).fill("up")]);
  assertEquals(weeks[5]!.map((day) => day?.date), ["2026-11-30", ...Array(6).fill(undefined)]);
  const sunday = calendarOf([], { firstDay: 7 });
  assertEquals([sunday.length, sunday[0]![0]?.date], [5, "2026-11-01"]);
});

Deno.test("a day that has not started in the page's zone is unknown, though its UTC day has data", () => {
  const isObserved = ({ from, to }: { from: number; to: number }) =>
    from < Date.parse("2026-11-22T00:00:00Z") && to > Date.parse("2026-11-21T00:00:00Z");
  const known = (zone: string, now = NOW) =>
    computeCalendar("2026-11", { days: new Map(), now, firstDay: 1, zone, isObserved }).flat()
      .flatMap((day) => day?.worst === "up" ? [day.date.slice(8)] : []);
  assertEquals(known("UTC"), ["21"]);
  assertEquals(known("Europe/Vienna"), ["21"]);
  assertEquals(known("Europe/Vienna", Temporal.Instant.from("2026-11-21T23:00:00Z")), ["21", "22"]);
});

Deno.test("a day has the worst state, the number of its incidents, and the start of the newest", () => {
  const manual = (impact: string) =>
    `kind: manual\nname: Banks\nstart: 2026-11-10T10:00:00Z\nend: 2026-11-10T11:00:00Z\nissue: 3\nimpact: ${impact}\n`;
  const window = (day: number, end = "") =>
    `kind: maintenance\nsource: hand\nname: Move\nstart: 2026-11-${day}T10:00:00Z\nuntil: 2026-11-${day}T11:00:00Z\nsites: {}\n${end}`;
  assertEquals(
    markedIn([
      outage("06T10:00", "06T10:05", "degraded"),
      outage("06T12:00", "08T00:00"),
      manual("none"),
      window(12, "end: 2026-11-12T11:00:00Z\n"),
      window(13, "end: 2026-11-13T10:00:00Z\n"),
      window(25),
      outage("15T10:00", "15T10:05", "degraded"),
      window(15, "end: 2026-11-15T11:00:00Z\n"),
      outage("20T10:00", ""),
    ]),
    [
      "06 down 2 06",
      "07 down 1 06",
      "10 up 1 10",
      "12 maintenance 0 -",
      "15 degraded 1 15",
      "20 down 1 20",
      "21 down 1 20",
    ],
  );
});

Deno.test("days are those of the page's zone, and an incident that was reopened has none between", () => {
  assertEquals(markedIn([outage("06T23:30", "06T23:40")], "Europe/Berlin"), ["07 down 1 07"]);
  const reopened = "reopened: [2026-11-09T10:00:00Z]\nended: [2026-11-06T10:10:00Z]\n";
  assertEquals(markedIn([outage("06T10:00", "09T10:10", "down", reopened)]), [
    "06 down 1 06",
    "09 down 1 06",
  ]);
});

Deno.test("incidents that are listed as one count as one on each day", () => {
  const dateOf = (time: Temporal.Instant) => String(time.toZonedDateTimeISO("UTC").toPlainDate());
  const cards = [
    [outage("06T10:00", "06T10:05"), outage("06T10:01", "07T10:00")],
    [outage("06T12:00", "06T13:00", "degraded")],
  ].map((card) => card.map((text) => parseStoredIncident(text)!));
  assertEquals(
    [...markDays(cards, { now: NOW, dateOf })].map(([date, day]) => `${date} ${day.incidents}`),
    ["2026-11-06 2", "2026-11-07 1"],
  );
});
