import { incidentPagePath, PAGE_PATHS, toRelativeLink } from "../../lib/config/page_path.ts";
import type { Incident } from "../../lib/history/incident.ts";
import { findEnd, type StoredIncident } from "../../lib/history/stored_incidents.ts";
import type { State } from "../../lib/state.ts";
import type { MessageKey } from "../../lib/text/messages.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { listChanges } from "../terminal/incidents.ts";
import type { Content } from "./html.ts";
import { Cause } from "./incident_lists.tsx";
import { describeIncident, PHASE_WORDS } from "./incident_words.ts";
import { Layout } from "./layout.tsx";
import { Markdown } from "./markdown.tsx";
import { type Fact, Facts, Shape, SiteLink, SiteLinks, Time } from "./parts.tsx";
import type { Page, PageView } from "./view.ts";

export const incident: Page = function* ({ incidents }) {
  for (const [id, incident] of incidents) {
    yield [
      incidentPagePath(id),
      (view) => <IncidentPage view={view} id={id} incident={incident} />,
    ];
  }
};

interface IncidentProps {
  view: PageView;
  id: string;
  incident: StoredIncident;
  source?: string;
}

function IncidentPage({ view, id, incident }: Omit<IncidentProps, "source">) {
  const { language: { say }, settings: { repository }, link } = view;
  const { issue } = incident;
  const words = describeIncident(incident, view);
  const { title, direction, kind, state, stage, standing } = words;
  const source = issue === undefined || repository === undefined
    ? undefined
    : `${repository}/issues/${issue}`;
  const props = { view, id, incident, source };
  const text = "text" in incident ? incident.text : "";
  const isMaintenance = incident.kind === "maintenance";
  return (
    <Layout view={view} title={title} description={`${title} (${standing})`}>
      <section class={`hero ${stage === "over" ? "past" : state}`}>
        <h1>
          <Shape of={state} /> <span dir={direction}>{title}</span>
        </h1>
        <p class="times">{kind} · {standing}</p>
      </section>
      <section>
        <h2>{say("incidentWords")}</h2>
        <IncidentFacts {...props} words={words} />
      </section>
      {text !== "" && (
        <section>
          <h2>{say("incidentDetails")}</h2>
          <div class="card">
            <Markdown {...{ text, under: 2, prefix: "d-", view, source }} />
          </div>
        </section>
      )}
      <Changes {...props} />
      <Updates {...props} />
      <p class="all">
        <a href={link(isMaintenance ? PAGE_PATHS.maintenance : PAGE_PATHS.incidents)}>
          {say(isMaintenance ? "maintenanceBack" : "incidentBack")}
        </a>
      </p>
    </Layout>
  );
}

function IncidentFacts(
  { words, ...props }: IncidentProps & { words: ReturnType<typeof describeIncident> },
) {
  const { incident, view: { language }, source } = props;
  const { say } = language;
  const at = (time: Temporal.Instant) => <Time at={time} language={language} />;
  const end = findEnd(incident);
  const facts: Fact[] = [
    [say("affectedSites"), affectedSites(props)],
    [say(words.stage === "ahead" ? "startsAt" : "incidentOpenedAt"), at(incident.start)],
    [
      say(incident.end === undefined ? "plannedUntil" : "incidentClosedAt"),
      end !== undefined && at(end),
    ],
    [say("duration"), <bdi>{words.length}</bdi>],
    ...incident.kind === "down" || incident.kind === "degraded" ? checkFacts(incident, props) : [],
    [
      say("issue"),
      source === undefined
        ? incident.issue !== undefined && `#${incident.issue}`
        : <a href={source}>{say("incidentViewOnGitHub")}</a>,
    ],
  ];
  return <Facts facts={facts} />;
}

const EXPECTATIONS = {
  down: "expectedDown",
  degraded: "expectedDegraded",
  none: "expectedNone",
} as const satisfies Record<string, MessageKey>;

