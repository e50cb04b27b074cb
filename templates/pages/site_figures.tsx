import { badgePath, endpointPath, statisticsPath } from "../../lib/history/api_path.ts";
import { FILE_WINDOW_NAMES, WINDOW_NAMES } from "../../lib/history/windows.ts";
import type { SiteReport } from "../../lib/statistics/report/report.ts";
import type { Statistics } from "../../lib/statistics/statistics.ts";
import type { Content } from "./html.ts";
import type { Language } from "./language.ts";
import { Shape, WINDOW_WORDS } from "./parts.tsx";
import { formatBudget } from "./site_tiles.tsx";
import type { MessageKey } from "../../lib/text/messages.ts";
import { sitePagePath, toRelativeLink } from "../../lib/config/page_path.ts";
import { escapeMarkdown } from "../markdown/markdown.ts";
import { type NamedSite, NOTHING, siteName } from "../words.ts";
import type { PageView } from "./view.ts";

const COLUMNS: readonly [title: MessageKey, cell: (one: Statistics, by: Language) => Content][] = [
  ["uptime", ({ uptime }, { share }) => <b>{share(uptime)}</b>],
  [
    "downtime",
    ({ down, observed }, { duration }) =>
      observed === 0 ? NOTHING : down === 0 ? "0" : duration(down),
  ],
  [
    "outages",
    ({ outages, observed }, { number }) => observed + outages === 0 ? NOTHING : number(outages),
  ],
  ...(["mean", "p50", "p95", "p99"] as const).map((name): typeof COLUMNS[number] => [
    name === "p50" ? "median" : name,
    ({ responseTimes }, { milliseconds }) =>
      responseTimes === undefined ? NOTHING : milliseconds(responseTimes[name]),
  ]),
  ["apdex", ({ apdex }, { fraction }) => apdex === undefined ? NOTHING : fraction(apdex)],
  ["coverage", ({ coverage }, { share }) => coverage === undefined ? NOTHING : share(coverage)],
];

export function Figures({ report, language }: { report: SiteReport; language: Language }) {
  const { statistics } = report;
  return (
    <details class="card">
      <summary>
        <h2>{language.say("figures")}</h2>
      </summary>
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
    </details>
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
            {language.sayElements("labeled", {
              NAME: language.say(WINDOW_WORDS[name]),
              VALUE: <Budget statistics={statistics[name]} language={language} />,
            })}
          </li>
        ))}
      </ul>
    </>
  );
}

function Budget({ statistics, language }: { statistics: Statistics; language: Language }) {
  const { objective } = statistics;
  if (objective?.isMet === undefined) return <>{language.say("noData")}</>;
  if (objective.budget === undefined) return <>{language.say("budgetLater")}</>;
  const state = objective.isMet ? "up" : "down";
  return (
    <span class={state}>
      <Shape of={state} /> {formatBudget(objective, language)}
    </span>
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
    <details class="card">
      <summary>
        <h2>{language.say("badges")}</h2>
      </summary>
      <div class="badges">
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
            {language.sayElements("labeled", {
              NAME: language.say(key),
              VALUE: FILE_WINDOW_NAMES.flatMap((window, index) => [
                index === 0 ? "" : " · ",
                <a href={link(endpointPath(slug, measure, window))}>
                  {language.say(WINDOW_WORDS[window])}
                </a>,
              ]),
            })}
          </p>
        ))}
        <p>
          <a href={link(statisticsPath(slug))}>{language.say("dataStatistics")}</a>
        </p>
      </div>
    </details>
  );
}
