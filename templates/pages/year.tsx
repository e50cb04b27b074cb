import { drawStrip, sortWorstFirst, STRIP_HEIGHT } from "../../lib/page/strip.ts";
import { type DayBar, dayBars } from "../../lib/statistics/report/bars.ts";
import type { SiteReport } from "../../lib/statistics/report/report.ts";
import { DAY, floorToDay } from "../../lib/time.ts";
import type { Language } from "./language.ts";
import { describeBars } from "./strip.tsx";
import type { View } from "./view.ts";

const WEEK = 7;
const WEEKS = 53;

/** A year of days: a column for each week, the last one so far, and a row for each weekday. */
export function Year({ view, report }: { view: View; report: SiteReport }) {
  const { language, settings: { direction } } = view;
  const today = floorToDay(report.samples.now);
  // 1 January 1970 was a Thursday, the fourth day of a week that starts on day 1.
  const weekday = (today / DAY + 4 + WEEK - language.firstDay) % WEEK;
  const bars = dayBars(report, (WEEKS - 1) * WEEK + weekday + 1);
  const first = today - (bars.length - 1) * DAY;
  const failed = sortWorstFirst(bars).toSorted((one, other) => one.date < other.date ? 1 : -1);
  const isCalm = failed.every(({ worst }) => worst === "maintenance");
  return (
    <section>
      <h2>{language.say("lastYear")}</h2>
      <div class="card">
        <div class="year" role="img" aria-label={describeBars(report, bars, language)}>
          <svg class="months">
            {listMonths(first).map(({ time, week }) => {
              const share = direction === "rtl" ? 1 - week / WEEKS : week / WEEKS;
              return (
                <text x={`${Math.round(share * 1000) / 10}%`} y="12">
                  {language.tick({ time, by: "month" })}
                </text>
              );
            })}
          </svg>
          {Array.from({ length: WEEK }, (_, day) => [
            <b>{language.weekday(first + day * DAY).short}</b>,
            <svg viewBox={`0 0 ${WEEKS} ${STRIP_HEIGHT}`} preserveAspectRatio="none">
              {[...drawStrip(bars.filter((_, index) => index % WEEK === day))]
                .map(([state, path]) => <path class={state} d={path} />)}
            </svg>,
          ])}
        </div>
        {failed.length > 0 && (
          <details>
            <summary>{language.say(isCalm ? "maintenance" : "dayList")}</summary>
            <ul class="days">{failed.map((bar) => <li>{describeDay(bar, language)}</li>)}</ul>
          </details>
        )}
      </div>
    </section>
  );
}

function describeDay(bar: DayBar, language: Language): string {
  const { date, worst, uptime } = bar;
  const values = {
    DAY: language.day(date),
    TIME: language.duration(worst === "up" || worst === "unknown" ? 0 : bar[worst]),
  };
  if (worst === "down") {
    return language.say("dayDown", { ...values, SHARE: language.share(uptime) });
  }
  return language.say(worst === "degraded" ? "dayDegraded" : "dayMaintenance", values);
}

/** The first whole weeks of months, without the last two weeks, in which no label has room. */
function listMonths(first: number): { time: number; week: number }[] {
  const start = new Date(first);
  return Array.from({ length: 13 }, (_, index) => {
    const time = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + index, 1);
    return { time: time + DAY / 2, week: Math.ceil((time - first) / DAY / WEEK) };
  }).filter(({ week }) => week >= 0 && week < WEEKS - 2);
}
