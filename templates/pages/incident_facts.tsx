import { incidentPagePath } from "../../lib/config/page_path.ts";
import { readVotes, sayVotes } from "../../lib/evaluation/location_words.ts";
import { type Incident, incidentPath } from "../../lib/history/incident.ts";
import { findEnd, type StoredIncident } from "../../lib/history/stored_incidents.ts";
import { findShownError } from "../../lib/page/incident_cards.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import type { MessageKey } from "../../lib/text/messages.ts";
import type { Content } from "./html.ts";
import type { IncidentWords } from "./incident_words.ts";
import { type Fact, Facts, Lasting, SiteLink, SiteLinks, Time } from "./parts.tsx";
import { CalendarLink } from "./planned.tsx";
import { describeSite, type PageView } from "./view.ts";

/** An incident, with the address of its issue if that is known. */
export interface IncidentProps {
  view: PageView;
  id: string;
  incident: StoredIncident;
  source?: string;
}

/** The facts beside the updates of an incident, and links to its issue and its record. */
export function IncidentFacts({ words, ...props }: IncidentProps & { words: IncidentWords }) {
  const { id, incident, view: { language, settings }, source } = props;
  const { say } = language;
  const at = (time: Temporal.Instant) => <Time at={time} language={language} />;
  const end = findEnd(incident);
  const facts: Fact[] = [
    [say("affected"), affectedSites(props)],
    [say(words.stage === "ahead" ? "startsAt" : "incidentOpenedAt"), at(incident.start)],
    [
      say(incident.end === undefined ? "plannedUntil" : "incidentClosedAt"),
      end !== undefined && at(end),
    ],
    [say("duration"), <Lasting words={words} of="length" />],
    [say("howWeKnow"), "attempts" in incident && howWeKnow(incident, language)],
  ];
  const discussion = incident.issue !== undefined &&
    say("discussion", { NUMBER: String(incident.issue) });
  return (
    <div class="card">
      <Facts facts={facts} className="beside" />
      {incident.kind === "maintenance" && words.stage !== "over" && (
        <p>
          <CalendarLink uid={id} view={props.view} />
        </p>
      )}
      {discussion && <p>{source === undefined ? discussion : <a href={source}>{discussion}</a>}</p>}
      {settings.commits !== undefined && (
        <p>
          <a href={`${settings.commits}${incidentPath(encodeURIComponent(id.toWellFormed()))}`}>
            {say("recordHistory")}
          </a>
        </p>
      )}
    </div>
  );
}

const EXPECTATIONS = {
  down: "expectedDown",
  degraded: "expectedDegraded",
  none: "expectedNone",
} as const satisfies Record<string, MessageKey>;

function affectedSites({ id, incident, view }: IncidentProps): Content {
  const { say } = view.language;
  if (incident.kind === "maintenance") {
    return incident.sites.size > 0 && (
      <ul>
        {[...incident.sites].map(([slug, expected]) => (
          <li>
            {view.language.sayElements("labeled", {
              NAME: <SiteLink slug={slug} view={view} />,
              VALUE: say(EXPECTATIONS[expected]),
            })}
          </li>
        ))}
      </ul>
    );
  }
  if (incident.kind === "manual") {
    return incident.sites.length > 0 && <SiteLinks slugs={incident.sites} view={view} />;
  }
  const own = <SiteLink slug={incident.slug} view={view} />;
  return (
    <ul>
      <li>
        {incident.cause === undefined ? own : view.language.sayElements("causedBy", {
          NAME: own,
          CAUSE: <CauseName cause={incident.cause} view={view} />,
        })}
      </li>
      {listEffects(id, incident, view)}
    </ul>
  );
}

/** The sites that an incident makes fail, as links to their own incidents if there are any. */
function listEffects(id: string, { affects, slug: cause }: Incident, view: PageView): Content {
  if (affects.length === 0) return null;
  const { language, report, link } = view;
  const own = new Map(
    [...view.incidents].flatMap(([other, one]) =>
      "cause" in one && one.cause === id ? [[one.slug, other]] : []
    ),
  );
  return [...new Set([...affects, ...own.keys()])].map((slug) => {
    const other = own.get(slug);
    const NAME = other === undefined
      ? <SiteLink slug={slug} view={view} />
      : <a href={link(incidentPagePath(other))} dir="auto">{describeSite(slug, report)}</a>;
    const CAUSE = <bdi>{describeSite(cause, report)}</bdi>;
    return <li>{language.sayElements("causedBy", { NAME, CAUSE })}</li>;
  });
}

/** The name of a root cause, as a link to its incident if it is one. */
function CauseName({ cause, view }: { cause: string; view: PageView }) {
  const other = view.incidents.get(cause);
  if (other === undefined || !("slug" in other)) return <bdi>{plainText(cause)}</bdi>;
  return (
    <a href={view.link(incidentPagePath(cause))} dir="auto">
      {describeSite(other.slug, view.report)}
    </a>
  );
}

/** Number of attempts, status code, and the locations that see it. */
function howWeKnow(incident: Incident, language: PageView["language"]): Content {
  const { say } = language;
  const { attempts, code } = incident;
  const votes = readVotes(findShownError(incident));
  return (
    <ul>
      <li>{say("attempts", { COUNT: attempts })}</li>
      {code !== 0 && <li class="whole">{say("codeOf", { CODE: String(code) })}</li>}
      {votes !== undefined && <li dir="auto">{sayVotes(votes, language)}</li>}
    </ul>
  );
}
