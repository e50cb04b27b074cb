import {
  describeMoment,
  describeSpan,
  largestUnits,
  LONG_TIME,
  type Reading,
  utcMinute,
} from "../time.ts";
import {
  type MessageKey,
  type MessagePart,
  type Messages,
  parseMessage,
  type PluralKey,
} from "./messages.ts";

export type Language = ReturnType<typeof createLanguage>;

/** Writes sentences, numbers and times in a language: `code` is a BCP 47 tag. Digits are Latin in all of them. */
export function createLanguage(code: string, messages: Messages) {
  // The first use of Intl takes longer than many a run, most of which have nothing to say.
  const locale = lazy(() =>
    new Intl.Locale(code, { numberingSystem: "latn", calendar: "gregory" })
  );
  const isEnglish = /^en\b/.test(code);
  const whole = lazy(() => new Intl.NumberFormat(locale(), { maximumFractionDigits: 0 }));
  const number = cached((value: number) => whole().format(value));
  // "en" is American English for ICU, which alone has a comma before "and".
  const lists = lazy(() =>
    new Intl.ListFormat(code === "en" ? "en-GB" : locale(), { type: "conjunction" })
  );
  const isChinese = /^zh\b/.test(code);
  const isWide = isChinese || /^ja\b/.test(code);
  const gap = isWide ? "" : " ";
  const units = lazy(() => new Intl.ListFormat(locale(), { type: "unit", style: "narrow" }));
  const relative = lazy(() => new Intl.RelativeTimeFormat(locale()));
  const minutes = lazy(() =>
    new Intl.DateTimeFormat(locale(), {
      ...{ timeZone: "UTC", timeZoneName: "short", hourCycle: "h23" },
      ...{ year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" },
    })
  );
  const format = (options: Intl.NumberFormatOptions) => {
    const own = lazy(() => new Intl.NumberFormat(locale(), options));
    return cached((value: number) => own().format(value));
  };
  const findTimeFormat = createTimeFormats(locale);
  const date = (day: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale(), { ...options, timeZone: "UTC" }).format(Date.parse(day));
  const toUnits = (seconds: number, unitDisplay: "long" | "short") =>
    largestUnits(seconds).map(([count, unit]) =>
      new Intl.NumberFormat(locale(), { style: "unit", unit, unitDisplay }).format(count)
    );
  // Chinese has a blank between units only if it has one before them, as `2 小時` in Taiwan.
  const joinUnits = (texts: readonly string[]) =>
    texts.join(isChinese && !texts[0]!.includes(" ") ? "" : " ");
  // A comma, as in German and Dutch, would tear sentences that contain the length.
  const length = cached((seconds: number) =>
    isWide
      ? joinUnits(toUnits(seconds, "short"))
      : units().format(toUnits(seconds, "long")).replace(", ", " ")
  );
  const briefLength = cached((seconds: number) => joinUnits(toUnits(seconds, "short")));
  const percent = format({ style: "percent", maximumFractionDigits: 8 });
  const milliseconds = format({ style: "unit", unit: "millisecond", maximumFractionDigits: 0 });
  const brief = (milliseconds: number) => briefLength(roundDuration(milliseconds / 1000));
  const direction = lazy(() => isEnglish ? "ltr" : findDirection(code));
  const isolate = (text: string) =>
    direction() === "rtl" && text !== "" ? `\u2068${text}\u2069` : text;
  const sentences = createSentences(messages, locale, number);
  return {
    code,
    get locale() {
      return locale();
    },
    get isRightToLeft() {
      return direction() === "rtl";
    },
    /** Keeps a name, or an error in English, from mixing with right-to-left text around it. */
    isolate,
    ...sentences,
    number,
    /** Keeps a line right-to-left that starts with a name, by which GitHub and browsers choose its direction. */
    startLine: (text: string) => direction() === "rtl" ? `\u200f${text}` : text,
    /** Separator of sentences that have their full stops: a blank, or nothing in Chinese and Japanese. */
    gap,
    joinSentences: (sentences: readonly string[]) => sentences.join(gap),
    /** The two largest units of milliseconds: `2 hours 5 minutes`. */
    duration: (milliseconds: number) =>
      milliseconds < 1000
        ? sentences.say("lessThanASecond")
        : length(Math.round(milliseconds / 1000)),
    /** A number of milliseconds: `2,310 ms` */
    milliseconds,
    /** A response time: `84 ms`; the length of a job, in larger units. */
    responseTime: (value: number) =>
      value >= LONG_TIME ? brief(value) : milliseconds(Math.round(value)),
    /** `99.98%`, of 0.9998 and with all its decimals; isolated in place of the marks of direction that Arabic has. */
    percent: (value: number) => isolate(percent(value).replaceAll(/[\u061c\u200e\u200f]/g, "")),
    /** The two largest units of milliseconds, at least a second: `2 hr 5 min`. */
    brief,
    /** `Shop, API and Blog` */
    list: (texts: readonly string[]) => lists().format(texts),
    /** A moment as people who read it now say it: `22:14 CET`, or `26 Nov 22:14 CET`. */
    moment: (time: Temporal.Instant, reading: Reading) =>
      isEnglish
        ? describeMoment(time, reading)
        : moveZone(findTimeFormat(reading, [time]).format(time.epochMilliseconds)),
    /** A moment in UTC with its year, for texts that are kept: `2026-11-21 10:05 UTC`. */
    utcMinute: (time: Temporal.Instant) =>
      isEnglish ? `${utcMinute(time)} UTC` : moveZone(minutes().format(time.epochMilliseconds)),
    /** `in 5 days`; with a negative number `5 days ago` */
    relative: (count: number, unit: Intl.RelativeTimeFormatUnit) => relative().format(count, unit),
    /** A date `YYYY-MM-DD`, which English leaves as it is. */
    day: (day: string) => isEnglish ? day : date(day, { dateStyle: "long" }),
    /** `November 2026`, of a day of the month */
    month: (day: string) => date(day, { month: "long", year: "numeric" }),
    /** `22:14 to 22:21 CET` */
    span: (from: Temporal.Instant, to: Temporal.Instant, reading: Reading) => {
      if (isEnglish) return describeSpan(from, to, reading);
      const format = findTimeFormat(reading, [from, to]);
      const times = [from.epochMilliseconds, to.epochMilliseconds] as const;
      if (!isWide) return format.formatRange(...times);
      // Ranges of Chinese and Japanese have other dates and clocks: `11/21 10時05分`.
      const [one, other] = times.map((time) => moveZone(format.format(time)).split(" "));
      if (one!.at(-1) === other!.at(-1)) one!.pop();
      if (other!.length > 2 && one![0] === other![0]) other!.shift();
      return sentences.say("timeSpan", { FROM: one!.join(" "), TO: other!.join(" ") });
    },
  };
}

/** Puts the zone of a time last, which is first in Chinese, so that it holds for both times of `10:05 – 10:20 UTC`. */
export function moveZone(text: string): string {
  return text.replace(/(UTC|GMT\S*) ([\d:]+)$/, "$2 $1");
}

/** Rounds seconds down to what the two largest units show, so that equal texts are cached once. */
function roundDuration(seconds: number): number {
  const whole = Math.max(1, Math.round(seconds));
  const unit = whole >= 86_400 ? 3_600 : whole >= 3_600 ? 60 : 1;
  return whole - whole % unit;
}

/** The direction of a language's text. */
export function findDirection(code: string): "ltr" | "rtl" {
  const locale: Intl.Locale & { getTextInfo?(): { direction?: string } } = new Intl.Locale(code);
  return locale.getTextInfo?.().direction === "rtl" ? "rtl" : "ltr";
}

type Values<T> = Readonly<Record<string, T | string | number>>;

function createSentences(
  messages: Messages,
  locale: () => Intl.Locale,
  number: (value: number) => string,
) {
  const table: Readonly<Record<string, string>> = messages;
  const plurals = lazy(() => new Intl.PluralRules(locale()));
  const known = new Map<string, MessagePart[]>();
  // Parsed once: some texts are filled in a hundred thousand times.
  const partsOf = (key: string) =>
    known.getOrInsertComputed(key, () => parseMessage(table[key] ?? key));
  const findText = (key: MessageKey, count: unknown) => {
    if (Object.hasOwn(table, key)) return key;
    const form = typeof count === "number" ? `${key}.${plurals().select(count)}` : "";
    return Object.hasOwn(table, form) ? form : `${key}.other`;
  };
  const fill = <T>(key: MessageKey, values: Values<T>) =>
    partsOf(findText(key, values["COUNT"])).map((part) => {
      if ("text" in part) return part.text;
      const value = values[part.name];
      return typeof value === "number" ? number(value) : value ?? `$${part.name}`;
    });
  return {
    /**
     * Fills in the `$NAMES` of a text; numbers are formatted. Of a text with plural forms, the number `COUNT` selects
     * one.
     */
    say: (key: MessageKey, values?: Values<never>): string =>
      values === undefined ? table[findText(key, undefined)]! : fill(key, values).join(""),
    /** A text with plural forms by their categories, for a script. */
    listForms: (key: PluralKey): Readonly<Record<string, string>> =>
      Object.fromEntries(
        plurals().resolvedOptions().pluralCategories.flatMap((category) => {
          const text = table[`${key}.${category}`];
          return text === undefined ? [] : [[category, text]];
        }),
      ),
    /** The same as parts, for values that are no texts. */
    sayParts: <T>(key: MessageKey, values: Values<T>): (T | string)[] => fill(key, values),
  };
}

/** Creates the formats of times, each once: a day is said only if it isn't the present one, and a year likewise. */
function createTimeFormats(locale: () => Intl.Locale) {
  const known = new Map<string, Intl.DateTimeFormat>();
  return ({ timezone, now }: Reading, times: readonly Temporal.Instant[]) => {
    const days = [now, ...times].map((time) => time.toZonedDateTimeISO(timezone).toPlainDate());
    const [today] = days as [Temporal.PlainDate];
    const options: Intl.DateTimeFormatOptions = {
      timeZone: timezone,
      ...days.every((day) => day.equals(today)) ? {} : { day: "numeric", month: "short" },
      ...days.every(({ year }) => year === today.year) ? {} : { year: "numeric" },
    };
    return known.getOrInsertComputed(
      JSON.stringify(options),
      () =>
        new Intl.DateTimeFormat(locale(), {
          ...options,
          ...{ hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZoneName: "short" },
        }),
    );
  };
}

/** Caches results: a page has thousands of equal values. */
export function cached<T>(make: (value: T) => string): (value: T) => string {
  const known = new Map<T, string>();
  return (value) => known.getOrInsertComputed(value, make);
}

/** Makes something when it is first needed. */
function lazy<T extends object | string>(make: () => T): () => T {
  let made: T | undefined;
  return () => made ??= make();
}
