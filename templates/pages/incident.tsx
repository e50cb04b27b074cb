import { PHASE_KEYS } from "../../lib/incidents/phase_words.ts";
import { incidentPagePath, PAGE_PATHS, toRelativeLink } from "../../lib/config/page_path.ts";
import { listSlugs, type StoredIncident } from "../../lib/history/stored_incidents.ts";
import type { ListedIncident } from "../../lib/page/incidents.ts";
import {
  createNeighbours,
  listTimeline,
  type Neighbours,
  type TimelineEntry,
  type TimelineEvent,
} from "../../lib/page/timeline.ts";
import type { State } from "../../lib/state.ts";
import type { MessageKey } from "../../lib/text/messages.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { ErrorText } from "./incident_cards.tsx";
import { IncidentCharts } from "./incident_chart.tsx";
import { IncidentFacts, type IncidentProps } from "./incident_facts.tsx";
import { describeIncident, describePhase } from "./incident_words.ts";
import { Layout } from "./layout.tsx";
import { Markdown } from "./markdown.tsx";
import { DOT, Lasting, Shape, Time } from "./parts.tsx";
import { describeSite, type Page, type PageView } from "./view.ts";

export const incident: Page = function* ({ incidents }) {
  const findNeighbours = createNeighbours(incidents);
  for (const [id, incident] of incidents) {
    const neighbours = findNeighbours(id, incident);
    yield [
      incidentPagePath(id),
      (view) => <IncidentPage view={view} id={id} incident={incident} neighbours={neighbours} />,
    ];
  }
};

function IncidentPage(
  { view, id, incident, neighbours }: Omit<IncidentProps, "source"> & { neighbours: Neighbours },
) {
  const { language: { say, sayElements }, language, settings: { repository }, link } = view;
  const { issue } = incident;
  const words = describeIncident(incident, view);
  const { title, direction, kind, state, stage, standing } = words;
  const { phase } = describePhase([[id, incident]], words, language);
  const source = issue === undefined || repository === undefined
    ? undefined
    : `${repository}/issues/${issue}`;
  const props = { view, id, incident, source };
  const isMaintenance = incident.kind === "maintenance";
  const hasLength = stage !== "ahead" && standing !== say("calledOff");
  return (
    <Layout view={view} title={title} description={`${title} (${standing})`}>
      <p class="back">
        <a href={link(PAGE_PATHS.overview)}>{say("navStatus")}</a>
        {" / "}
        <a href={link(isMaintenance ? PAGE_PATHS.maintenance : PAGE_PATHS.incidents)}>
          {say(isMaintenance ? "navMaintenance" : "navIncidents")}
        </a>
      </p>
      <section class={`hero ${stage === "over" ? "past" : state}`}>
        <h1>
          <Shape of={state} /> <span dir={direction}>{title}</span>
        </h1>
        <p class="line">
          {sayElements("incidentLine", {
            STATE: hasLength ? <Lasting words={words} of="sentence" /> : kind,
            PHASE: phase,
          })}
        </p>
      </section>
      <div class="incident-page">
        <div>
          <PostMortems {...props} />
          {isMaintenance && incident.text !== "" && (
            <section>
              <h2>{say("incidentDetails")}</h2>
              <div class="card">
                <Markdown {...{ text: incident.text, under: 2, prefix: "d-", view, source }} />
              </div>
            </section>
          )}
          <Updates {...props} />
          {!isMaintenance && <IncidentCharts view={view} incident={incident} />}
        </div>
        <aside>
          <IncidentFacts {...props} words={words} />
        </aside>
      </div>
      <Turn view={view} incident={incident} neighbours={neighbours} />
      <p class="all">
        <a href={link(isMaintenance ? PAGE_PATHS.maintenance : PAGE_PATHS.incidents)}>
          {say(isMaintenance ? "maintenanceBack" : "incidentBack")}
        </a>
      </p>
    </Layout>
  );
}

/** Post-mortems, an article for each. */
function PostMortems({ incident: { updates }, view, source }: IncidentProps) {
  const { language } = view;
  return [...updates.entries()].filter(([, { phase }]) => phase === "post-mortem").reverse()
    .map(([index, { at, text }]) => (
      <article class="card post-mortem">
        <h2>{language.say("postMortem")}</h2>
        <p class="muted">
          <Time at={at} language={language} />
        </p>
        <Markdown {...{ text, under: 2, prefix: `u${index + 1}-`, view, source }} />
      </article>
    ));
}

