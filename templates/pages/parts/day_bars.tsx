import { type DayBar, dayBars } from "../../../lib/report/day_bars.ts";
import type { SiteReport } from "../../../lib/report/report.ts";
import type { State } from "../../../lib/state.ts";
import { DAY } from "../../../lib/time.ts";
import { siteName } from "../../site_name.ts";
import { type Element, elementOf, type Markup, markupOf } from "../html.ts";
import type { Language } from "../language.ts";
import { rememberedMarkup } from "../remembered_markup.ts";

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
  const texts = bars.map((bar, index) =>
    isUpAllDay(bar, index === days - 1)
      ? upBar(bar.date, language)
      : markupOf(barOf(bar.worst, barText(bar, language)))
  );
  return (
    <>
      <ol
        class="days"
        aria-label={language.say("daysOf", { NAME: name, COUNT: language.number(days) })}
      >
        {elementOf(...texts)}
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

/** Whether a site was up all day: less than most of it must not pass for that, but today has only begun. */
function isUpAllDay({ worst, observed }: DayBar, isToday: boolean): boolean {
  return worst === "up" && (isToday || observed * 1000 >= 0.9 * DAY);
}

/** By their dates: nearly all bars of all sites are such ones. */
const upBars = rememberedMarkup<Language>();

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

/** What the bar of a day says on which a site was not simply up: `21 Nov: 99.31% up, down for 10 min`. */
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
