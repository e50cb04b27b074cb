import type { State } from "../../state.ts";
import { daysIn } from "../days_in.ts";
import { timesIn } from "../times_in.ts";
import { type Window, windowBack, type WindowName } from "../../history/windows.ts";
import { dateOf, DAY, dayOf } from "../../time.ts";
import { type DayBar, worstOf } from "./day_bars.ts";
import type { SiteReport } from "./report.ts";

/** Number of equal pieces of a window: hours, quarters of days, days, weeks. */
const PIECES = { day: 24, week: 28, month: 30, year: 52 } as const satisfies Partial<
  Record<WindowName, number>
>;
/** A window whose bars are such pieces; those of the quarter are days of UTC. */
export type PieceWindow = keyof typeof PIECES;

/** The state of a site in one piece of a window. */
export interface PieceBar {
  worst: State;
  /** Whole minutes of that state; absent if it is up or unknown. */
  minutes?: number;
}

/** Computes the bars of a window of equal pieces, oldest first: together they cover exactly what its figures do. */
export function pieceBars(
  { evidence }: Pick<SiteReport, "evidence">,
  name: PieceWindow,
): PieceBar[] {
  const { from, to } = windowBack(name, evidence.now, evidence.now);
  const count = PIECES[name];
  const length = (to - from) / count;
  return Array.from({ length: count }, (_, index) => {
    const begin = from + index * length;
    const bar = barOf(evidence, { from: begin, to: begin + length });
    const { worst } = bar;
    return worst === "up" || worst === "unknown"
      ? { worst }
      : { worst, minutes: Math.max(1, Math.round(bar[worst] / 60)) };
  });
}

/**
 * Computes the bars of the last 90 UTC days, oldest first, without those before
 * the site was first monitored. The first one starts with the window of 90 x 24
 * hours, some hours before its day, so that bars and figures cover the same time.
 */
export function quarterBars({ evidence }: Pick<SiteReport, "evidence">): DayBar[] {
  const { from } = windowBack("quarter", evidence.now, evidence.now);
  const last = dayOf(evidence.now);
  const first = Math.min(last, Math.max(dayOf(from) + DAY, dayOf(evidence.first ?? evidence.now)));
  return Array.from({ length: (last - first) / DAY + 1 }, (_, index) => {
    const day = first + index * DAY;
    const begin = index === 0 ? Math.min(from, day) : day;
    return { date: dateOf(day), ...barOf(evidence, { from: begin, to: day + DAY }) };
  });
}

function barOf(evidence: SiteReport["evidence"], window: Window): Omit<DayBar, "date"> {
  const times = timesIn(evidence, window, daysIn(evidence.days, window, evidence.first));
  const { observed, down, degraded, maintenance } = times;
  const judged = observed - maintenance;
  const uptime = judged <= 0 ? undefined : Math.max(0, 1 - down / judged);
  return { observed, down, degraded, maintenance, uptime, worst: worstOf(times) };
}
