import {
  incidentsBySite,
  type ListedIncident,
  type ListedWindow,
  listedWindows,
  newestFirst,
  openIncidents,
  pageStage,
} from "../../lib/page/incidents.ts";
import {
  incidentPagePath,
  type Link,
  linksOf,
  PAGE_PATHS,
  sitePagePath,
} from "../../lib/config/page_path.ts";
import type { SiteReport } from "../../lib/statistics/report/report.ts";
import { shownOf } from "../../lib/page/overall.ts";
import { siteName } from "../words.ts";
import type { Page, View } from "./view.ts";
import { Layout } from "./layout.tsx";
import { Badges, Figures, Phases } from "./site_figures.tsx";
import { cacheTicks, type ChartTicks, ResponseGraph } from "./chart.tsx";
import { Year } from "./day_bars.tsx";
import { leastState } from "../../lib/incidents/impact.ts";
import { plainText, shorten } from "../../lib/text/plain_text.ts";
import { type Fact, Facts, Period, Shape, SiteIcon, SiteLink, Time } from "./parts.tsx";
import { DAY, isBefore } from "../../lib/time.ts";
import { ActiveIncidents } from "./incident_lists.tsx";
import { endOf } from "../../lib/history/stage_of.ts";
import { incidentWords } from "./incident_words.ts";
import { shownAddress } from "../../lib/config/shown_address.ts";
import type { Dependency } from "../../lib/config/dependency.ts";
import type { Content } from "./html.ts";

export const sitePages: Page = {
  *files(view) {
    const events = incidentsBySite(view.incidents);
    const ticks = cacheTicks(view.settings.timezone);
    for (const report of view.report.sites) {
      const { slug } = report.site;
      const own = events.get(slug) ?? [];
      const page = <SitePage view={view} report={report} events={own} ticks={ticks} />;
      yield [sitePagePath(slug), page];
    }
  },
};

function SitePage({ view, report, events, ticks }: {
  view: View;
  report: SiteReport;
  events: readonly ListedIncident[];
  ticks: ChartTicks;
}) {
  const { language } = view;
  const { site, phases } = report;
  const path = sitePagePath(site.slug);
  const link = linksOf(path);
  const name = siteName(site.slug, [site]);
  const description = language.say("siteDescription", {
    NAME: name,
    STATE: language.say(shownOf(report, view)),
  });
  return (
    <Layout view={view} path={path} title={name} description={description}>
      <SiteHead view={view} report={report} link={link} />
      <Present view={view} slug={site.slug} events={events} link={link} />
      <SiteFacts view={view} report={report} link={link} />
      <Figures report={report} language={language} />
      <ResponseGraph view={view} report={report} ticks={ticks} />
      <Phases phases={phases} language={language} />
      <Year report={report} language={language} />
      <Past view={view} events={events} link={link} />
      <Badges view={view} site={site} link={link} />
    </Layout>
  );
}

function SiteHead(
  { view, report, link }: { view: View; report: SiteReport; link: Link },
) {
  const { language } = view;
  const { site, record, condition } = report;
  const shown = shownOf(report, view);
  const tint = shown === "paused" ? "unknown" : shown;
  return (
    <>
      <p class="back">
        <a href={link(PAGE_PATHS.overview)}>{language.say("allSites")}</a>
      </p>
      <section
        class={`hero ${tint}`}
        data-slug={site.slug}
        data-least={leastState(site.slug, view.report.impacts)}
      >
        <h1>
          <Shape of={shown} />
          <span>
            <SiteIcon view={view} site={site} link={link} />{" "}
            <span class="called" dir="auto">{siteName(site.slug, [site])}</span>{" "}
            <span class="word">{language.say(shown)}</span>
          </span>
        </h1>
        {record !== undefined && shown === condition && (
          <p class="times since">
            {language.tell("stateSince", { TIME: <Time at={record.since} language={language} /> })}
          </p>
        )}
        {site.description !== undefined && (
          <p class="about" dir="auto">{plainText(site.description)}</p>
        )}
      </section>
    </>
  );
}

/** More windows that are ahead than these are told elsewhere. */
const MOST_AHEAD = 3;

interface PresentProps {
  view: View;
  slug: string;
  events: readonly ListedIncident[];
  link: Link;
}

function Present({ view, slug, events, link }: PresentProps) {
  const { language, report: { time, maintenance } } = view;
  const open = openIncidents(new Map(events), time);
  const windows = listedWindows(maintenance.filter(({ sites }) => sites.has(slug)), events);
  const going = windows.filter(({ window }) => !isBefore(time, window.start));
  const ahead = windows.filter(({ window }) => isBefore(time, window.start)).slice(0, MOST_AHEAD);
  return (
    <>
      <ActiveIncidents view={view} incidents={open} link={link} />
      {windows.length > 0 && (
        <section>
          <h2>{language.say("maintenance")}</h2>
          <ul class="card past">
            {[...going, ...ahead].map((one) => <Window {...one} view={view} link={link} />)}
          </ul>
        </section>
      )}
    </>
  );
}

function Window(
  { view: { language, report: { time } }, window, id, link }: ListedWindow & {
    view: View;
    link: Link;
  },
) {
  const { name, start, until } = window;
  const target = id === undefined ? PAGE_PATHS.maintenance : incidentPagePath(id);
  return (
    <li>
      <Shape of="maintenance" />
      <a dir="auto" href={link(target)}>{plainText(name) || language.say("maintenance")}</a>
      <span class="muted">
        <Period from={start} to={until} language={language} />
        {" · "}
        {language.say(isBefore(time, start) ? "incidentScheduled" : "incidentOngoing")}
      </span>
    </li>
  );
}

