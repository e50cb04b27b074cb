import type { Incident } from "../../../lib/history/incident.ts";
import { endOf } from "../../../lib/history/stage_of.ts";
import type { Maintenance } from "../../../lib/history/maintenance.ts";
import type { MessageKey } from "../../../lib/text/messages/messages.ts";
import { plainText } from "../../../lib/text/plain_text.ts";
import type { Content } from "../html.ts";
import type { IncidentProps } from "./incident_props.ts";
import { Affected, Cause } from "./dependencies.tsx";
import type { IncidentWords } from "../incident_words.ts";
import { type Fact, Facts } from "../parts/facts.tsx";
import { SiteLink, SiteLinks } from "../parts/site_links.tsx";
import { Time } from "../parts/time.tsx";

/** What is known of an incident that is told in some words; `source` is where people discuss it. */
export function IncidentFacts(
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

/** What the checks of a site have seen. */
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