function affectedSites({ incident, view }: IncidentProps): Content {
  if (incident.kind !== "maintenance") {
    const slugs = incident.kind === "manual" ? incident.sites : [incident.slug];
    return slugs.length > 0 && <SiteLinks slugs={slugs} view={view} />;
  }
  return incident.sites.size > 0 && (
    <ul>
      {[...incident.sites].map(([slug, expected]) => (
        <li>
          <SiteLink slug={slug} view={view} />: {view.language.say(EXPECTATIONS[expected])}
        </li>
      ))}
    </ul>
  );
}

function checkFacts(incident: Incident, props: IncidentProps): Fact[] {
  const { confirmed, attempts, code, error, cause, affects } = incident;
  const { language } = props.view;
  const { say } = language;
  return [
    [
      say("confirmed"),
      language.sayElements(attempts === 1 ? "confirmedByOne" : "confirmedBy", {
        TIME: <Time at={confirmed} language={language} />,
        COUNT: language.number(attempts),
      }),
    ],
    [say("statusCode"), code !== 0 && String(code)],
    [say("errorSeen"), error !== "" && <span dir="auto">{plainText(error)}</span>],
    [say("becauseOf"), cause !== undefined && <Cause cause={cause} {...props} />],
    [say("affects"), affects.length > 0 && <Affected affects={affects} {...props} />],
  ];
}

/** The sites affected by an incident, as links to their own incidents if there are any. */
function Affected({ affects, id, view }: IncidentProps & { affects: readonly string[] }) {
  const caused = [...view.incidents].filter(([, one]) => "cause" in one && one.cause === id);
  const linked = new Set(caused.map(([, one]) => "slug" in one ? one.slug : ""));
  const others = affects.filter((slug) => !linked.has(slug));
  return (
    <ul>
      {caused.map(([other, one]) => (
        <li>
          <a href={view.link(incidentPagePath(other))}>
            {describeIncident(one, view).title}
          </a>
        </li>
      ))}
      {others.map((slug) => (
        <li>
          <SiteLink slug={slug} view={view} />
        </li>
      ))}
    </ul>
  );
}

const CHANGES = {
  down: ["courseDown", "down"],
  degraded: ["courseDegraded", "degraded"],
  ended: ["courseEnded", "up"],
  reopened: ["courseReopened", "down"],
  acknowledged: ["courseAcknowledged", "down"],
} as const satisfies Record<
  ReturnType<typeof listChanges>[number]["word"] | "acknowledged",
  readonly [MessageKey, State]
>;

/**
 * The state changes of an incident and its acknowledgements, if there are more than its start and end. As with
 * comments, nobody is named.
 */
function Changes({ incident, view: { language } }: IncidentProps) {
  const acknowledged = "acknowledgements" in incident
    ? incident.acknowledgements.map(({ at }) => ({ at, word: "acknowledged" as const }))
    : [];
  const changes = [...listChanges(incident), ...acknowledged]
    .sort((one, other) => Temporal.Instant.compare(one.at, other.at));
  if (changes.every(({ word }, index) => index === 0 || word === "ended") && changes.length <= 2) {
    return null;
  }
  return (
    <section>
      <h2>{language.say("course")}</h2>
      <ol class="card course">
        {changes.map(({ at, word }) => (
          <li>
            <Shape of={CHANGES[word][1]} /> {language.say(CHANGES[word][0])}{" "}
            <Time at={at} language={language} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Updates({ incident: { updates }, view, source }: IncidentProps) {
  const { language } = view;
  return (
    <section>
      <h2>{language.say("timeline")}</h2>
      {updates.length === 0 && <p class="card none">{language.say("noUpdates")}</p>}
      {updates.length > 0 && (
        <ol class="updates">
          {[...updates.entries()].reverse().map(([index, { at, phase, text }]) => (
            <li>
              <article class="card update">
                <h3>{language.say(phase === undefined ? "update" : PHASE_WORDS[phase])}</h3>
                <p class="muted">
                  <Time at={at} language={language} />
                </p>
                <Markdown {...{ text, under: 3, prefix: `u${index + 1}-`, view, source }} />
              </article>
            </li>
          ))}
        </ol>
      )}
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
