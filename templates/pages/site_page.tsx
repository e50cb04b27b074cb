import { incidentPagePath, PAGE_PATHS, sitePagePath } from "../../lib/config/page_path.ts";
import { shownAddress } from "../../lib/config/config.ts";
import { findResponseTime } from "../../lib/history/record.ts";
import { computeStage, findEnd } from "../../lib/history/stored_incidents.ts";
import type { SiteReport } from "../../lib/statistics/report/report.ts";
import { findLeastState } from "../../lib/incidents/impact.ts";
import {
  findWindowFiles,
  groupBySite,
  type ListedIncident,
  type ListedWindow,
  listOpenIncidents,
  sortNewestFirst,
} from "../../lib/page/incidents.ts";
import { hasNames, listGroups, type SiteGroup } from "../../lib/page/groups.ts";
import { computeDisplayStatus } from "../../lib/page/overall.ts";
import { plainText, shorten } from "../../lib/text/plain_text.ts";
import { DAY, isBefore } from "../../lib/time.ts";
import { siteName } from "../words.ts";
import { cacheTicks, type ChartTicks, ResponseGraph } from "./chart.tsx";
import { Year } from "./day_bars.tsx";
import { nameGroup } from "./groups.tsx";
import type { Content } from "./html.ts";
import { ActiveIncidents } from "./incident_lists.tsx";
import { describeIncident } from "./incident_words.ts";
import { Layout } from "./layout.tsx";
import { type Fact, Facts, Period, Shape, SiteIcon, SiteLink, Time } from "./parts.tsx";
import { Badges, Figures, Phases } from "./site_figures.tsx";
import type { Page, PageView, View } from "./view.ts";

export const sitePages: Page = function* (
  { incidents: all, settings, report: whole },
) {
  const bySite = groupBySite(all);
  const ticks = cacheTicks(settings.timezone);
  const groups = listGroups(whole);
  for (const one of groups) {
    const group = hasNames(groups) ? one : undefined;
    for (const report of one.sites) {
      const { slug } = report.site;
      const incidents = bySite.get(slug) ?? [];
      yield [
        sitePagePath(slug),
        (view) => <SitePage {...{ view, report, group, incidents, ticks }} />,
      ];
    }
  }
};

function SitePage({ view, report, group, incidents, ticks }: {
  view: PageView;
  report: SiteReport;
  /** Absent if no site has a group. */
  group?: SiteGroup;
  incidents: readonly ListedIncident[];
  ticks: ChartTicks;
}) {
  const { language } = view;
  const { site, timings } = report;
  const NAME = siteName(site.slug, [site]);
  const STATE = language.say(computeDisplayStatus(report, view));
  const description = language.say("siteDescription", { NAME, STATE });
  return (
    <Layout view={view} title={NAME} description={description}>
      <SiteHead view={view} report={report} group={group} />
      <Present view={view} slug={site.slug} incidents={incidents} />
      <SiteFacts view={view} report={report} />
      <Figures report={report} language={language} />
      <ResponseGraph view={view} report={report} ticks={ticks} />
      <Phases timings={timings} language={language} />
      <Year report={report} language={language} />
      <Past view={view} incidents={incidents} />
      <Badges view={view} site={site} />
    </Layout>
  );
}

function SiteHead({ view, report, group }: {
  view: PageView;
  report: SiteReport;
  group?: SiteGroup;
}) {
  const { language, link } = view;
  const { site, record, condition } = report;
  const shown = computeDisplayStatus(report, view);
  return (
    <>
      <p class="back">
        <a href={link(PAGE_PATHS.overview)}>{language.say("allSites")}</a>
        {group && [
          " › ",
          <a href={link(group.path)} dir="auto">{nameGroup(group.name, language)}</a>,
        ]}
      </p>
      <section
        class={`hero ${shown === "paused" ? "unknown" : shown}`}
        data-slug={site.slug}
        data-least={findLeastState(site.slug, view.report.impacts)}
      >
        <h1>
          <Shape of={shown} />
          <span>
            <SiteIcon view={view} site={site} />{" "}
            <span class="called" dir="auto">{siteName(site.slug, [site])}</span>{" "}
            <span class="word">{language.say(shown)}</span>
          </span>
        </h1>
        {record !== undefined && shown === condition && (
          <p class="times since">
            {language.sayElements("stateSince", {
              TIME: <Time at={record.since} language={language} />,
            })}
          </p>
        )}
        {site.description !== undefined && (
          <p class="about" dir="auto">{plainText(site.description)}</p>
        )}
      </section>
    </>
  );
}

interface IncidentsProps {
  view: PageView;
  incidents: readonly ListedIncident[];
}

const MOST_PLANNED = 3;

