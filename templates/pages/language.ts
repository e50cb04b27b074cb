import {
  type MessageKey,
  type MessagePart,
  type Messages,
  partsOf,
} from "../../lib/text/messages.ts";
import { percentOf } from "../../lib/statistics/percent.ts";
import { largestUnits, utcDay } from "../../lib/time.ts";
import type { TimeTick } from "../graph/plot.ts";
import type { Content } from "./html.ts";

/** The words, dates and numbers of a page in its language and zone. */
export interface Language {
  /** A text with values put in for its `$NAMES`. */
  say(key: MessageKey, values?: Readonly<Record<string, string>>): string;
  tell(key: MessageKey, values: Readonly<Record<string, Content>>): Content[];
  /** A moment with its day and zone: `21 Nov 2026, 10:05 UTC`. */
  moment(time: Temporal.Instant): string;
  /** A time of day with its zone: `10:05 UTC`. */
  clock(time: Temporal.Instant): string;
  /** A day in full: `21 November 2026`; given as `YYYY-MM-DD`. */
  day(date: string): string;
  /** A day in few letters: `21 Nov`. */
  shortDay(date: string): string;
  /** A month: `November 2026`; given as `YYYY-MM`. */
  month(month: string): string;
  /** The day (`YYYY-MM-DD`) of a moment on the clocks of the page. */
  dateOf(time: Temporal.Instant): string;
  /** A moment in milliseconds since 1970 without year and zone, for rows of which many stand below each other: `21 Nov, 10:00`. */
  brief(time: number): string;
  /** The day of a moment in milliseconds since 1970: `21 November 2026`. */
  fullDay(time: number): string;
  tick(tick: Pick<TimeTick, "time" | "by">): string;
  /** Seconds in their two largest units: `2 hr, 5 min`. */
  duration(seconds: number): string;
  /** A share from 0 to 1 in percent, `99.98%`; words where there is none. */
  share(share: number | undefined): string;
  /** A target from 0 to 1 in percent, with all of its decimals: `99.995%`. */
  target(share: number): string;
  /** Milliseconds with their unit; words where there are none. */
  milliseconds(value: number | undefined): string;
  number(value: number): string;
  /** A number with two decimals: `0.98`. */
  fraction(value: number): string;
}

/** The language of a page, from its words, its locale and its zone. */
export function languageOf(messages: Messages, lang: string, timezone: string): Language {
  const calendar = calendarOf(lang);
  const format = (options: Intl.DateTimeFormatOptions, timeZone = timezone) =>
    new Intl.DateTimeFormat(lang, { ...options, timeZone, calendar });
  const withZone = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZoneName: "short" };
  const moments = format({ ...withZone as Intl.DateTimeFormatOptions, ...DAY, month: "short" });
  const clocks = format(withZone as Intl.DateTimeFormatOptions);
  const days = format({ ...DAY, month: "long" }, "UTC");
  const shortDays = format({ day: "numeric", month: "short" }, "UTC");
  const months = format({ month: "long", year: "numeric" }, "UTC");
  const briefs = format({ day: "numeric", month: "short", ...HOURS });
  const weekdays = format({ weekday: "short" });
  const monthDays = format({ day: "numeric" });
  const ticks = {
    clock: remembered(formatted(format(HOURS))),
    weekday: remembered((time: number) => `${weekdays.format(time)} ${monthDays.format(time)}`),
    date: remembered(formatted(format({ day: "numeric", month: "short" }))),
    month: remembered(formatted(format({ month: "short" }))),
    year: remembered(formatted(format({ year: "numeric" }))),
  };
  const percents = new Intl.NumberFormat(lang, { style: "percent", maximumFractionDigits: 8 });
  const numbers = new Intl.NumberFormat(lang, { maximumFractionDigits: 0 });
  const fractions = new Intl.NumberFormat(lang, {
    ...{ minimumFractionDigits: 2, maximumFractionDigits: 2 },
  });
  const milliseconds = new Intl.NumberFormat(lang, {
    ...{ style: "unit", unit: "millisecond", maximumFractionDigits: 0 },
  });
  // In right-to-left text, a number and its unit would change places with their neighbours.
  const isolated = (text: string) => isRightToLeft(lang) ? `\u2068${text}\u2069` : text;
  const moment = remembered(formatted(moments));
  const clock = remembered(formatted(clocks));
  const percent = remembered((share: number) => percents.format(share));
  const { say, tell } = sentencesOf(messages);
  const wholeMilliseconds = remembered((value: number) => milliseconds.format(value));
  const wholeDurations = remembered(durationsIn(lang));
  return {
    say,
    tell,
    moment: (time) => moment(time.epochMilliseconds),
    clock: (time) => clock(time.epochMilliseconds),
    day: (date) => days.format(Date.parse(date)),
    shortDay: remembered((date: string) => shortDays.format(Date.parse(date))),
    month: (month) => months.format(Date.parse(month)),
    // Several times as fast where there is no zone to look up, and each incident asks.
    dateOf: timezone === "UTC"
      ? utcDay
      : (time) => time.toZonedDateTimeISO(timezone).toPlainDate().toString(),
    brief: remembered(formatted(briefs)),
    fullDay: remembered(formatted(format({ ...DAY, month: "long" }))),
    tick: ({ time, by }) => ticks[by](time),
    duration: (seconds) => isolated(wholeDurations(withoutRest(Math.max(1, Math.round(seconds))))),
    share: (share) => share === undefined ? say("noData") : percent(percentOf(share) / 100),
    target: percent,
    milliseconds: (value) =>
      value === undefined ? say("noData") : isolated(wholeMilliseconds(Math.round(value))),
    number: remembered((value: number) => numbers.format(value)),
    fraction: remembered((value: number) => fractions.format(value)),
  };
}

