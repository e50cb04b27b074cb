import type { StoredIncident } from "../../lib/history/stored_incidents.ts";
import { incidentPagePath, type Link, linksOf, PAGE_PATHS } from "../../lib/config/page_path.ts";
import { type IncidentWords, incidentWords, PHASE_WORDS } from "./incident_words.ts";
import type { Page, View } from "./view.ts";
import { Layout } from "./layout.tsx";
import { Markdown } from "./markdown.tsx";
import { type Fact, Facts, Shape, SiteLink, SiteLinks, Time } from "./parts.tsx";
import type { MessageKey } from "../../lib/text/messages.ts";
import type { State } from "../../lib/state.ts";
import { changesOf } from "../terminal/incidents.ts";
import type { Incident } from "../../lib/history/incident.ts";
import { endOf } from "../../lib/history/stage_of.ts";
import type { Maintenance } from "../../lib/history/maintenance.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import type { Content } from "./html.ts";
import { Cause } from "./incident_lists.tsx";

/** A page for everything that stands among the incidents. */
export const incident: Page = {
  *files(view) {
    for (const [id, one] of view.incidents) {
      const path = incidentPagePath(id);
      yield [path, <IncidentPage view={view} path={path} id={id} incident={one} />];
    }
  },
};

function IncidentPage(
  { view, path, id, incident }: Omit<IncidentProps, "link"> & { path: string },
) {
  const { language, settings } = view;
  const words = incidentWords(incident, view);
  const { title, direction, kind, state, stage, standing } = words;
  const link = linksOf(path, settings.base);
  const source = issueAddress(incident, view);
  const text = "text" in incident ? incident.text : "";
  const isMaintenance = incident.kind === "maintenance";
  const parts = { view, id, incident, link };
  const writing = { under: 2, view, link, source };
  return (
    <Layout view={view} path={path} title={title} description={`${title} (${standing})`}>
      <section class={`hero ${stage === "over" ? "past" : state}`}>
        <h1>
          <Shape of={state} /> <span dir={direction}>{title}</span>
        </h1>
        <p class="times">{kind} · {standing}</p>
      </section>
      <section>
        <h2>{language.say("incidentWords")}</h2>
        <IncidentFacts {...parts} words={words} source={source} />
      </section>
      {text !== "" && (
        <section>
          <h2>{language.say("incidentDetails")}</h2>
          <div class="card">
            <Markdown {...writing} text={text} prefix="d-" />
          </div>
        </section>
      )}
      <Course {...parts} />
      <Updates {...parts} source={source} />
      <p class="all">
        <a href={link(isMaintenance ? PAGE_PATHS.maintenance : PAGE_PATHS.incidents)}>
          {language.say(isMaintenance ? "maintenanceBack" : "incidentBack")}
        </a>
      </p>
    </Layout>
  );
}

function issueAddress(
  { issue }: StoredIncident,
  { settings: { repository } }: Pick<View, "settings">,
): string | undefined {
  return issue === undefined || repository === undefined
    ? undefined
    : `${repository}/issues/${issue}`;
}

const WORDS = {
  down: ["courseDown", "down"],
  degraded: ["courseDegraded", "degraded"],
  ended: ["courseEnded", "up"],
  reopened: ["courseReopened", "down"],
} as const satisfies Record<
  ReturnType<typeof changesOf>[number]["word"],
  readonly [MessageKey, State]
>;

