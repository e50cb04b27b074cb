/** A moment as every stored file writes it: ISO 8601 in UTC, to the millisecond. */
export function formatTime(time: Temporal.Instant): string {
  // Much faster than the moment's own way, and there are many in a log.
  return formatMoment(time.epochMilliseconds);
}

/** Formats a moment in milliseconds since 1970 as {@linkcode formatTime} does. */
export function formatMoment(moment: number): string {
  return new Date(moment).toISOString();
}

/** A moment to the minute in UTC, `YYYY-MM-DD HH:MM`. */
export function utcMinute(time: Temporal.Instant): string {
  return formatTime(time).slice(0, 16).replace("T", " ");
}

/** The UTC day of a moment, as {@linkcode formatDate} writes it. */
export function utcDay(time: Temporal.Instant): string {
  return formatDate(time.epochMilliseconds);
}

/** What times for people depend on: the zone of their clocks, and the moment at which they read them. */
export interface Reading {
  timezone: string;
  now: Temporal.Instant;
}

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** Time in which a clock shows no hour twice, so that the second of two times needs no date. */
const HALF_A_DAY = { hours: 12 };

/**
 * A moment for people, with the date if it isn't the day on which they read it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const vienna = { timezone: "Europe/Vienna", now: Temporal.Instant.from("2026-11-27T22:00:00Z") };
 * const show = (time: string) => describeMoment(Temporal.Instant.from(time), vienna);
 * assertEquals(show("2026-11-27T21:14:00Z"), "22:14 CET");
 * assertEquals(show("2026-10-24T21:14:00Z"), "24 Oct 23:14 CEST");
 * assertEquals(show("2025-11-27T21:14:00Z"), "27 Nov 2025 22:14 CET");
 * ```
 */
export function describeMoment(time: Temporal.Instant, { timezone, now }: Reading): string {
  const day = isOnDay(time, now, timezone) ? "" : describeDay(time, { timezone, now });
  return `${day}${clockTime(time, timezone)} ${findZoneName(time, timezone)}`;
}

/**
 * A time from one moment to another for people, with no more dates than it needs.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const vienna = { timezone: "Europe/Vienna", now: Temporal.Instant.from("2026-11-27T23:05:00Z") };
 * const show = (...times: [string, string]) => {
 *   const [from, to] = times.map((time) => Temporal.Instant.from(time)) as [Temporal.Instant, Temporal.Instant];
 *   return describeSpan(from, to, vienna);
 * };
 * assertEquals(show("2026-11-27T22:53:00Z", "2026-11-27T23:00:00Z"), "23:53 to 00:00 CET");
 * assertEquals(show("2026-11-26T22:53:00Z", "2026-11-26T23:00:00Z"), "26 Nov 23:53 to 00:00 CET");
 * assertEquals(show("2026-11-26T10:00:00Z", "2026-11-27T23:00:00Z"), "26 Nov 11:00 to 28 Nov 00:00 CET");
 * assertEquals(show("2026-10-25T00:30:00Z", "2026-10-25T01:10:00Z"), "25 Oct 02:30 CEST to 02:10 CET");
 * ```
 */
export function describeSpan(
  from: Temporal.Instant,
  to: Temporal.Instant,
  { timezone, now }: Reading,
): string {
  const isShort = isBefore(to, from.add(HALF_A_DAY));
  const isNow = isOnDay(from, now, timezone) || (isShort && isOnDay(to, now, timezone));
  const start = isNow ? "" : describeDay(from, { timezone, now });
  const end = isShort || isOnDay(from, to, timezone) ? "" : describeDay(to, { timezone, now });
  const [one, other] = [from, to].map((time) => findZoneName(time, timezone));
  const zone = one === other ? "" : ` ${one}`;
  return `${start}${clockTime(from, timezone)}${zone} to ${end}${clockTime(to, timezone)} ${other}`;
}

function isOnDay(one: Temporal.Instant, other: Temporal.Instant, timezone: string): boolean {
  const [day, same] = [one, other].map((time) =>
    time.toZonedDateTimeISO(timezone).toPlainDate().toString()
  );
  return day === same;
}

/** The day of a moment, with the year if it isn't the present one: `24 Oct `. */
function describeDay(time: Temporal.Instant, { timezone, now }: Reading): string {
  const { day, month, year } = time.toZonedDateTimeISO(timezone);
  const isThisYear = year === now.toZonedDateTimeISO(timezone).year;
  return `${day} ${MONTHS[month - 1]}${isThisYear ? "" : ` ${year}`} `;
}

