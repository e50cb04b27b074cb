import type { Window } from "../history/windows.ts";
import type { Report, SiteReport } from "../statistics/report/report.ts";
import { DAY, floorToDay } from "../time.ts";
import { groupIntoCards, type IncidentCard } from "./incident_cards.ts";
import type { IncidentDay } from "./incidents.ts";

/** One day with what happened on it, or several in a row that are alike. */
export interface RecentDays {
  /** `YYYY-MM-DD`, both inclusive. */
  from: string;
  to: string;
  count: number;
  /** True if no site was observed, so that nothing is known. */
  isUnknown: boolean;
  /** Cards shown above that these days are part of. */
  active: number;
  /** Ended incidents that started on the day. */
  started: readonly IncidentCard[];
  /** Ended incidents that started before it. */
  continued: readonly IncidentCard[];
}

/**
 * Summarizes days, the newest first. Incidents of `cards` are shown above and only counted; days without others are
 * joined with their neighbours, except for today, the first one.
 */
export function summarizeDays(
  days: readonly IncidentDay[],
  { cards, report, isObserved }: {
    cards: readonly IncidentCard[];
    report: Pick<Report, "sites">;
    isObserved(window: Window): boolean;
  },
): RecentDays[] {
  const summary: RecentDays[] = [];
  for (const [index, { date, window, ...day }] of days.entries()) {
    const ids = new Set([...day.started, ...day.continued].map(([id]) => id));
    const shown = cards.filter(({ incidents, effects }) =>
      [...incidents, ...effects].some(([id]) => ids.has(id))
    );
    const above = new Set(
      shown.flatMap((card) => [...card.incidents, ...card.effects].map(([id]) => id)),
    );
    const [started, continued] = [day.started, day.continued].map((all) =>
      groupIntoCards(all.filter(([id]) => !above.has(id)), report)
    ) as [IncidentCard[], IncidentCard[]];
    const isQuiet = started.length + continued.length === 0;
    const isUnknown = isQuiet && shown.length === 0 && !isObserved(window);
    const last = summary.at(-1);
    const isAlike = last !== undefined && index > 1 && isQuiet && isEmpty(last) &&
      last.isUnknown === isUnknown && last.active === shown.length;
    if (isAlike) summary[summary.length - 1] = { ...last, from: date, count: last.count + 1 };
    else {
      const active = shown.length;
      summary.push({ from: date, to: date, count: 1, isUnknown, active, started, continued });
    }
  }
  return summary;
}

function isEmpty({ started, continued }: RecentDays): boolean {
  return started.length + continued.length === 0;
}

/** Returns a test whether any site was observed on the UTC days that a window of at most two days meets. */
export function findObservedDays(
  sites: readonly Pick<SiteReport, "samples">[],
): (window: Window) => boolean {
  const days = new Set<number>();
  for (const { samples } of sites) {
    for (const { from, observedTime } of samples.days) if (observedTime > 0) days.add(from);
    for (const { from, to } of samples.intervals) {
      for (let day = floorToDay(from); day < to; day += DAY) days.add(day);
    }
  }
  return ({ from, to }) => days.has(floorToDay(from)) || days.has(floorToDay(to - 1));
}
