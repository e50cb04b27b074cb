import type { Window } from "../../lib/history/windows.ts";
import { DAY, MINUTE } from "../../lib/time.ts";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** A moment on the axis of time, as it is called. */
export interface TimeTick {
  /** Milliseconds since 1970. */
  time: number;
  label: string;
  /** What it is called by. */
  by: "clock" | "weekday" | "date" | "month" | "year";
  /** Whether the label belongs to something greater than its neighbours': a day among hours, a year among months. */
  isGreater: boolean;
}

/** A distance of ticks: what it is about in milliseconds, and the ticks of a window. */
interface TickStep {
  length: number;
  ticks(window: Window, zone: string): TimeTick[];
}

/** Distances of ticks that people count time by, smallest first. */
export const TICK_STEPS: readonly TickStep[] = [
  ...[1, 2, 5, 10, 15, 30].map(minutes),
  ...[1, 2, 3, 4, 6, 12].map((hours) => minutes(60 * hours)),
  ...[1, 2].map(days),
  ...[1, 2].map(weeks),
  ...[1, 2, 3, 6].map(months),
  ...[1, 2, 5, 10, 20, 50, 100].map(years),
];

/** Times of the clock on the wall: one that a day skips has no tick, one that it has twice has its first. */
function minutes(step: number): TickStep {
  return {
    length: step * MINUTE,
    ticks: (window, zone) =>
      datesFrom(window, zone, (date) => date.add({ days: 1 })).flatMap((date) => {
        const ticks: TimeTick[] = [
          { ...startOf(date, zone), label: dayLabel(date), by: "weekday", isGreater: true },
        ];
        for (let minute = step; minute < 24 * 60; minute += step) {
          const time = new Temporal.PlainTime(Math.floor(minute / 60), minute % 60);
          const zoned = date.toZonedDateTime({ timeZone: zone, plainTime: time });
          if (!zoned.toPlainTime().equals(time)) continue;
          const label = time.toString({ smallestUnit: "minute" });
          ticks.push({ time: zoned.epochMilliseconds, label, by: "clock", isGreater: false });
        }
        return ticks;
      }).filter(within(window)),
  };
}

function days(step: number): TickStep {
  return {
    length: step * DAY,
    ticks: (window, zone) =>
      datesFrom(window, zone, (date) => date.add({ days: 1 }))
        .filter((date) => new Temporal.PlainDate(1970, 1, 1).until(date).days % step === 0)
        .map((date): TimeTick => ({
          ...startOf(date, zone),
          label: dayLabel(date),
          by: "weekday",
          isGreater: false,
        }))
        .filter(within(window)),
  };
}

/** Mondays. */
function weeks(step: number): TickStep {
  return {
    length: step * 7 * DAY,
    ticks: (window, zone) =>
      datesFrom(window, zone, (date) => date.add({ days: 8 - date.dayOfWeek }))
        .filter((date) => date.dayOfWeek === 1)
        .filter((date) => new Temporal.PlainDate(1970, 1, 5).until(date).days % (7 * step) === 0)
        .map((date): TimeTick => ({
          ...startOf(date, zone),
          label: `${date.day} ${MONTHS[date.month - 1]}`,
          by: "date",
          isGreater: false,
        })).filter(within(window)),
  };
}

function months(step: number): TickStep {
  return {
    length: step * 30 * DAY,
    ticks: (window, zone) =>
      datesFrom(window, zone, (date) => date.with({ day: 1 }).add({ months: 1 }))
        .filter((date) => date.day === 1 && (date.month - 1) % step === 0)
        .map((date): TimeTick => ({
          ...startOf(date, zone),
          label: date.month === 1 ? String(date.year) : MONTHS[date.month - 1]!,
          by: date.month === 1 ? "year" : "month",
          isGreater: date.month === 1,
        })).filter(within(window)),
  };
}

function years(step: number): TickStep {
  return {
    length: step * 365 * DAY,
    ticks: (window, zone) =>
      datesFrom(window, zone, (date) => date.with({ month: 1, day: 1 }).add({ years: 1 }))
        .filter((date) => date.dayOfYear === 1 && date.year % step === 0)
        .map((date): TimeTick => ({
          ...startOf(date, zone),
          label: String(date.year),
          by: "year",
          isGreater: false,
        }))
        .filter(within(window)),
  };
}

/** The date in which a window begins, and those that `next` leads to, up to its end. */
function datesFrom(
  { from, to }: Window,
  zone: string,
  next: (date: Temporal.PlainDate) => Temporal.PlainDate,
): Temporal.PlainDate[] {
  const dates: Temporal.PlainDate[] = [];
  const last = dateAt(to, zone);
  let date = dateAt(from, zone);
  while (Temporal.PlainDate.compare(date, last) <= 0) {
    dates.push(date);
    date = next(date);
  }
  return dates;
}

function dateAt(time: number, zone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone).toPlainDate();
}

/** The first moment of a day, which is not everywhere and always midnight. */
function startOf(date: Temporal.PlainDate, zone: string): { time: number } {
  return { time: date.toZonedDateTime(zone).epochMilliseconds };
}

/** Such as `Mon 16`. */
function dayLabel(date: Temporal.PlainDate): string {
  return `${WEEKDAYS[date.dayOfWeek - 1]} ${date.day}`;
}

function within({ from, to }: Window): (tick: TimeTick) => boolean {
  return ({ time }) => time >= from && time <= to;
}

/** A moment of a zone, such as `21 Nov 2026, 10:05`. */
export function momentLabel(time: number, zone: string): string {
  const zoned = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone);
  const clock = zoned.toPlainTime().toString({ smallestUnit: "minute" });
  return `${zoned.day} ${MONTHS[zoned.month - 1]} ${zoned.year}, ${clock}`;
}
