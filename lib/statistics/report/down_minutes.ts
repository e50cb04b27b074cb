import { firstFrom } from "../days_in.ts";
import type { Evidence } from "../evidence.ts";
import { secondsByDay } from "../seconds_by_day.ts";
import { WINDOWS } from "../../history/windows.ts";
import { dateOf, dayOf } from "../../time.ts";

/**
 * Minutes of outages by day (`YYYY-MM-DD`, UTC), oldest first: whole ones, of those of the last 365 days
 * that had half a minute at least.
 */
export function downMinutes(
  { spans, days, now }: Pick<Evidence, "spans" | "days" | "now">,
): Map<string, number> {
  const start = dayOf(now - WINDOWS.year.length);
  const seconds = new Map<number, number>();
  const add = (day: number, length: number) => {
    if (day >= start && length > 0) seconds.set(day, (seconds.get(day) ?? 0) + length);
  };
  days.forEach(({ from, totals }) => add(from, totals.downTime), firstFrom(days, start));
  for (const span of spans) {
    if (span.state !== "down") continue;
    for (const [day, length] of secondsByDay(span)) add(day, length);
  }
  const minutes = [...seconds].sort(([one], [other]) => one - other)
    .map(([day, length]) => ({ day, length: Math.round(length / 60) }));
  return new Map(
    minutes.flatMap(({ day, length }) => length > 0 ? [[dateOf(day), length] as const] : []),
  );
}
