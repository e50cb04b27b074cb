import { WINDOW_NAMES, windowBack, type WindowName, WINDOWS } from "../../lib/history/windows.ts";
import type { SiteReport } from "../../lib/statistics/report/report.ts";
import type { Samples } from "../../lib/statistics/samples.ts";
import { type Objective, type Statistics, toPercent } from "../../lib/statistics/statistics.ts";
import { NOTHING } from "../words.ts";
import type { Content } from "./html.ts";
import type { Language } from "./language.ts";
import { PerWindow } from "./parts.tsx";
import { DAY } from "../../lib/time.ts";
import { computeUptime } from "../../lib/statistics/measure.ts";
import { computeStateTimes } from "../../lib/statistics/rolled_days.ts";

/** The four most important figures of a site in the chosen period. */
export function Tiles(
  { report: { samples, statistics }, language }: { report: SiteReport; language: Language },
) {
  const { objective } = statistics.all;
  const tile = (
    title: string,
    content: (
      statistics: Statistics,
      name: WindowName,
    ) => readonly [figure: Content, note: Content],
  ) => {
    const all = WINDOW_NAMES.map((name) => [name, content(statistics[name], name)] as const);
    const part = (index: 0 | 1) => {
      const parts = Object.fromEntries(all.map(([name, one]) => [name, one[index]]));
      return <PerWindow statistics={statistics}>{(_, name) => parts[name]}</PerWindow>;
    };
    return (
      <div class="card">
        <dt>{title}</dt>
        <dd>{part(0)}</dd>
        <dd class="muted">
          <bdi>{part(1)}</bdi>
        </dd>
      </div>
    );
  };
  return (
    <dl class="tiles">
      {tile(language.say("uptime"), ({ uptime }, name) => [
        language.share(uptime),
        describeChange(samples, name, language),
      ])}
      {tile(language.say("downtime"), ({ observed, down, outages }) => [
        observed === 0
          ? NOTHING
          : down === 0
          ? language.say("noDowntime")
          : language.duration(dropSeconds(down)),
        outages === 0 ? "" : language.say("outageCount", { COUNT: outages }),
      ])}
      {tile(language.say("responseTime"), ({ responseTimes }) => [
        responseTimes === undefined ? NOTHING : language.milliseconds(responseTimes.p50),
        responseTimes &&
        language.say("mostWithin", { TIME: language.milliseconds(responseTimes.p95) }),
      ])}
      {objective === undefined
        ? tile(language.say("coverage"), ({ coverage }) => [
          coverage === undefined ? NOTHING : language.share(coverage),
          language.say("coverageOf"),
        ])
        : tile(
          language.say("errorBudget", { TARGET: language.target(objective.target) }),
          ({ objective = { target: 1 } }) => describeBudget(objective, language),
        )}
    </dl>
  );
}

function describeChange(samples: Samples, name: WindowName, language: Language): Content {
  const change = computeUptimeChange(samples, name);
  if (change === undefined) return "";
  const COUNT = WINDOWS[name].length! / DAY;
  if (change === 0) return language.say("uptimeSame", { COUNT });
  const POINTS = language.decimals(Math.abs(change));
  return language.say(change < 0 ? "uptimeLess" : "uptimeMore", { POINTS, COUNT });
}

function describeBudget(objective: Objective, language: Language): readonly [Content, Content] {
  const { isMet, budget, left = 0 } = objective;
  if (isMet === undefined) return [NOTHING, language.say("noData")];
  if (budget === undefined) return [NOTHING, language.say("budgetLater")];
  const spent = computeSpentShare(objective);
  return [
    <span class={isMet ? undefined : "degraded"}>{formatBudget(objective, language)}</span>,
    spent !== undefined && (
      <svg class="budget" aria-hidden="true">
        <rect width="100%" height="6" rx="3" />
        <rect
          class={left < 0 ? "degraded" : "up"}
          width={`${Math.round(100 * spent)}%`}
          height="6"
          rx="3"
        />
      </svg>
    ),
  ];
}

/** Rounds a long time down to minutes: seconds of it are noise. */
function dropSeconds(seconds: number): number {
  return seconds < 600 ? seconds : seconds - seconds % 60;
}

/** An error budget in words: `36 min over`. */
export function formatBudget({ isMet, budget, left = 0 }: Objective, language: Language): string {
  const TIME = left === 0 ? "0" : language.duration(dropSeconds(Math.abs(left)));
  return language.say(
    budget === 0 && isMet ? "budgetNone" : isMet ? "budgetLeft" : "budgetSpent",
    { TIME },
  );
}

/**
 * Compares the uptime of a window with that of the time of equal length before it: percentage points with two decimals,
 * as the two are shown. `undefined` if the site was not monitored through all of that time, or nothing was observed.
 */
export function computeUptimeChange(samples: Samples, name: WindowName): number | undefined {
  const { length } = WINDOWS[name];
  const { now, first } = samples;
  if (length === undefined || first === undefined) return undefined;
  const window = windowBack(name, now, first);
  const before = { from: window.from - length, to: window.from };
  if (first > before.from) return undefined;
  const [earlier, current] = [before, window].map((one) =>
    computeUptime(computeStateTimes(samples, one))
  );
  if (earlier === undefined || current === undefined) return undefined;
  return Math.round(100 * (toPercent(current) - toPercent(earlier))) / 100;
}

/**
 * The spent share of an error budget, from 0 to 1; `undefined` if there is none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const spent = (budget?: number, left?: number) => computeSpentShare({ target: 0.999, budget, left });
 * assertEquals([spent(60, 45), spent(60, -20), spent(0, 0), spent()], [0.25, 1, undefined, undefined]);
 * ```
 */
export function computeSpentShare({ budget = 0, left = 0 }: Objective): number | undefined {
  return budget === 0 ? undefined : Math.min(1, (budget - left) / budget);
}