function clockTime(time: Temporal.Instant, timezone: string): string {
  return time.toZonedDateTimeISO(timezone).toPlainTime().toString().slice(0, 5);
}

/** Each kind of English knows the names of the zones in which it is spoken, and the first one most of Europe's. */
const ENGLISH = ["en-GB", "en-US", "en-AU", "en-NZ", "en-IN", "en-IE", "en-ZA"];
const zoneNames = new Map<string, string>();

/** The short name of a time zone at a moment: `CET`, `CEST`, or `GMT+9` if English has none. */
function findZoneName(time: Temporal.Instant, timeZone: string): string {
  const key = `${timeZone} ${time.toZonedDateTimeISO(timeZone).offset}`;
  let name = zoneNames.get(key) ?? "";
  for (const locale of name === "" ? ENGLISH : []) {
    const format = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: "short" });
    name = format.formatToParts(time.epochMilliseconds)
      .find(({ type }) => type === "timeZoneName")!.value;
    if (!/\d/.test(name)) break;
  }
  zoneNames.set(key, name);
  return name;
}

export function isBefore(one: Temporal.Instant, other: Temporal.Instant): boolean {
  return Temporal.Instant.compare(one, other) < 0;
}

/** The earliest of some times, of which there must be one. */
export function earliest(...times: readonly Temporal.Instant[]): Temporal.Instant {
  return times.reduce((one, other) => isBefore(other, one) ? other : one);
}

/** The latest of some times, of which there must be one. */
export function latest(...times: readonly Temporal.Instant[]): Temporal.Instant {
  return times.reduce((one, other) => isBefore(one, other) ? other : one);
}

/** A minute, in milliseconds. */
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Milliseconds from which a response time is shown in larger units: a job may take hours. */
export const LONG_TIME = 2 * MINUTE;

/** Start of the UTC day of a moment, both in milliseconds since 1970. */
export function floorToDay(moment: number): number {
  return Math.floor(moment / DAY) * DAY;
}

const dates = new Map<number, string>();

/**
 * The UTC day of a moment in milliseconds since 1970, `YYYY-MM-DD`; of a far year `+YYYYYY-MM-DD`. Each is formatted
 * once, because there are few days of many moments.
 */
export function formatDate(moment: number): string {
  return dates.getOrInsertComputed(
    floorToDay(moment),
    (day) => formatMoment(day).split("T", 1)[0]!,
  );
}

const UNITS = [["day", 86_400], ["hour", 3_600], ["minute", 60], ["second", 1]] as const;

/** A length of time in its two largest units, given in whole seconds; none for nothing. */
export function largestUnits(
  seconds: number,
): [count: number, unit: typeof UNITS[number][0]][] {
  const first = UNITS.findIndex(([, length]) => seconds >= length);
  if (first === -1) return [];
  let rest = seconds;
  return UNITS.slice(first, first + 2).flatMap(([unit, length]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    return count > 0 ? [[count, unit]] : [];
  });
}

/**
 * A length of time in words, its two largest units.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(describeDuration(7_500_000), "2 hours 5 minutes");
 * assertEquals(describeDuration(1_000), "1 second");
 * assertEquals(describeDuration(340), "less than a second");
 * ```
 */
export function describeDuration(milliseconds: number): string {
  if (milliseconds < 1000) return "less than a second";
  return largestUnits(Math.round(milliseconds / 1000))
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? "" : "s"}`).join(" ");
}

/** A length of time in words, its largest unit only; at least a second. */
export function describeLargestUnit(milliseconds: number): string {
  return describeDuration(Math.max(milliseconds, 1000)).split(" ", 2).join(" ");
}

/** A length of time in whole minutes if it has any, both in milliseconds, as people say for how long something has been so. */
export function floorToMinute(milliseconds: number): number {
  return milliseconds < MINUTE ? milliseconds : Math.floor(milliseconds / MINUTE) * MINUTE;
}

/**
 * Describes how often something happens, in the largest unit that needs no other.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([MINUTE, 90 * MINUTE].map(describeInterval), ["every minute", "every 90 minutes"]);
 * ```
 */
export function describeInterval(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  const [unit, length] = UNITS.find(([, length]) => seconds % length === 0) ?? UNITS.at(-1)!;
  return seconds === length ? `every ${unit}` : `every ${seconds / length} ${unit}s`;
}

/** Formats how long something took as the end of a sentence, ` after 5 minutes`; empty if that rounds to nothing. */
export function describeAfter(milliseconds: number): string {
  return milliseconds < 50 ? "" : ` after ${describeDuration(milliseconds)}`;
}