/** Ongoing incidents, and ongoing and planned maintenance. */
function Present({ view, slug, incidents }: IncidentsProps & { slug: string }) {
  const { language, report: { time, maintenance }, link } = view;
  const open = listOpenIncidents(new Map(incidents), time);
  const windows = findWindowFiles(maintenance.filter(({ sites }) => sites.has(slug)), incidents);
  const isAhead = ({ window }: ListedWindow) => isBefore(time, window.start);
  const ahead = windows.filter(isAhead).slice(0, MOST_PLANNED);
  return (
    <>
      <ActiveIncidents view={view} incidents={open} />
      {windows.length > 0 && (
        <section>
          <h2>{language.say("maintenance")}</h2>
          <ul class="card past">
            {[...windows.filter((one) => !isAhead(one)), ...ahead].map((one) => (
              <li>
                <Shape of="maintenance" />
                <a
                  dir="auto"
                  href={link(
                    one.id === undefined ? PAGE_PATHS.maintenance : incidentPagePath(one.id),
                  )}
                >
                  {plainText(one.window.name) || language.say("maintenance")}
                </a>
                <span class="muted">
                  <Period from={one.window.start} to={one.window.until} language={language} />
                  {" · "}
                  {language.say(isAhead(one) ? "incidentScheduled" : "incidentOngoing")}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** Known facts other than the numbers. */
function SiteFacts({ view, report }: { view: PageView; report: SiteReport }) {
  const { language } = view;
  const { site, record, lastBeat } = report;
  const address = shownAddress(site);
  const name = (text: string) => <bdi>{plainText(text)}</bdi>;
  const dependencies = site.dependsOn.flatMap((one): Content[] => {
    if ("slug" in one) return [<SiteLink slug={one.slug} view={view} />];
    const own = shownAddress({ url: one.address, hideUrl: false });
    return own === undefined ? [] : [name(own)];
  });
  const facts: Fact[] = [
    [language.say("lastCheck"), <LastCheck view={view} report={report} />],
    [language.say("lastBeat"), lastBeat && <Time at={lastBeat} language={language} />],
    [language.say("address"), address && <Address text={address} />],
    [language.say("tags"), commaList(site.tags.map(name))],
    [language.say("dependsOn"), commaList(dependencies)],
    [
      language.say("certificate"),
      record?.certificate && <CertificateExpiry until={record.certificate} view={view} />,
    ],
  ];
  return <Facts facts={facts} isCard={false} />;
}

function commaList(parts: readonly Content[]): Content {
  return parts.length > 0 && parts.flatMap((part, index) => index === 0 ? [part] : [", ", part]);
}

function LastCheck(
  { view: { language }, report: { site, record, lastCheck } }: { view: View; report: SiteReport },
) {
  if (record === undefined) return language.say("neverChecked");
  const { lastUpdated, code } = record;
  const time = findResponseTime(record);
  // A check during maintenance doesn't change the record.
  const isLast = lastCheck === undefined || Temporal.Instant.compare(lastCheck, lastUpdated) <= 0;
  const isHttp = isLast && site.check === "http" && code > 0;
  return [
    <Time at={lastCheck ?? lastUpdated} language={language} />,
    isHttp && ` · ${language.say("codeOf", { CODE: String(code) })}`,
    isLast && time !== undefined && ` · ${language.milliseconds(time)}`,
  ];
}

function Address({ text }: { text: string }) {
  const shown = plainText(text);
  return /^https?:\/\//i.test(text) && !/\$[A-Za-z_]/.test(text) && URL.canParse(text)
    ? <a href={text} rel="noopener" dir="ltr">{shown}</a>
    : <bdi dir="ltr">{shown}</bdi>;
}

/** Remaining validity of a certificate that needs attention. */
const EXPIRES_SOON = 14 * DAY;

function CertificateExpiry(
  { until, view: { language, report: { time } } }: { until: Temporal.Instant; view: View },
) {
  const date = language.day(language.dateOf(until));
  const left = until.epochMilliseconds - time.epochMilliseconds;
  const rest = left < DAY ? left : Math.floor(left / DAY) * DAY;
  const words = isBefore(time, until)
    ? language.say("certificateValid", { DAY: date, TIME: language.duration(rest / 1000) })
    : language.say("certificateExpired", { DAY: date });
  if (left >= EXPIRES_SOON) return words;
  const state = isBefore(time, until) ? "degraded" : "down";
  return (
    <span class={state}>
      <Shape of={state} /> {words}
    </span>
  );
}

const MOST_PAST = 50;
const LONGEST_ERROR = 120;

function Past({ view, incidents }: IncidentsProps) {
  const { language, link } = view;
  const started = sortNewestFirst(
    incidents.filter(([, one]) => computeStage(one, view.report.time) !== "ahead"),
  );
  return (
    <section>
      <h2>{language.say("siteIncidents")}</h2>
      {started.length === 0
        ? <p class="muted">{language.say("siteQuiet")}</p>
        : (
          <ul class="card past">
            {started.slice(0, MOST_PAST).map((one) => <PastRow view={view} one={one} />)}
          </ul>
        )}
      <p class="more">
        <a href={link(PAGE_PATHS.incidents)}>{language.say("allIncidents")}</a>
        <a href={link(PAGE_PATHS.maintenance)}>{language.say("allMaintenance")}</a>
      </p>
    </section>
  );
}

function PastRow(
  { view, one: [id, incident] }: { view: PageView; one: ListedIncident },
) {
  const { title, kind, state, length } = describeIncident(incident, view);
  const isOfSite = incident.kind === "down" || incident.kind === "degraded";
  const error = "error" in incident ? plainText(incident.error) : "";
  return (
    <li>
      <Shape of={state} />
      <a dir="auto" href={view.link(incidentPagePath(id))}>
        {isOfSite ? kind : title}
      </a>
      <span class="muted">
        <Period from={incident.start} to={findEnd(incident)} language={view.language} />
        {" · "}
        {length}
        {error !== "" && [" · ", <bdi>{shorten(error, LONGEST_ERROR)}</bdi>]}
      </span>
    </li>
  );
}