const EVENTS = {
  down: ["courseDown", "down"],
  degraded: ["courseDegraded", "degraded"],
  confirmed: ["confirmed", "unknown"],
  reason: ["courseReason", "unknown"],
  ended: ["courseEnded", "up"],
  reopened: ["courseReopened", "down"],
  acknowledged: ["courseAcknowledged", "unknown"],
  started: ["incidentOpenedAt", "unknown"],
  completed: ["incidentClosedAt", "unknown"],
  canceled: ["calledOff", "unknown"],
} as const satisfies Record<TimelineEvent, readonly [MessageKey, State]>;

/** Updates by people and events of the monitor, the newest first. */
function Updates(props: IncidentProps) {
  const { incident, view } = props;
  const { language, report } = view;
  const entries = listTimeline(incident, report.time);
  return (
    <section>
      <h2>{language.say("timeline")}</h2>
      {entries.length === 0 && <p class="card none">{language.say("noUpdates")}</p>}
      <ol class="rail">
        {entries.map((entry, index) => {
          const { at } = entry;
          const before = entries[index - 1];
          const isSameDay = before !== undefined &&
            language.dateOf(before.at) === language.dateOf(at);
          const time = <Time at={at} language={language} of={isSameDay ? "clock" : "moment"} />;
          return entry.event === undefined
            ? (
              <li>
                <h3>
                  {language.say(entry.phase === undefined ? "update" : PHASE_KEYS[entry.phase])}
                  {" "}
                  {time}
                </h3>
                <Text {...props} entry={entry} />
              </li>
            )
            : <Event {...props} entry={entry} event={entry.event} time={time} />;
        })}
      </ol>
    </section>
  );
}

function Text({ entry: { text, number = 0 }, view, source }: IncidentProps & {
  entry: TimelineEntry;
}) {
  return <Markdown {...{ text, under: 3, prefix: `u${number}-`, view, source }} />;
}

function Event({ entry, event, time, ...props }: IncidentProps & {
  entry: TimelineEntry;
  event: TimelineEvent;
  time: ReturnType<typeof Time>;
}) {
  const { incident, view: { language } } = props;
  const [key, state] = EVENTS[event];
  const isText = event === "started" && entry.text !== "";
  const attempts = "attempts" in incident ? incident.attempts : 0;
  const confirmed = attempts === 0
    ? language.say("confirmed")
    : language.say("attempts", { COUNT: attempts });
  const error = isText ? "" : plainText(entry.text);
  return (
    <li class={isText ? undefined : "event"}>
      <h3>
        <span class={isText ? undefined : state}>
          {event === "confirmed" ? confirmed : language.say(key)}
        </span>{" "}
        {time}
      </h3>
      {isText && <Text {...props} entry={entry} />}
      {(entry.isConfirmed || error !== "") && (
        <p>
          {entry.isConfirmed && confirmed}
          {entry.isConfirmed && error !== "" && DOT}
          {error !== "" && <ErrorText error={error} view={props.view} />}
        </p>
      )}
    </li>
  );
}

/** Links to the incidents before and after it of the same service. */
function Turn({ view, incident, neighbours: { earlier, later } }: {
  view: PageView;
  incident: StoredIncident;
  neighbours: Neighbours;
}) {
  const { language, report, link } = view;
  const slug = listSlugs(incident)[0];
  if (slug === undefined || (earlier === undefined && later === undefined)) return null;
  const to = (other: ListedIncident | undefined, key: MessageKey) =>
    other !== undefined && (
      <a href={link(incidentPagePath(other[0]))}>
        {language.say(key, { DAY: language.day(language.dateOf(other[1].start)) })}
      </a>
    );
  return (
    <section class="turn">
      <h2>
        {language.say("incidentsOfSite", { NAME: language.isolate(describeSite(slug, report)) })}
      </h2>
      {to(earlier, "incidentEarlier")}
      {to(later, "incidentLater")}
    </section>
  );
}

/**
 * Pages that lead from the number of an issue to its incident: addresses that Upptime's page had, and that people
 * type. Of several incidents of an issue the last one counts.
 */
export const issueAddresses: Page = function* ({ incidents, settings: { lang } }) {
  const byIssue = new Map(
    [...incidents].flatMap(([id, one]) =>
      [one.issue, ..."furtherIssues" in one ? one.furtherIssues ?? [] : []].flatMap((issue) =>
        issue !== undefined ? [[String(issue), id]] : []
      )
    ),
  );
  for (const [issue, id] of byIssue) {
    if (issue === id || incidents.has(issue)) continue;
    const path = incidentPagePath(issue!);
    const target = toRelativeLink(path, incidentPagePath(id!));
    yield [path, () => (
      <html lang={lang}>
        <head>
          <meta charSet="utf-8" />
          <meta name="robots" content="noindex" />
          <meta http-equiv="refresh" content={`0; url=${target}`} />
          <link rel="canonical" href={target} />
          <title>#{issue}</title>
        </head>
        <body>
          <a href={target}>#{issue}</a>
        </body>
      </html>
    )];
  }
};
