import { dayBars } from "../../../lib/statistics/report/day_bars.ts";
import type { SiteReport } from "../../../lib/statistics/report/report.ts";
import { DAY, dayOf } from "../../../lib/time.ts";
import type { Language } from "../language.ts";
import { DayBars } from "../parts/day_bars.tsx";

const DAYS = 365;
const WEEK = 7;
/** Weeks that the days of a year lie in, whichever day it begins on. */
const WEEKS = 53;

/** Every day of a year: weeks beside each other where there is room, else four of them a line. */
export function Year({ report, language }: { report: SiteReport; language: Language }) {
  const first = dayOf(report.evidence.now) - (DAYS - 1) * DAY;
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
