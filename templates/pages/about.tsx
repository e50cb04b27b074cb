import { CHECKS_FOLDER } from "../../lib/history/checks_log.ts";
import { PAGE_PATHS, toFileAddress } from "../../lib/config/page_path.ts";
import { PROGRAM, VERSION } from "../../lib/version.ts";
import { escapeXml } from "../../lib/notifications/channels/escape.ts";
import { MINUTE } from "../../lib/time.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { sayCoverage, siteName } from "../words.ts";
import { nameStatus } from "./more_script.ts";
import type { Page, PageView } from "./view.ts";
import { Layout } from "./layout.tsx";
import { Facts, Shape } from "./parts.tsx";

export const about: Page = () => [[PAGE_PATHS.about, About]];

const VERDICT = [
  "aboutFirst",
  "aboutOwnFault",
  "aboutDown",
  "aboutUp",
  "aboutDegradedVerdict",
] as const;

const STATES = [
  ["up", "aboutUp1"],
  ["degraded", "aboutDegraded1"],
  ["down", "aboutDown1"],
  ["maintenance", "aboutMaintenance1"],
  ["unknown", "aboutUnknown1"],
  ["paused", "aboutPaused1"],
] as const;

const NUMBERS = [
  ["aboutUptime", "aboutUptimeText"],
  ["aboutCoverage", "aboutCoverageText"],
  ["aboutResponse", "aboutResponseText"],
  ["aboutPercentiles", "aboutPercentilesText"],
  ["aboutWindows", "aboutWindowsText"],
  ["aboutBars", "aboutBarsText"],
  ["aboutApdex", "aboutApdexText"],
  ["aboutIncidents", "aboutIncidentsText"],
  ["aboutNotCounted", "aboutNotCountedText"],
] as const;

function About(view: PageView) {
  const { language: { say }, settings, report: { sites } } = view;
  const hasLocations = sites.some(({ locations }) => locations !== undefined);
  const title = say("navAbout");
  return (
    <Layout view={view} title={title} description={say("aboutIntro")}>
      <h1>{title}</h1>
      <p class="muted">{say("aboutIntro")}</p>
      <section class="words">
        <h2>{say("aboutChecks")}</h2>
        <p>{say(hasLocations ? "aboutPlaces" : "aboutChecksText")}</p>
        {hasLocations && <p>{say("aboutLocations")}</p>}
        <p>{say("aboutTimes", { ZONE: settings.timezone })}</p>
      </section>
      <Runs view={view} />
      <section class="words">
        <h2>{say("aboutVerdict")}</h2>
        <ol class="steps">{VERDICT.map((key) => <li>{say(key)}</li>)}</ol>
      </section>
      <section>
        <h2>{say("aboutStates")}</h2>
        <Facts
          facts={STATES.map(([state, key]) => [[<Shape of={state} />, " ", say(state)], say(key)])}
        />
      </section>
      <section>
        <h2>{say("aboutNumbers")}</h2>
        <Facts facts={NUMBERS.map(([key, text]) => [say(key), say(text)])} />
      </section>
      <Data view={view} />
      <Embedding view={view} />
    </Layout>
  );
}

function Runs({ view: { report, language } }: { view: PageView }) {
  const { runs: { runs, interval, gaps } } = report;
  const { say, base } = language;
  const length = (milliseconds: number) => language.duration(dropSeconds(milliseconds) / 1000);
  const COUNT = runs;
  return (
    <section class="words">
      <h2>{say("aboutRuns")}</h2>
      {gaps === undefined ? <p>{say("aboutRunsFew", { COUNT })}</p> : (
        <p>
          {say("aboutRunsText", {
            COUNT,
            MEDIAN: length(gaps.median),
            MOST: length(gaps.p90),
            LONGEST: length(gaps.longest),
          })}
        </p>
      )}
      {gaps !== undefined && gaps.late > 0 &&
        (
          <p>
            {say("aboutRunsLate", {
              SHARE: sayCoverage(gaps.late, base),
              LIMIT: length(2 * interval),
            })}
          </p>
        )}
    </section>
  );
}

/** Rounds lengths from two minutes on to minutes: runs are not more regular than that. */
function dropSeconds(milliseconds: number): number {
  return milliseconds < 2 * MINUTE ? milliseconds : Math.round(milliseconds / MINUTE) * MINUTE;
}

function Data({ view }: { view: PageView }) {
  const { language: { say, gap }, settings: { repository }, link } = view;
  const places = [
    [link(PAGE_PATHS.summary), "aboutSummary"],
    ...repository === undefined ? [] : [
      [repository, "aboutRepository"] as const,
      [`${repository}/tree/HEAD/${CHECKS_FOLDER}`, "aboutLogs"] as const,
    ],
  ] as const;
  return (
    <section class="words">
      <h2>{say("aboutData")}</h2>
      <p>{say("aboutDataText")}{gap}{say("aboutBadges")}</p>
      <ul class="places">
        {places.map(([address, key]) => (
          <li>
            <a href={address}>{say(key)}</a>
          </li>
        ))}
      </ul>
      <p class="muted">{say("aboutProgram", { PROGRAM, VERSION })}</p>
    </section>
  );
}

/** Code for other sites, which needs the address of the page, and what it shows. */
function Embedding({ view }: { view: PageView }) {
  const { language, settings: { name, address }, report: { sites }, link } = view;
  const { say, isolate, sentenceDirection } = language;
  if (address === undefined) return null;
  const title = nameStatus(plainText(name), say);
  const frame = toFileAddress(address, PAGE_PATHS.embed);
  const script = toFileAddress(address, PAGE_PATHS.banner);
  const NAME = sites[0] === undefined ? title : siteName(sites[0].site.slug, [sites[0].site]);
  return (
    <section class="words">
      <h2>{say("aboutEmbed")}</h2>
      <p>{say("aboutStrip")}</p>
      <Code
        text={`<iframe src="${frame}" title="${
          escapeXml(title)
        }" width="100%" height="64" frameborder="0"></iframe>`}
        copy={say("copy")}
      />
      <iframe src={link(PAGE_PATHS.embed)} title={title} height="64" loading="lazy" />
      <p>{say("aboutBanner")}</p>
      <Code text={`<script src="${script}" async></script>`} copy={say("copy")} />
      <p class="sample down">
        <b>{say("minorOutage")}</b>{" "}
        <span dir={sentenceDirection}>{say("isDown", { NAME: isolate(NAME) })}</span>
        <span aria-hidden="true">✕</span>
      </p>
    </section>
  );
}

function Code({ text, copy }: { text: string; copy: string }) {
  return (
    <div class="card field">
      <code dir="ltr">{text}</code>
      <button type="button" class="copy">{copy}</button>
    </div>
  );
}

export const notFound: Page = () => [[PAGE_PATHS.notFound, NotFound]];

function NotFound(view: PageView) {
  const { language: { say }, link } = view;
  const title = say("notFoundTitle");
  return (
    <Layout view={view} title={title} description={say("notFoundText")}>
      <section class="hero unknown">
        <h1>{title}</h1>
        <p class="times">{say("notFoundText")}</p>
      </section>
      <p class="all">
        <a href={link(PAGE_PATHS.overview)}>{say("notFoundBack")}</a>
      </p>
    </Layout>
  );
}
