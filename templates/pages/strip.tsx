import { drawStrip, encodeBars, sortWorstFirst, STRIP_HEIGHT } from "../../lib/page/strip.ts";
import {
  type Bar,
  BAR_COUNTS,
  type DayBar,
  quarterBars,
  wholeBars,
  windowBars,
} from "../../lib/statistics/report/bars.ts";
import type { SiteReport } from "../../lib/statistics/report/report.ts";
import { findMonitoringStart, isBeyondMonitoring } from "../../lib/page/monitored.ts";
import { formatDate } from "../../lib/time.ts";
import { siteName } from "../words.ts";
import type { Language } from "./language.ts";
import type { View } from "./view.ts";

/** Bars of the last 90 days. The script lets keys and pointers choose a day, and draws other windows in their place. */
export function Strip({ report, language, isAlone = false }: {
  report: SiteReport;
  language: Language;
  /** True if it is in no row, which would name the site, and all time can be chosen. */
  isAlone?: boolean;
}) {
  const bars = quarterBars(report);
  const whole = isAlone ? wholeBars(report) : undefined;
  return (
    <div
      class="strip"
      role="img"
      aria-label={describeBars(report, bars, language)}
      data-of={isAlone ? report.site.slug : undefined}
      data-day={encodeUnlessUp(windowBars(report, "day"))}
      data-week={encodeUnlessUp(windowBars(report, "week"))}
      data-year={encodeUnlessUp(windowBars(report, "year"))}
      data-all={whole && encodeBars(whole.bars)}
      data-all-length={whole?.length}
      data-name={isAlone ? siteName(report.site.slug, [report.site]) : undefined}
    >
      <svg viewBox={`0 0 ${BAR_COUNTS.quarter} ${STRIP_HEIGHT}`} preserveAspectRatio="none">
        {[...drawStrip(bars)].map(([state, path]) => <path class={state} d={path} />)}
      </svg>
    </div>
  );
}

/** Most bars are up, and so many attributes would be long. */
function encodeUnlessUp(bars: readonly Bar[]): string | undefined {
  return bars.every(({ worst }) => worst === "up") ? undefined : encodeBars(bars);
}

/** The ends of bars, which the script names anew for other windows. */
export function StripEnds({ view, sites }: { view: View; sites: readonly SiteReport[] }) {
  const { language: { say, back, day, shortDay }, report: { time } } = view;
  const { epochMilliseconds: now } = time;
  const first = findMonitoringStart(sites);
  const start = (name: "quarter" | "month") =>
    first !== undefined && isBeyondMonitoring(name, { first, now })
      ? say("monitoringSince", { DAY: shortDay(formatDate(first)) })
      : back(BAR_COUNTS[name], "day");
  return (
    <p class="ends">
      <span
        class="from"
        data-day={back(24, "hour")}
        data-week={back(7, "day")}
        data-month={start("month")}
        data-quarter={start("quarter")}
        data-year={back(1, "year")}
        data-all={first === undefined ? undefined : day(formatDate(first))}
      >
        <span class="w90">{start("quarter")}</span>
        <span class="w30">{start("month")}</span>
      </span>
      <span>{say("today")}</span>
    </p>
  );
}

/** Most days that a label names. */
const MOST_DAYS = 3;

/** Names the days of bars that failed the worst. */
export function describeBars(
  report: SiteReport,
  bars: readonly DayBar[],
  language: Language,
): string {
  const { say, list } = language;
  const failed = sortWorstFirst(bars);
  const named = failed.slice(0, MOST_DAYS).map((bar) => describeDay(bar, language));
  const rest = failed.length - named.length;
  const all = rest === 0 ? named : [...named, say("moreDays", { COUNT: rest })];
  return say("stripOf", {
    NAME: language.isolate(siteName(report.site.slug, [report.site])),
    COUNT: bars.length,
    LIST: all.length === 0 ? say("stripQuiet") : list(all),
  });
}

const FAILURES = { down: "downOn", degraded: "degradedOn", maintenance: "maintenanceOn" } as const;

function describeDay(bar: DayBar, { say, shortDay, duration }: Language): string {
  const worst = bar.worst as keyof typeof FAILURES;
  return say(FAILURES[worst], { DAY: shortDay(bar.date), TIME: duration(bar[worst]) });
}
