import { DAY } from "../time.ts";
import type { RolledDay } from "./evidence.ts";
import type { Window } from "./windows.ts";

/** A day whose totals count, and the share of it that lies in a window. */
export interface DayPart extends RolledDay {
  share: number;
  window: Window;
}

/** Of the day on which a site was first monitored, all that is known lies behind that moment. */
export function partOf(day: RolledDay, { from, to }: Window, first = day.from): DayPart[] {
  const end = day.from + DAY;
  if (end <= from || day.from >= to) return [];
  const begin = Math.min(Math.max(day.from, first), end - 1);
  const window = { from: Math.max(from, begin), to: Math.min(to, end) };
  const length = window.to - window.from;
  return length <= 0 ? [] : [{ ...day, window, share: length / (end - begin) }];
}
