import { type DayBar, dayBars } from "../../../lib/report/day_bars.ts";
import type { SiteReport } from "../../../lib/report/report.ts";
import { DAY } from "../../../lib/time.ts";
import { siteName } from "../../site_name.ts";
import type { Language } from "../language.ts";

/** What bars are drawn of. */
export interface DayBarsProps {
  report: SiteReport;
  language: Language;
  /** How many of the last days. */
  days: number;
}

/**
 * A bar for each of the last days, each with its words. The list is seen as bars, and as words once what
 * is below it is opened.
 */
export function DayBars({ report, language, days }: DayBarsProps) {
  const name = siteName(report.site.slug, [report.site]);
  const bars = dayBars(report, days);
  return (
    <>
      <ol
        class="days"
        aria-label={language.say("daysOf", { NAME: name, COUNT: language.number(days) })}
      >
        {bars.map((bar, index) => (
          <li class={bar.worst}>
            <span>{barText(bar, language, index === days - 1)}</span>
          </li>
        ))}
      </ol>
      <div class="legend">
        <span>{language.shortDay(bars[0]!.date)}</span>
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

/** What a bar says: `21 Nov: 99.31% up, down for 10 min`. */
function barText(bar: DayBar, language: Language, isToday: boolean): string {
  const { date, worst, observed, uptime } = bar;
  const words = { DAY: language.shortDay(date) };
  if (worst === "unknown") return language.say("dayUnknown", words);
  if (worst === "up") {
    // Less than most of a day must not pass for all of it.
    const isPart = !isToday && observed * 1000 < 0.9 * DAY;
    return isPart
      ? language.say("dayPart", { ...words, TIME: language.duration(observed) })
      : language.say("dayUp", words);
  }
  const values = { ...words, TIME: language.duration(bar[worst]) };
  if (worst === "down") {
    return language.say("dayDown", { ...values, SHARE: language.share(uptime) });
  }
  return language.say(worst === "degraded" ? "dayDegraded" : "dayMaintenance", values);
}