/** More than these no page lists. */
const MOST = 50;

/** More characters of an error than these no list shows. */
const LONGEST_ERROR = 120;

function Past(
  { view, events, link }: { view: View; events: readonly ListedIncident[]; link: Link },
) {
  const { language } = view;
  const begun = newestFirst(
    events.filter(([, one]) => pageStage(one, view.report.time) !== "ahead"),
  );
  return (
    <section>
      <h2>{language.say("siteIncidents")}</h2>
      {begun.length === 0
        ? <p class="muted">{language.say("siteQuiet")}</p>
        : (
          <ul class="card past">
            {begun.slice(0, MOST).map((one) => <Row view={view} one={one} link={link} />)}
          </ul>
        )}
      <p class="more">
        <a href={link(PAGE_PATHS.incidents)}>{language.say("allIncidents")}</a>
        <a href={link(PAGE_PATHS.maintenance)}>{language.say("allMaintenance")}</a>
      </p>
    </section>
  );
}

function Row(
  { view, one: [id, incident], link }: {
    view: View;
    one: ListedIncident;
    link: Link;
  },
) {
  const { language } = view;
  const { title, kind, state, length } = incidentWords(incident, view);
  const isOurs = incident.kind === "down" || incident.kind === "degraded";
  const error = "error" in incident ? plainText(incident.error) : "";
  return (
    <li>
      <Shape of={state} />
      <a dir="auto" href={link(incidentPagePath(id))}>{isOurs ? kind : title}</a>
      <span class="muted">
        <Period from={incident.start} to={endOf(incident)} language={language} />
        {" · "}
        {length}
        {error !== "" && (
          <>
            {" · "}
            <bdi>{shorten(error, LONGEST_ERROR)}</bdi>
          </>
        )}
      </span>
    </li>
  );
}

function SiteFacts({ view, report, link }: { view: View; report: SiteReport; link: Link }) {
  const { language } = view;
  const { site, record } = report;
  const address = shownAddress(site);
  const facts: Fact[] = [
    [language.say("lastCheck"), <LastCheck view={view} report={report} />],
    [language.say("address"), address && <Address text={address} />],
    [language.say("group"), site.group && <bdi>{plainText(site.group)}</bdi>],
    [language.say("tags"), site.tags.length > 0 && listed(site.tags.map(text))],
    [
      language.say("dependsOn"),
      site.dependsOn.length > 0 &&
      listed(site.dependsOn.flatMap((one) => dependency(one, view, link))),
    ],
    [
      language.say("certificate"),
      record?.certificate &&
      <CertificateExpiry until={record.certificate} view={view} />,
    ],
  ];
  return <Facts facts={facts} isCard={false} />;
}

function LastCheck(
  { view, report: { site, record, lastCheck } }: { view: View; report: SiteReport },
) {
  const { language, incidents } = view;
  if (record === undefined) return <>{language.say("neverChecked")}</>;
  const { lastUpdated, code, responseTime, status, incident } = record;
  const open = incident === undefined ? undefined : incidents.get(incident);
  const error = open !== undefined && "error" in open ? plainText(open.error) : "";
  // A check in maintenance leaves the record as it was.
  const isLast = lastCheck === undefined || Temporal.Instant.compare(lastCheck, lastUpdated) <= 0;
  const isHttp = isLast && site.check === "http" && code > 0;
  return (
    <>
      <Time at={lastCheck ?? lastUpdated} language={language} />
      {isHttp && ` · ${language.say("codeOf", { CODE: String(code) })}`}
      {isLast && status === "up" && ` · ${language.milliseconds(responseTime)}`}
      {error !== "" && (
        <>
          {" · "}
          <bdi>{error}</bdi>
        </>
      )}
    </>
  );
}

function Address({ text }: { text: string }) {
  const shown = plainText(text);
  return /^https?:\/\//i.test(text) && !/\$[A-Za-z_]/.test(text) && URL.canParse(text)
    ? <a href={text} rel="noopener" dir="ltr">{shown}</a>
    : <bdi dir="ltr">{shown}</bdi>;
}

function dependency(one: Dependency, view: View, link: Link): Content[] {
  if ("slug" in one) return [<SiteLink slug={one.slug} view={view} link={link} />];
  const address = shownAddress({ url: one.address, hideUrl: false });
  return address === undefined ? [] : [text(address)];
}

function text(words: string): Content {
  return <bdi>{plainText(words)}</bdi>;
}

function listed(parts: readonly Content[]): Content {
  return parts.length === 0
    ? undefined
    : parts.flatMap((part, index): Content[] => index === 0 ? [part] : [", ", part]);
}

/** Less time than this is a reason to look. */
const SOON = 14 * DAY;

/** Until when a certificate is valid, and how long that still is. */
function CertificateExpiry(
  { until, view: { language, report: { time } } }: { until: Temporal.Instant; view: View },
) {
  const date = language.day(language.dateOf(until));
  if (!isBefore(time, until)) {
    return (
      <span class="down">
        <Shape of="down" /> {language.say("certificateExpired", { DAY: date })}
      </span>
    );
  }
  const left = until.epochMilliseconds - time.epochMilliseconds;
  const told = left < DAY ? left : Math.floor(left / DAY) * DAY;
  const TIME = language.duration(told / 1000);
  const words = language.say("certificateValid", { DAY: date, TIME });
  if (left >= SOON) return <>{words}</>;
  return (
    <span class="degraded">
      <Shape of="degraded" /> {words}
    </span>
  );
}
