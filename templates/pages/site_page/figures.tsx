import type { SiteReport } from "../../../lib/statistics/report/report.ts";
import type { Statistics } from "../../../lib/statistics/statistics.ts";
import { WINDOW_NAMES } from "../../../lib/history/windows.ts";
import type { Content } from "../html.ts";
import type { Language } from "../language.ts";
import { Shape } from "../parts/shape.tsx";
import { WINDOW_WORDS } from "../parts/windows.tsx";

/** Of a window, in the order in which they are read. */
function cellsOf(
  { uptime, down, outages, responseTimes, apdex, coverage, observed }: Statistics,
  language: Language,
): Content[] {
  const milliseconds = (value: number | undefined) =>
    value === undefined ? "–" : language.milliseconds(value);
  return [
    <b>{language.share(uptime)}</b>,
    observed === 0 ? "–" : down === 0 ? "0" : language.duration(down),
    observed + outages === 0 ? "–" : language.number(outages),
    milliseconds(responseTimes?.mean),
    milliseconds(responseTimes?.p50),
    milliseconds(responseTimes?.p95),
    milliseconds(responseTimes?.p99),
    apdex === undefined ? "–" : language.fraction(apdex),
    coverage === undefined ? "–" : language.share(coverage),
  ];
}

const COLUMNS = [
  "uptime",
  "downtime",
  "outages",
  "mean",
  "median",
  "p95",
  "p99",
  "apdex",
  "coverage",
] as const;

/** The numbers of all windows beside each other, and how they keep to the objective. */
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
                {COLUMNS.map((key) => <th scope="col">{language.say(key)}</th>)}
              </tr>
            </thead>
            <tbody>
              {WINDOW_NAMES.map((name) => (
                <tr>
                  <th scope="row">{language.say(WINDOW_WORDS[name])}</th>
                  {cellsOf(statistics[name], language).map((cell) => <td>{cell}</td>)}
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

/** How every window keeps to the objective of the site, where it has one. */
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
  const { isMet, left = 0 } = statistics.objective ?? {};
  if (isMet === undefined) return <>{language.say("noData")}</>;
  const TIME = left === 0 ? "0" : language.duration(Math.abs(left));
  const state = isMet ? "up" : "down";
  return (
    <span class={state}>
      <Shape of={state} /> {language.say(isMet ? "budgetLeft" : "budgetSpent", { TIME })}
    </span>
  );
}
