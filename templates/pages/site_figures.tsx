import { badgePath, endpointPath, statisticsPath } from "../../lib/history/api_path.ts";
import { TIMING_NAMES } from "../../lib/history/site_history.ts";
import { FILE_WINDOW_NAMES, WINDOW_NAMES } from "../../lib/history/windows.ts";
import type { SiteReport } from "../../lib/statistics/report/report.ts";
import type { Statistics } from "../../lib/statistics/statistics.ts";
import type { Content } from "./html.ts";
import type { Language } from "./language.ts";
import { Shape, WINDOW_WORDS } from "./parts.tsx";
import type { Phases as PhaseTimes } from "../../lib/checks/observation.ts";
import type { MessageKey } from "../../lib/text/messages.ts";
import { sitePagePath, toRelativeLink } from "../../lib/config/page_path.ts";
import { escapeMarkdown } from "../markdown/markdown.ts";
import { type NamedSite, siteName } from "../words.ts";
import type { PageView } from "./view.ts";

const NONE = "–";

const COLUMNS: readonly [title: MessageKey, cell: (one: Statistics, by: Language) => Content][] = [
  ["uptime", ({ uptime }, { share }) => <b>{share(uptime)}</b>],
  [
    "downtime",
    ({ down, observed }, { duration }) => observed === 0 ? NONE : down === 0 ? "0" : duration(down),
  ],
  [
    "outages",
    ({ outages, observed }, { number }) => observed + outages === 0 ? NONE : number(outages),
  ],
  ...(["mean", "p50", "p95", "p99"] as const).map((name): typeof COLUMNS[number] => [
    name === "p50" ? "median" : name,
    ({ responseTimes }, { milliseconds }) =>
      responseTimes === undefined ? NONE : milliseconds(responseTimes[name]),
  ]),
  ["apdex", ({ apdex }, { fraction }) => apdex === undefined ? NONE : fraction(apdex)],
  ["coverage", ({ coverage }, { share }) => coverage === undefined ? NONE : share(coverage)],
];

export function Figures({ report, language }: { report: SiteReport; language: Language }) {
  const { statistics } = report;
  return (
    <section>
      <h2>{language.say("figures")}</h2>
      <div class="card">
        <section class="scroll" tabindex={0} aria-label={language.say("scrollFigures")}>
          <table>
            <thead>
              <tr>
                <td />
                {COLUMNS.map(([title]) => <th scope="col">{language.say(title)}</th>)}
              </tr>
            </thead>
            <tbody>
              {WINDOW_NAMES.map((name) => (
                <tr>
                  <th scope="row">{language.say(WINDOW_WORDS[name])}</th>
                  {COLUMNS.map(([, cell]) => <td>{cell(statistics[name], language)}</td>)}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
        <Objectives statistics={statistics} language={language} />
      </div>
    </section>
  );
}

function Objectives(
  { statistics, language }: { statistics: SiteReport["statistics"]; language: Language },
) {
  const { objective } = statistics.all;
  if (objective === undefined) return null;
  return (
    <>
      <h3>{language.say("objective", { TARGET: language.target(objective.target) })}</h3>
      <ul class="key">
        {WINDOW_NAMES.map((name) => (
          <li>
            {language.say(WINDOW_WORDS[name])}:{" "}
            <Budget statistics={statistics[name]} language={language} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Budget({ statistics, language }: { statistics: Statistics; language: Language }) {
  const { isMet, budget, left = 0 } = statistics.objective ?? {};
  if (isMet === undefined) return <>{language.say("noData")}</>;
  if (budget === undefined) return <>{language.say("budgetLater")}</>;
  const TIME = left === 0 ? "0" : language.duration(Math.abs(left));
  const state = isMet ? "up" : "down";
  const key = budget === 0 && isMet ? "budgetNone" : isMet ? "budgetLeft" : "budgetSpent";
  return (
    <span class={state}>
      <Shape of={state} /> {language.say(key, { TIME })}
    </span>
  );
}

const WORDS = {
  dns: "phaseDns",
  connect: "phaseConnect",
  tls: "phaseTls",
  ttfb: "phaseTtfb",
  download: "phaseDownload",
} as const satisfies Record<keyof PhaseTimes, MessageKey>;

export function Phases({ timings, language }: { timings?: PhaseTimes; language: Language }) {
  if (timings === undefined) return null;
  const whole = TIMING_NAMES.reduce((sum, name) => sum + timings[name], 0);
  if (whole === 0) return null;
  const percent = (value: number) => `${Math.round(value / whole * 1000) / 10}%`;
  let begin = 0;
  return (
    <section>
      <h2>{language.say("phases")}</h2>
      <div class="card">
        <svg class="phases" aria-hidden="true">
          {TIMING_NAMES.map((name) => {
            const x = percent(begin);
            begin += timings[name];
            return <rect class={name} x={x} width={percent(timings[name])} height="20" />;
          })}
        </svg>
        <ul class="key">
          {TIMING_NAMES.map((name) => (
            <li>
              <svg class="phases" aria-hidden="true">
                <rect class={name} width="16" height="12" />
              </svg>
              {language.say(WORDS[name])} <b>{language.milliseconds(timings[name])}</b>
            </li>
          ))}
        </ul>
        <p class="muted">{language.say("phasesOf")}</p>
      </div>
    </section>
  );
}

const BADGES = [
  ["status", "badgeStatus"],
  ["uptime", "badgeUptime"],
  ["response-time", "badgeResponseTime"],
] as const satisfies readonly (readonly [string, MessageKey])[];

const ENDPOINTS = [
  ["uptime", "dataUptime"],
  ["response-time", "dataResponseTime"],
] as const satisfies readonly (readonly [string, MessageKey])[];

/** Offers badges and graphs to embed, and the same numbers for programs. */
export function Badges({ view, site }: { view: PageView; site: NamedSite }) {
  const { language, settings: { address }, link } = view;
  const { slug } = site;
  const name = siteName(slug, [site]);
  const absolute = (target: string) =>
    [...address === undefined ? [] : [address], toRelativeLink("", target)].join("/");
  return (
    <section>
      <h2>{language.say("badges")}</h2>
      <div class="card badges">
        <p class="muted">{language.say("badgeHint")}</p>
        {BADGES.map(([shown, key]) => {
          const picture = badgePath(slug, shown);
          const target = absolute(picture);
          const page = absolute(sitePagePath(slug));
          const code = `[![${escapeMarkdown(name)}](${target})](${page})`;
          return (
            <label>
              <img src={link(picture)} alt={language.say(key)} height="20" />
              <input type="text" readonly value={code} dir="ltr" />
            </label>
          );
        })}
        {ENDPOINTS.map(([measure, key]) => (
          <p>
            {language.say(key)}: {FILE_WINDOW_NAMES.flatMap((window, index) => [
              index === 0 ? "" : " · ",
              <a href={link(endpointPath(slug, measure, window))}>
                {language.say(WINDOW_WORDS[window])}
              </a>,
            ])}
          </p>
        ))}
        <p>
          <a href={link(statisticsPath(slug))}>{language.say("dataStatistics")}</a>
        </p>
      </div>
    </section>
  );
}
