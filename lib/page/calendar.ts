import { toImpact } from "../history/manual_incident.ts";
import { computeStage, isCalledOff, type StoredIncident } from "../history/stored_incidents.ts";
import type { Window } from "../history/windows.ts";
import { IMPACT_STATES, STATE_ORDER } from "../incidents/impact.ts";
import type { State } from "../state.ts";
import { type DateOf, toWindows } from "./incidents.ts";

/** A day of a calendar of all sites. */
export interface CalendarDay {
  /** `YYYY-MM-DD`, in the page's time zone. */
  date: string;
  /** The worst state of any site; `up` without incidents and maintenance, `unknown` without data or ahead. */
  worst: State;
  /** Incidents of the day, those that started earlier included. */
  incidents: number;
  /** Date on which the newest of them started. */
  newest?: string;
}

/** Incidents and states of days, by date. */
export type MarkedDays = ReadonlyMap<string, Omit<CalendarDay, "date">>;

/** Marks the days of all incidents and maintenance windows that have started; those of one card count as one. */
export function markDays(
  cards: Iterable<readonly StoredIncident[]>,
  { now, dateOf }: { now: Temporal.Instant; dateOf: DateOf },
): MarkedDays {
  const days = new Map<string, Omit<CalendarDay, "date">>();
  for (const card of cards) markCard(days, card, { now, dateOf });
  return days;
}

function markCard(
  days: Map<string, Omit<CalendarDay, "date">>,
  card: readonly StoredIncident[],
  { now, dateOf }: { now: Temporal.Instant; dateOf: DateOf },
): void {
  const counted = new Set<string>();
  for (const incident of card) {
    if (isCalledOff(incident) || computeStage(incident, now) === "ahead") continue;
    const isIncident = incident.kind !== "maintenance";
    const state = incident.kind === "manual" ? IMPACT_STATES[toImpact(incident)] : incident.kind;
    const dates = new Set(
      toWindows(incident).flatMap(({ from, to }) =>
        listDates(
          dateOf(Temporal.Instant.fromEpochMilliseconds(from)),
          dateOf(Temporal.Instant.fromEpochMilliseconds(
            Math.max(from, Math.min(to, now.epochMilliseconds) - 1),
          )),
        )
      ),
    );
    const [start] = dates;
    for (const date of dates) {
      const { worst, incidents: count, newest = "" } = days.get(date) ??
        { worst: "up" as const, incidents: 0 };
      days.set(date, {
        worst: STATE_ORDER.indexOf(state) > STATE_ORDER.indexOf(worst) ? state : worst,
        incidents: count + Number(isIncident && !counted.has(date)),
        newest: isIncident && start! > newest ? start : newest || undefined,
      });
      if (isIncident) counted.add(date);
    }
  }
}

function listDates(first: string, last: string): string[] {
  const dates = [first];
  while (dates.at(-1)! < last) {
    dates.push(String(Temporal.PlainDate.from(dates.at(-1)!).add({ days: 1 })));
  }
  return dates;
}

/**
 * Computes the weeks of a month (`YYYY-MM`), which start on a weekday from 1 (Monday) to 7; days of other months are
 * absent.
 */
export function computeCalendar(
  month: string,
  { days, now, firstDay, zone, isObserved }: {
    days: MarkedDays;
    now: Temporal.Instant;
    firstDay: number;
    zone: string;
    isObserved(window: Window): boolean;
  },
): (CalendarDay | undefined)[][] {
  const first = Temporal.PlainDate.from(`${month}-01`);
  const before = (first.dayOfWeek - firstDay + 7) % 7;
  const weeks = Math.ceil((before + first.daysInMonth) / 7);
  const startOf = (date: Temporal.PlainDate) => date.toZonedDateTime(zone).epochMilliseconds;
  const toDay = (date: Temporal.PlainDate): CalendarDay => {
    const marked = days.get(String(date));
    const window = { from: startOf(date), to: startOf(date.add({ days: 1 })) };
    // The UTC days that a window meets may have data of the day before.
    const isKnown = window.from <= now.epochMilliseconds && isObserved(window);
    const worst = isKnown ? "up" : "unknown";
    return { date: String(date), ...marked ?? { worst, incidents: 0 } };
  };
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_, day) => {
      const index = 7 * week + day - before;
      const isOwn = index >= 0 && index < first.daysInMonth;
      return isOwn ? toDay(first.add({ days: index })) : undefined;
    }));
}
