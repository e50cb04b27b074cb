// @ts-types="@types/d3-scale"
import { scaleUtc } from "d3-scale";
import type { Window } from "../../lib/history/windows.ts";
import { HOUR } from "../../lib/time.ts";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

export interface TimeTick {
  /** Milliseconds since 1970. */
  time: number;
  label: string;
  /** Part of the time that the label names. */
  by: "clock" | "weekday" | "date" | "month" | "year";
  /** True for a day among hours and a year among months. */
  isMajor: boolean;
}

/** Numbers of ticks to try, so that fewer are found if labels don't fit. */
const TIME_TICKS = [24, 18, 12, 8, 6, 4, 3, 2];

/** Computes the ticks of a window in a time zone: as many as `fits` accepts. */
export function computeTimeTicks(
  window: Window,
  zone: string,
  fits: (ticks: readonly TimeTick[]) => boolean,
): TimeTick[] {
  const domain = [wallClock(window.from, zone), wallClock(window.to, zone)];
  const scale = scaleUtc().domain(domain);
  for (const count of TIME_TICKS) {
    const dates = scale.ticks(count);
    const ticks = dates.flatMap((date) => timeTick(date, dates, zone))
      .filter(({ time }) => time >= window.from && time <= window.to);
    if (fits(ticks)) return ticks;
  }
  return [];
}

/** The time that clocks of a zone show, as if they were clocks of UTC. */
function wallClock(time: number, zone: string): Date {
  const zoned = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone);
  return new Date(time + zoned.offsetNanoseconds / 1e6);
}

/** A tick at a wall-clock time; none if the clocks skip it. */
function timeTick(date: Date, all: readonly Date[], zone: string): TimeTick[] {
  const step = all.length < 2 ? HOUR : all[1]!.getTime() - all[0]!.getTime();
  const plain = Temporal.PlainDateTime.from(date.toISOString().slice(0, -1));
  const zoned = plain.toZonedDateTime(zone);
  const { day, month, year, hour, minute } = plain;
  const isMidnight = hour === 0 && minute === 0;
  if (!isMidnight && !zoned.toPlainDateTime().equals(plain)) return [];
  const clock = plain.toPlainTime().toString({ smallestUnit: "minute" });
  const tick = (label: string, by: TimeTick["by"], isMajor = false): TimeTick[] => [
    { time: zoned.epochMilliseconds, label, by, isMajor },
  ];
  if (step < 20 * HOUR) {
    return isMidnight
      ? tick(`${WEEKDAYS[date.getUTCDay()]} ${day}`, "weekday", true)
      : tick(clock, "clock");
  }
  if (step < 5 * 24 * HOUR) return tick(`${WEEKDAYS[date.getUTCDay()]} ${day}`, "weekday");
  if (step < 20 * 24 * HOUR) return tick(`${day} ${MONTHS[month - 1]}`, "date");
  if (step > 300 * 24 * HOUR) return tick(String(year), "year");
  return month === 1 ? tick(String(year), "year", true) : tick(MONTHS[month - 1]!, "month");
}

/** A moment in a zone, such as `21 Nov 2026, 10:05`. */
export function formatMoment(time: number, zone: string): string {
  const zoned = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone);
  const clock = zoned.toPlainTime().toString({ smallestUnit: "minute" });
  return `${zoned.day} ${MONTHS[zoned.month - 1]} ${zoned.year}, ${clock}`;
}
