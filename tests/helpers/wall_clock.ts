/** The local times of a time zone, minute by minute, computed by `Intl` alone. */
export interface WallClock {
  /** The first minute, in milliseconds since 1970. */
  from: number;
  /** The local time of each minute, in milliseconds since 1970 as if it were UTC. */
  shown: ArrayLike<number>;
}

/** The days that a schedule means: a list is of numbers, and `*` of all. */
export interface Cron {
  minutes: readonly number[];
  hours: readonly number[];
  days: readonly number[] | "*";
  months: readonly number[] | "*";
  weekdays: readonly number[] | "*";
}

const MINUTE = 60_000;

/** Minutes between which no clock changes: they all change at quarters of an hour. */
const STEADY = 15;

/** Reads the local times of a time zone for some days. */
export function wallClock(timeZone: string, firstDay: string, days: number): WallClock {
  const from = Date.parse(`${firstDay}T00:00:00Z`);
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
  const shown = new Float64Array(days * 1440);
  for (let index = 0; index < shown.length; index++) {
    if (index % STEADY === 0) {
      const text = format.format(from + index * MINUTE);
      const [year, month, day, hour, minute] = text.match(/\d+/g)!;
      shown[index] = Date.UTC(+year!, +month! - 1, +day!, +hour!, +minute!);
    } else shown[index] = shown[index - 1]! + MINUTE;
  }
  return { from, shown };
}

/** The text of a schedule. */
export function cronText({ minutes, hours, days, months, weekdays }: Cron): string {
  const field = (numbers: readonly number[] | "*") => numbers === "*" ? "*" : numbers.join(",");
  return [minutes, hours, days, months, weekdays].map(field).join(" ");
}

/**
 * The starts of a schedule, found by trying every minute: the first with a matching local time; a skipped
 * local time is replaced by the minute at the same distance from the last one before it.
 */
export function minutesOf(cron: Cron, { from, shown }: WallClock): number[] {
  const met = new Set<number>();
  const found = new Set<number>();
  Array.from(shown).forEach((time, index) => {
    const now = from + index * MINUTE;
    if (index > 0) {
      const before = shown[index - 1]!;
      for (let skipped = before + MINUTE; skipped < time; skipped += MINUTE) {
        if (isMeant(cron, skipped)) found.add(now - MINUTE + skipped - before);
      }
    }
    if (!met.has(time) && isMeant(cron, time)) found.add(now);
    met.add(time);
  });
  return [...found].sort((one, other) => one - other);
}

function isMeant({ minutes, hours, days, months, weekdays }: Cron, time: number): boolean {
  const date = new Date(time);
  const has = (numbers: readonly number[] | "*", value: number) =>
    numbers === "*" || numbers.includes(value);
  const inMonth = has(days, date.getUTCDate());
  const inWeek = has(weekdays, date.getUTCDay());
  const isDay = days !== "*" && weekdays !== "*" ? inMonth || inWeek : inMonth && inWeek;
  return isDay && has(months, date.getUTCMonth() + 1) && has(hours, date.getUTCHours()) &&
    has(minutes, date.getUTCMinutes());
}