function Course({ incident, view: { language } }: IncidentProps) {
  const changes = changesOf(incident);
  if (changes.every(({ word }, index) => index === 0 || word === "ended") && changes.length <= 2) {
    return null;
  }
  return (
    <section>
      <h2>{language.say("course")}</h2>
      <ol class="card course">
        {changes.map(({ at, word }) => (
          <li>
            <Shape of={WORDS[word][1]} /> {language.say(WORDS[word][0])}{" "}
            <Time at={at} language={language} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function IncidentFacts(
  { words: { stage, length }, source, ...props }: IncidentProps & {
    words: IncidentWords;
    source?: string;
  },
) {
  const { incident, view } = props;
  const { language } = view;
  const { say } = language;
  const at = (time: Temporal.Instant) => <Time at={time} language={language} />;
  const end = endOf(incident);
  const facts: Fact[] = [
    [say("affectedSites"), sitesOf(props)],
    [say(stage === "ahead" ? "startsAt" : "incidentOpenedAt"), at(incident.start)],
    [
      say(incident.end === undefined ? "plannedUntil" : "incidentClosedAt"),
      end !== undefined && at(end),
    ],
    [say("duration"), <bdi>{length}</bdi>],
    ...incident.kind === "down" || incident.kind === "degraded" ? seen(incident, props) : [],
    [
      say("issue"),
      source === undefined
        ? incident.issue !== undefined && `#${incident.issue}`
        : <a href={source}>{say("incidentViewOnGitHub")}</a>,
    ],
  ];
  return <Facts facts={facts} />;
}

function sitesOf({ incident, view, link }: IncidentProps): Content {
  if (incident.kind === "maintenance") {
    return incident.sites.size > 0 && (
      <Expectations sites={incident.sites} view={view} link={link} />
    );
  }
  const slugs = incident.kind === "manual" ? incident.sites : [incident.slug];
  return slugs.length > 0 && <SiteLinks slugs={slugs} view={view} link={link} />;
}

const EXPECTATIONS = {
  down: "expectedDown",
  degraded: "expectedDegraded",
  none: "expectedNone",
} as const satisfies Record<string, MessageKey>;

function Expectations(
  { sites, view, link }: Pick<IncidentProps, "view" | "link"> & Pick<Maintenance, "sites">,
) {
  return (
    <ul>
      {[...sites].map(([slug, expected]) => (
        <li>
          <SiteLink slug={slug} view={view} link={link} />:{" "}
          {view.language.say(EXPECTATIONS[expected])}
        </li>
      ))}
    </ul>
  );
}

function seen(incident: Incident, props: IncidentProps): Fact[] {
  const { confirmed, attempts, code, error, cause, affects } = incident;
  const { language } = props.view;
  const { say } = language;
  return [
    [
      say("confirmed"),
      language.tell(attempts === 1 ? "confirmedByOne" : "confirmedBy", {
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

export function Updates(
  { incident: { updates }, view, link, source }: IncidentProps & {
    source?: string;
  },
) {
  const { language } = view;
  const newestFirst = [...updates.entries()].reverse();
  return (
    <section>
      <h2>{language.say("timeline")}</h2>
      {updates.length === 0 && <p class="card none">{language.say("noUpdates")}</p>}
      {updates.length > 0 && (
        <ol class="updates">
          {newestFirst.map(([index, { at, phase, text }]) => (
            <li>
              <article class="card update">
                <h3>{language.say(phase === undefined ? "update" : PHASE_WORDS[phase])}</h3>
                <p class="muted">
                  <Time at={at} language={language} />
                </p>
                <Markdown
                  text={text}
                  prefix={`u${index + 1}-`}
                  {...{ under: 3, view, link, source }}
                />
              </article>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

export interface IncidentProps {
  view: View;
  id: string;
  incident: StoredIncident;
  link: Link;
}

/** The sites that an incident took along, by their incidents where these are known. */
function Affected(
  { affects, id, view, link }: IncidentProps & { affects: readonly string[] },
) {
  const caused = [...view.incidents].filter(([, one]) => "cause" in one && one.cause === id);
  const told = new Set(caused.map(([, one]) => "slug" in one ? one.slug : ""));
  const others = affects.filter((slug) => !told.has(slug));
  return (
    <ul>
      {caused.map(([other, one]) => (
        <li>
          <a href={link(incidentPagePath(other))}>{incidentWords(one, view).title}</a>
        </li>
      ))}
      {others.map((slug) => (
        <li>
          <SiteLink slug={slug} view={view} link={link} />
        </li>
      ))}
    </ul>
  );
}
