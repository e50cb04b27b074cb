import { assertEquals } from "@std/assert";
import { parseStoredIncident, type StoredIncident } from "../../../lib/history/stored_incidents.ts";
import { groupIntoCards } from "../../../lib/page/incident_cards.ts";
import { listOpenIncidents, listPastDays } from "../../../lib/page/incidents.ts";
import { summarizeDays } from "../../../lib/page/recent_days.ts";

const NOW = Temporal.Instant.from("2026-11-21T10:05:00Z");

/** Sites that were down from a day on, until another one unless it is absent. */
type Outages = Readonly<Record<string, [from: number, to?: number]>>;

/** The days of November up to the 21st, each as it is summarized; nothing is known of the `unseen` ones. */
function summaryOf(outages: Outages, unseen: readonly number[] = []) {
  const at = (day: number) => `2026-11-${String(day).padStart(2, "0")}T09:00:00Z`;
  const incidents = new Map(
    Object.entries(outages).map(([slug, [from, to]]): [string, StoredIncident] => {
      const end = to === undefined ? "" : `end: ${at(to)}\n`;
      const times = `start: ${at(from)}\nconfirmed: ${at(from)}\n${end}`;
      return [slug, parseStoredIncident(`slug: ${slug}\nkind: down\n${times}error: ${slug}\n`)!];
    }),
  );
  const summary = summarizeDays(listPastDays(incidents, NOW, "UTC", 8), {
    cards: groupIntoCards(
      listOpenIncidents(incidents, { time: NOW, sites: [], maintenance: [] }),
      { sites: [] },
    ),
    report: { sites: [] },
    isObserved: ({ from }) =>
      !unseen.includes(Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO("UTC").day),
  });
  return summary.map(({ from, to, count, isUnknown, active, ...cards }) => {
    const [started, continued] = [cards.started, cards.continued].map((all) =>
      all.flatMap(({ incidents }) => incidents.map(([id]) => id)).join(" ")
    );
    const days = `${from.slice(8)}-${to.slice(8)}`;
    const what = isUnknown ? "no data" : active > 0 ? `${active} active` : "";
    return [days, count, what, started, continued].filter((part) => part !== "").join(" ");
  });
}

const CASES: Readonly<Record<string, [Outages, number[], string[]]>> = {
  "quiet days are joined, but not with today": [{}, [], ["21-21 1", "14-20 7"]],
  "days with incidents divide them": [{ a: [18, 18], b: [16, 17] }, [], [
    "21-21 1",
    "19-20 2",
    "18-18 1 a",
    "17-17 1 b",
    "16-16 1 b",
    "14-15 2",
  ]],
  "days without data stay visible": [{}, [21, 18, 17], [
    "21-21 1 no data",
    "19-20 2",
    "17-18 2 no data",
    "14-16 3",
  ]],
  "active incidents are counted on each of their days, and make no day quiet": [
    { a: [18], b: [21], c: [19, 19] },
    [],
    ["21-21 1 2 active", "20-20 1 1 active", "19-19 1 1 active c", "18-18 1 1 active", "14-17 4"],
  ],
};

for (const [name, [outages, unseen, expected]] of Object.entries(CASES)) {
  Deno.test(`recent days: ${name}`, () => assertEquals(summaryOf(outages, unseen), expected));
}
