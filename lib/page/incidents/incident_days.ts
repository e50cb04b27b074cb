import type { StoredIncident } from "../../history/stored_incidents.ts";
import { isCalledOff } from "../../history/stage_of.ts";
import { openTimes } from "../../statistics/down_pieces.ts";
import { overlap, type Window } from "../../history/windows.ts";

/** An incident with its id. */
export type ListedIncident = readonly [id: string, incident: StoredIncident];

/** A day and what happened in it. */
export interface IncidentDay {
  /** `YYYY-MM-DD` on the clocks of a zone. */
  date: string;
  /** When it was, also what of it is still to come. */
  window: Window;
  /** What began in it, the newest first. */
  begun: readonly ListedIncident[];
  /** What had begun before and went on into it, the newest first. */
  continued: readonly ListedIncident[];
}

/**
 * The last days with the incidents of each, the newest day first and today one of them; maintenance has
 * lists of its own. A day of a zone may have 23 or 25 hours.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { parseIncident } from "../../history/incident.ts";
 * const times = "start: 2026-11-20T23:30:00.000Z\nconfirmed: 2026-11-20T23:31:00.000Z\nend: 2026-11-21T00:10:00.000Z\n";
 * const incidents = new Map([["a", parseIncident(`slug: shop\nkind: down\n${times}`)!]]);
 * const now = Temporal.Instant.from("2026-11-21T10:00:00Z");
 * const told = (zone: string) => pastDays(incidents, now, zone, 2).map(({ begun, continued }) => [begun.length, continued.length]);
 * assertEquals([told("UTC"), told("Europe/Berlin")], [[[0, 1], [1, 0]], [[1, 0], [0, 0]]]);
 * ```
 */
export function pastDays(
  incidents: ReadonlyMap<string, StoredIncident>,
  time: Temporal.Instant,
  zone: string,
  days: number,
): IncidentDay[] {
  const today = time.toZonedDateTimeISO(zone).startOfDay();
  const begins = Array.from({ length: days + 1 }, (_, ago) => today.subtract({ days: ago - 1 }));
  const first = begins.at(-1)!.epochMilliseconds;
  const recent = newestFirst(
    [...incidents].filter(([, one]) => isIncident(one) && lastOf(one) >= first),
  );
  const told = recent.map((one) => ({ one, times: timesOf(one[1]) }));
  return begins.slice(1).map((begin, index): IncidentDay => {
    const day = { from: begin.epochMilliseconds, to: begins[index]!.epochMilliseconds };
    const isBegun = ({ times: [{ from }] }: typeof told[number]) =>
      from >= day.from && from < day.to;
    const met = told.filter((one) =>
      isBegun(one) || one.times.some((piece) => overlap(piece, day) > 0)
    );
    const of = (isOf: boolean) =>
      causesFirst(met.filter((one) => isBegun(one) === isOf).map(({ one }) => one));
    return {
      date: begin.toPlainDate().toString(),
      window: day,
      begun: of(true),
      continued: of(false),
    };
  });
}

/** Whether something is told of among incidents, and not among maintenance alone. */
export function isIncident(incident: StoredIncident): boolean {
  return incident.kind !== "maintenance" && !isCalledOff(incident);
}

/** In the order in which they began, the last one first. Moments take long to compare, and few begin in the same millisecond. */
export function newestFirst(incidents: readonly ListedIncident[]): ListedIncident[] {
  return incidents.toSorted(([oneId, one], [otherId, other]) =>
    other.start.epochMilliseconds - one.start.epochMilliseconds ||
    Temporal.Instant.compare(other.start, one.start) || (oneId < otherId ? 1 : -1)
  );
}

/**
 * Puts the cause of an incident above it: it takes the place of the first of its effects.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { parseIncident } from "../../history/incident.ts";
 * const times = "start: 2026-11-20T23:30:00.000Z\nconfirmed: 2026-11-20T23:31:00.000Z\n";
 * const [shop, router] = ["slug: shop\ncause: b\n", "slug: router\n"].map((head) => parseIncident(`${head}kind: down\n${times}`)!);
 * assertEquals(causesFirst([["a", shop!], ["b", router!]]).map(([id]) => id), ["b", "a"]);
 * ```
 */
export function causesFirst(incidents: readonly ListedIncident[]): ListedIncident[] {
  const waiting = new Map(incidents.map((one) => [one[0], one]));
  const sorted: ListedIncident[] = [];
  const put = (one: ListedIncident | undefined) => {
    if (one === undefined || !waiting.delete(one[0])) return;
    if ("cause" in one[1]) put(waiting.get(one[1].cause ?? ""));
    sorted.push(one);
  };
  for (const one of incidents) put(one);
  return sorted;
}

/** Milliseconds since 1970; without an end where it goes on. */
function lastOf({ end }: StoredIncident): number {
  return end?.epochMilliseconds ?? Infinity;
}

/** When an incident went on, in milliseconds; without the times between an end and what brought it back. */
function timesOf(incident: StoredIncident): [first: Window, ...more: Window[]] {
  const whole = { from: incident.start.epochMilliseconds, to: lastOf(incident) };
  if (incident.kind !== "down" && incident.kind !== "degraded") return [whole];
  const [first = whole, ...more] = openTimes(incident);
  return [first, ...more];
}
