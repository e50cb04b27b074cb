import {
  type DayBar,
  dayBars,
  type PartBar,
  partBars,
  type PartWindow,
} from "../../lib/statistics/report/bars.ts";
import type { SiteReport } from "../../lib/statistics/report/report.ts";
import type { State } from "../../lib/state.ts";
import { DAY, dayOf } from "../../lib/time.ts";
import { siteName } from "../words.ts";
import { type Element, fromMarkup, type Markup, markupCache, renderMarkup } from "./html.ts";
import type { Language } from "./language.ts";

interface DayBarsProps {
  report: SiteReport;
  language: Language;
  bars: readonly DayBar[];
  /** True if the script draws those of other windows in their place. */
  follows?: boolean;
}

/**
 * A bar for each of the last days, each with its words. The list is seen as bars, and as words once what
 * is below it is opened.
 */
export function DayBars({ report, language, bars, follows = false }: DayBarsProps) {
  const name = siteName(report.site.slug, [report.site]);
  const days = bars.length;
  const pieces = (window: PartWindow) =>
    follows ? formatPieces(partBars(report, window)) : undefined;
  const texts = bars.map((bar, index) =>
    isUpAllDay(bar, index === days - 1)
      ? upBar(bar.date, language)
      : renderMarkup(barOf(bar.worst, barText(bar, language)))
  );
  return (
    <>
      <ol
        class="days"
        aria-label={language.say(days === 1 ? "daysOfOne" : "daysOf", {
          NAME: name,
          COUNT: language.number(days),
        })}
        data-day={pieces("day")}
        data-week={pieces("week")}
        data-month={pieces("month")}
        data-year={pieces("year")}
      >
        {fromMarkup(...texts)}
      </ol>
      <div class="legend">
        <span class="from">{language.shortDay(bars[0]!.date)}</span>
        <details>
          <summary>
            {language.say("dayByDay")}
            <span class="away">: {name}</span>
          </summary>
        </details>
        <span>{language.say("today")}</span>
      </div>
    </>
  );
}

/**
 * The text of bars that the script draws: states, each with its minutes if it is one of trouble, and how
 * often it comes in a row: `20*up down12 3*up`.
 */
function formatPieces(bars: readonly PartBar[]): string {
  const words: [count: number, word: string][] = [];
  for (const { worst, minutes = "" } of bars) {
    const word = `${worst}${minutes}`;
    const last = words.at(-1);
    if (last?.[1] === word) last[0]++;
    else words.push([1, word]);
  }
  return words.map(([count, word]) => count === 1 ? word : `${count}*${word}`).join(" ");
}

function isUpAllDay({ worst, observed }: DayBar, isToday: boolean): boolean {
  return worst === "up" && (isToday || observed * 1000 >= 0.9 * DAY);
}

const upBars = markupCache<Language>();

function upBar(date: string, language: Language): Markup {
  return upBars(
    language,
    date,
    () => barOf("up", language.say("dayUp", { DAY: language.shortDay(date) })),
  );
}

function barOf(state: State, words: string): Element {
  return (
    <li class={state}>
      <span>{words}</span>
    </li>
  );
}

function barText(bar: DayBar, language: Language): string {
  const { date, worst, observed, uptime } = bar;
  const words = { DAY: language.shortDay(date) };
  if (worst === "unknown") return language.say("dayUnknown", words);
  if (worst === "up") {
    return language.say("dayPart", { ...words, TIME: language.duration(observed) });
  }
  const values = { ...words, TIME: language.duration(bar[worst]) };
  if (worst === "down") {
    return language.say("dayDown", { ...values, SHARE: language.share(uptime) });
  }
  return language.say(worst === "degraded" ? "dayDegraded" : "dayMaintenance", values);
}

const DAYS = 365;
const WEEK = 7;
/** Weeks that the days of a year lie in, whichever day it begins on. */
const WEEKS = 53;

/** Every day of a year: weeks beside each other where there is room, else four of them a line. */
export function Year({ report, language }: { report: SiteReport; language: Language }) {
  const first = dayOf(report.samples.now) - (DAYS - 1) * DAY;
  // 1 January 1970 was a Thursday.
  const weekday = (first / DAY + 3) % WEEK;
  return (
    <section>
      <h2>{language.say("lastYear")}</h2>
      <div class={`card year from-${weekday}`}>
        <svg class="months" aria-hidden="true">
          {monthsFrom(first).map(({ time, day }) => (
            <text
              x={`${Math.round(Math.floor((day + weekday) / WEEK) / WEEKS * 1000) / 10}%`}
              y="12"
            >
              {language.tick({ time: time + DAY / 2, by: "month" })}
            </text>
          ))}
        </svg>
        <DayBars report={report} language={language} bars={dayBars(report, DAYS)} />
      </div>
    </section>
  );
}

/** The first days of months, and which of the days they are; of the last weeks none, where no word has room. */
function monthsFrom(first: number): { time: number; day: number }[] {
  const begin = new Date(first);
  return Array.from({ length: 12 }, (_, index) => {
    const time = Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + index + 1, 1);
    return { time, day: (time - first) / DAY };
  }).filter(({ day }) => day < DAYS - 2 * WEEK);
}