/** True if a language is written from the right to the left. */
export function isRightToLeft(lang: string): boolean {
  const locale: Intl.Locale & { getTextInfo?(): { direction?: string } } = new Intl.Locale(lang);
  return locale.getTextInfo?.().direction === "rtl";
}

/** The words of a page as sentences that values are put into. */
function sentencesOf(messages: Messages): Pick<Language, "say" | "tell"> {
  const partsByKey = new Map<MessageKey, MessagePart[]>();
  // Taken apart once: some of them are filled a hundred thousand times.
  const parts = (key: MessageKey) => {
    let known = partsByKey.get(key);
    if (known === undefined) partsByKey.set(key, known = partsOf(messages[key]));
    return known;
  };
  return {
    say: (key, values) => {
      if (values === undefined) return messages[key];
      let text = "";
      for (const part of parts(key)) {
        text += "text" in part ? part.text : values[part.name] ?? `$${part.name}`;
      }
      return text;
    },
    tell: (key, values) =>
      parts(key).map((part) => "text" in part ? part.text : values[part.name] ?? `$${part.name}`),
  };
}

/** Calendars with the months that incidents are listed by, whatever they count the years from. */
const SAME_MONTHS = ["buddhist", "gregory", "japanese", "roc"];

/** The calendar of a language, or the common one where that has other months. */
function calendarOf(lang: string): string {
  const { calendar } = new Intl.DateTimeFormat(lang).resolvedOptions();
  return SAME_MONTHS.includes(calendar) ? calendar : "gregory";
}

const HOURS = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
const DAY = { day: "numeric", year: "numeric" } as const;

/** Tells seconds as `Intl.DurationFormat` does, which takes dozens of times as long: it makes such formats anew each time. */
function durationsIn(lang: string): (seconds: number) => string {
  const formatOf = (unit: string) =>
    new Intl.NumberFormat(lang, { style: "unit", unit, unitDisplay: "short" });
  const formats = {
    day: formatOf("day"),
    hour: formatOf("hour"),
    minute: formatOf("minute"),
    second: formatOf("second"),
  };
  const list = new Intl.ListFormat(lang, { type: "unit", style: "short" });
  return (seconds) =>
    list.format(largestUnits(seconds).map(([count, unit]) => formats[unit].format(count)));
}

/** Seconds without those that a length in its two largest units does not tell. */
function withoutRest(seconds: number): number {
  const told = seconds >= 86_400 ? 3_600 : seconds >= 3_600 ? 60 : 1;
  return seconds - seconds % told;
}

function formatted(format: Intl.DateTimeFormat): (time: number) => string {
  return (time) => format.format(time);
}

function remembered<T>(make: (value: T) => string): (value: T) => string {
  const known = new Map<T, string>();
  return (value) => {
    let found = known.get(value);
    if (found === undefined) known.set(value, found = make(value));
    return found;
  };
}
