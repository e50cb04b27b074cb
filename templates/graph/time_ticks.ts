// @ts-types="@types/d3-scale"
import { scaleUtc } from "d3-scale";
import type { Window } from "../../lib/history/windows.ts";
import { HOUR } from "../../lib/time.ts";

export interface TimeTick {
  /** Milliseconds since 1970. */
  time: number;
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
  const { month, hour, minute } = plain;
  const isMidnight = hour === 0 && minute === 0;
  if (!isMidnight && !zoned.toPlainDateTime().equals(plain)) return [];
  const tick = (by: TimeTick["by"], isMajor = false): TimeTick[] => [
    { time: zoned.epochMilliseconds, by, isMajor },
  ];
  if (step < 20 * HOUR) return isMidnight ? tick("weekday", true) : tick("clock");
  if (step < 5 * 24 * HOUR) return tick("weekday");
  if (step < 20 * 24 * HOUR) return tick("date");
  if (step > 300 * 24 * HOUR) return tick("year");
  return month === 1 ? tick("year", true) : tick("month");
}
