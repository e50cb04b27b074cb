import type { DayBar } from "../../../lib/statistics/report/day_bars.ts";
import type { SiteReport } from "../../../lib/statistics/report/report.ts";
import {
  type PieceBar,
  pieceBars,
  type PieceWindow,
} from "../../../lib/statistics/report/window_bars.ts";
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
  /** Of the last days, oldest first. */
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
  const pieces = (window: PieceWindow) =>
    follows ? formatPieces(pieceBars(report, window)) : undefined;
  const texts = bars.map((bar, index) =>
    isUpAllDay(bar, index === days - 1)
      ? upBar(bar.date, language)
      : markupOf(barOf(bar.worst, barText(bar, language)))
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
        {elementOf(...texts)}
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
function formatPieces(bars: readonly PieceBar[]): string {
  const words: [count: number, word: string][] = [];
  for (const { worst, minutes = "" } of bars) {
    const word = `${worst}${minutes}`;
    const last = words.at(-1);
    if (last?.[1] === word) last[0]++;
    else words.push([1, word]);
  }
  return words.map(([count, word]) => count === 1 ? word : `${count}*${word}`).join(" ");
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
