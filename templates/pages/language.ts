import { toPercent } from "../../lib/statistics/statistics.ts";
import { cached, createLanguage as createSentences, moveZone } from "../../lib/text/language.ts";
import type { MessageKey, Messages } from "../../lib/text/messages.ts";
import { utcDay } from "../../lib/time.ts";
import type { TimeTick } from "../graph/time_ticks.ts";
import type { Content } from "./html.ts";

export type Language = ReturnType<typeof createLanguage>;

/**
 * Writes the dates of a page in its language and time zone, and what else it shows as elements or briefly; numeric times
 * are milliseconds since 1970.
 */
export function createLanguage(messages: Messages, lang: string, timezone: string) {
  const base = createSentences(lang, messages);
  const { say, sayParts, listForms, isolate, locale } = base;
  const date = (
    options: Intl.DateTimeFormatOptions,
    timeZone = timezone,
    of: Intl.LocalesArgument = locale,
  ) => {
    const format = new Intl.DateTimeFormat(of, { ...options, timeZone });
    return cached((time: number) => moveZone(format.format(time)));
  };
  const number = (options: Intl.NumberFormatOptions) => {
    const format = new Intl.NumberFormat(locale, options);
    return cached((value: number) => format.format(value));
  };
  const hours = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const withZone = { ...hours, timeZoneName: "short" } as const;
  const longDay = { day: "numeric", month: "long", year: "numeric" } as const;
  const shortDay = { day: "numeric", month: "short" } as const;
  const moment = date({ ...withZone, ...shortDay, year: "numeric" });
  const dayTime = date({ ...withZone, ...shortDay });
  const clock = date(withZone);
  const days = date(longDay, "UTC");
  const shortDays = date(shortDay, "UTC");
  const ranges = new Intl.DateTimeFormat(locale, { ...shortDay, timeZone: "UTC" });
  const months = date({ month: "long", year: "numeric" }, "UTC");
  const weekdays = {
    short: date({ weekday: "short" }, "UTC"),
    long: date({ weekday: "long" }, "UTC"),
  };
  const ticks = {
    clock: date(hours),
    // American English has the day first.
    weekday: date(
      { weekday: "short", day: "numeric" },
      timezone,
      locale.language === "en" ? "en-GB" : locale,
    ),
    date: date(shortDay),
    month: date({ month: "short" }),
    year: date({ year: "numeric" }),
  };
  // "en" is American English for ICU, which alone has a comma before "and".
  const listLocale = lang === "en" ? "en-GB" : locale;
  const lists = new Intl.ListFormat(listLocale, { type: "conjunction" });
  const comma = say("commaBetween", { ONE: "", OTHER: "" });
  const share = cached((share: number) => base.percent(toPercent(share) / 100));
  // Within right-to-left text, a number and its unit would swap places with their neighbours.
  return {
    base,
    isolate,
    /** The direction of a sentence that may start with a name: on left-to-right pages that of the name. */
    sentenceDirection: base.isRightToLeft ? undefined : "auto" as const,
    say,
    listForms,
    sayElements: (key: MessageKey, values: Readonly<Record<string, Content>>): Content[] =>
      sayParts(key, values),
    /** `21 Nov 2026, 10:05 UTC` */
    moment: (time: Temporal.Instant) => moment(time.epochMilliseconds),
    /** `21 Nov, 10:05 UTC` */
    dayTime: (time: Temporal.Instant) => dayTime(time.epochMilliseconds),
    /** `10:05 UTC` */
    clock: (time: Temporal.Instant) => clock(time.epochMilliseconds),
    /** `21 November 2026`, of a date `YYYY-MM-DD` */
    day: (date: string) => days(Date.parse(date)),
    /** `21 Nov` */
    shortDay: (date: string) => shortDays(Date.parse(date)),
    /** `15 – 22 Nov`, of two dates that may be equal */
    dayRange: (from: string, to: string) => {
      const days = [Date.parse(from), Date.parse(to)] as const;
      // Ranges of Chinese and Japanese have other dates: `11/15～11/22`.
      return base.gap !== "" || from === to
        ? ranges.formatRange(...days)
        : say("fromTo", { FROM: shortDays(days[0]), TO: shortDays(days[1]) });
    },
    /** `November 2026`, of a month `YYYY-MM` */
    month: (month: string) => months(Date.parse(month)),
    /** The date of a moment, `YYYY-MM-DD`. Without a zone it is several times faster, and incidents are many. */
    dateOf: timezone === "UTC"
      ? utcDay
      : (time: Temporal.Instant) => time.toZonedDateTimeISO(timezone).toPlainDate().toString(),
    /** `21 Nov, 10:00` */
    brief: date({ ...shortDay, ...hours }),
    /** `21 November 2026` */
    fullDay: date(longDay),
    /** `10:00`, `Sat 21`, `21 Nov`, `Nov` or `2026` */
    tick: ({ time, by }: Pick<TimeTick, "time" | "by">) => ticks[by](time),
    /** The two largest units of seconds: `2 hr 5 min` */
    duration: (seconds: number) => isolate(base.brief(seconds * 1000)),
    /** `99.98%`, never rounded up to 100% */
    share: (value?: number) => value === undefined ? say("noData") : share(value),
    /** `99.995%`, with all decimals */
    target: base.percent,
    milliseconds: (value?: number) =>
      value === undefined ? say("noData") : isolate(base.responseTime(value)),
    /** `Cards, Checkout and Queue` */
    list: base.list,
    /** The same of elements. */
    listElements: (all: readonly Content[]): Content[] =>
      lists.formatToParts(all.map((_, index) => String(index)))
        .map(({ type, value }) => type === "element" ? all[Number(value)] : value),
    /** `Cards is down, Search is degraded` */
    clauses: (all: readonly Content[]): Content[] =>
      all.flatMap((one, index) => index === 0 ? [one] : [comma, one]),
    /** Separator of sentences. */
    gap: base.gap,
    /** `9 days ago`, of seconds: in days from two of them on. */
    ago: (seconds: number) => {
      const [length, unit] = seconds >= 2 * 86_400
        ? [86_400, "day"] as const
        : seconds >= 3_600
        ? [3_600, "hour"] as const
        : [60, "minute"] as const;
      return base.relative(-Math.max(1, Math.floor(seconds / length)), unit);
    },
    /** `90 days ago` */
    back: (count: number, unit: "hour" | "day" | "year") => base.relative(-count, unit),
    number: base.number,
    /** The day of the week of a time in UTC: `Mon` and `Monday` */
    weekday: (time: number) => ({ short: weekdays.short(time), long: weekdays.long(time) }),
    /** The day with which weeks start, from 1 (Monday) to 7. */
    firstDay: findFirstDay(lang),
    /** At most two decimals: `0.9` */
    decimals: number({ maximumFractionDigits: 2 }),
    /** Two decimals: `0.98` */
    fraction: number({ minimumFractionDigits: 2, maximumFractionDigits: 2 }),
  };
}

function findFirstDay(lang: string): number {
  const locale: Intl.Locale & { getWeekInfo?(): { firstDay?: number } } = new Intl.Locale(lang);
  return locale.getWeekInfo?.().firstDay ?? 1;
}
