import type { Language } from "../../lib/text/language.ts";
import { ENGLISH_LANGUAGE } from "../../lib/text/languages.ts";
import type { MessageKey } from "../../lib/text/messages.ts";
import { isCovered } from "./style.ts";
import type { TimeTick } from "./time_ticks.ts";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** Some of the words of graphs: a font has the characters of a language, or lacks most of them. */
const WORDS = [
  ...["graphDay", "graphMean", "graphMedian", "graphSlowest", "graphUntil", "unknown", "noTimes"],
  ...["wordUptime", "wordDown", "wordDegraded", "wordMaintenance", "noData"],
] as readonly MessageKey[];

/** The language of graphs: English if the font lacks characters of a language. */
export function findGraphLanguage(language: Language): Language {
  const { tick } = createGraphTimes("UTC", language);
  const words = [
    ...WORDS.map((key) => language.say(key)),
    ...["weekday", "month"].map((by) => tick({ time: 0, by: by as TimeTick["by"] })),
  ];
  return isCovered(words.join("")) ? language : ENGLISH_LANGUAGE;
}

/** The words of a graph's times. */
export interface GraphTimes {
  /** `10:00`, `Sat 21`, `21 Nov`, `Nov` or `2026` */
  tick(tick: Pick<TimeTick, "time" | "by">): string;
  /** `21 Nov 2026, 10:05` */
  moment(time: number): string;
}

/** Formats times in a zone; in English, days precede months. */
export function createGraphTimes(timeZone: string, { locale }: Language): GraphTimes {
  if (locale.language === "en") return createEnglishTimes(timeZone);
  const date = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone, calendar: "gregory" });
    return (time: number) => format.format(time);
  };
  const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const day = { day: "numeric", month: "short" } as const;
  const formats: Readonly<Record<TimeTick["by"], (time: number) => string>> = {
    clock: date(clock),
    weekday: date({ weekday: "short", day: "numeric" }),
    date: date(day),
    month: date({ month: "short" }),
    year: date({ year: "numeric" }),
  };
  return {
    tick: ({ time, by }) => formats[by](time),
    moment: date({ ...day, year: "numeric", ...clock }),
  };
}

function createEnglishTimes(timeZone: string): GraphTimes {
  const read = (time: number) => {
    const { day, dayOfWeek, month, year, hour, minute } = Temporal.Instant
      .fromEpochMilliseconds(time).toZonedDateTimeISO(timeZone);
    const clock = [hour, minute].map((one) => String(one).padStart(2, "0")).join(":");
    const [weekday, monthName] = [WEEKDAYS[dayOfWeek - 1]!, MONTHS[month - 1]!];
    return {
      clock,
      weekday: `${weekday} ${day}`,
      date: `${day} ${monthName}`,
      month: monthName,
      year: String(year),
    };
  };
  return {
    tick: ({ time, by }) => read(time)[by],
    moment: (time) => {
      const { date, year, clock } = read(time);
      return `${date} ${year}, ${clock}`;
    },
  };
}
