import {
  type DayBar,
  dayBars,
  failedMinutes,
  toBarLevel,
} from "../../lib/statistics/report/bars.ts";
import type { SiteReport } from "../../lib/statistics/report/report.ts";
import { DAY, floorToDay } from "../../lib/time.ts";
import { siteName } from "../words.ts";
import { type Element, fromMarkup, type Markup, markupCache, renderMarkup } from "./html.ts";
import type { Language } from "./language.ts";

/** Bars of the last days, as text in the details. */
function DayBars({ report, language, bars }: {
  report: SiteReport;
  language: Language;
  bars: readonly DayBar[];
}) {
  const name = siteName(report.site.slug, [report.site]);
  const days = bars.length;
  const texts = bars.map((bar, index) =>
    isUpAllDay(bar, index === days - 1)
      ? upBar(bar.date, language)
      : renderMarkup(renderBar(classOf(bar), barText(bar, language)))
  );
  return (
    <>
      <ol
        class="days"
        aria-label={language.say(days === 1 ? "daysOfOne" : "daysOf", {
          NAME: name,
          COUNT: language.number(days),
        })}
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

/** True if the site was up for most of the day; of today, as far as it is over. */
function isUpAllDay({ worst, observed }: DayBar, isToday: boolean): boolean {
  return worst === "up" && (isToday || observed * 1000 >= 0.9 * DAY);
}

/** Nearly all bars are of days without failures. */
const upBars = markupCache<Language>();

function upBar(date: string, language: Language): Markup {
  return upBars(
    language,
    date,
    () => renderBar("up", language.say("dayUp", { DAY: language.shortDay(date) })),
  );
}

function classOf(bar: DayBar): string {
  const minutes = failedMinutes(bar);
  return minutes === undefined ? bar.worst : `${bar.worst} ${toBarLevel(minutes)}`;
}

function renderBar(state: string, words: string): Element {
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
const WEEKS = 53;

export function Year({ report, language }: { report: SiteReport; language: Language }) {
  const first = floorToDay(report.samples.now) - (DAYS - 1) * DAY;
  // 1 January 1970 was a Thursday.
  const weekday = (first / DAY + 3) % WEEK;
  return (
    <section>
      <h2>{language.say("lastYear")}</h2>
      <div class={`card year from-${weekday}`}>
        <svg class="months" aria-hidden="true">
          {listMonths(first).map(({ time, day }) => (
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

/** The first days of months with their indexes, without the last two weeks, in which no label has room. */
function listMonths(first: number): { time: number; day: number }[] {
  const start = new Date(first);
  return Array.from({ length: 12 }, (_, index) => {
    const time = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + index + 1, 1);
    return { time, day: (time - first) / DAY };
  }).filter(({ day }) => day < DAYS - 2 * WEEK);
}
