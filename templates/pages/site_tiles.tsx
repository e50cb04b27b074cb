import { computeSpentShare, computeUptimeChange } from "../../lib/page/tiles.ts";
import { WINDOW_NAMES, type WindowName, WINDOWS } from "../../lib/history/windows.ts";
import type { SiteReport } from "../../lib/statistics/report/report.ts";
import type { Samples } from "../../lib/statistics/samples.ts";
import type { Objective, Statistics } from "../../lib/statistics/statistics.ts";
import { NOTHING } from "../words.ts";
import type { Content } from "./html.ts";
import type { Language } from "./language.ts";
import { PerWindow, WINDOW_WORDS } from "./parts.tsx";

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
          : language.duration(down),
        outages === 0
          ? ""
          : outages === 1
          ? language.say("outageCountOne")
          : language.say("outageCount", { COUNT: language.number(outages) }),
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
  const WINDOW = name === "year"
    ? language.duration(WINDOWS.year.length / 1000)
    : language.say(WINDOW_WORDS[name]);
  if (change === 0) return language.say("uptimeSame", { WINDOW });
  const POINTS = language.decimals(Math.abs(change));
  return language.say(change < 0 ? "uptimeLess" : "uptimeMore", { POINTS, WINDOW });
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

/** An error budget in words: `36 min over`. */
export function formatBudget({ isMet, budget, left = 0 }: Objective, language: Language): string {
  const seconds = Math.abs(left);
  // Seconds of a long time are noise.
  const rounded = seconds < 600 ? seconds : seconds - seconds % 60;
  const TIME = left === 0 ? "0" : language.duration(rounded);
  return language.say(
    budget === 0 && isMet ? "budgetNone" : isMet ? "budgetLeft" : "budgetSpent",
    { TIME },
  );
}
