import { incidentPagePath } from "../../lib/config/page_path.ts";
import type { IncidentCard } from "../../lib/page/incident_cards.ts";
import type { ListedIncident } from "../../lib/page/incidents.ts";
import { plainText, shorten } from "../../lib/text/plain_text.ts";
import { describeIncident, LONGEST_NAME } from "./incident_words.ts";
import { describeSite, type PageView } from "./view.ts";

/** Most services that are listed without a click. */
const MOST_NAMES = 8;

/** The services of incidents in the order of the page, with links to these; of many, most are folded. */
export function IncidentLinks(
  { view, incidents }: { view: PageView; incidents: readonly ListedIncident[] },
) {
  const { language, report, link } = view;
  const places = new Map(report.sites.map(({ site }, index) => [site.slug, index]));
  const placeOf = ([, one]: ListedIncident) => "slug" in one ? places.get(one.slug) ?? -1 : -1;
  const sorted = incidents.toSorted((one, other) => placeOf(one) - placeOf(other));
  const links = sorted.flatMap(([id, incident]) =>
    "slug" in incident
      ? [
        <a
          dir="auto"
          href={link(incidentPagePath(id))}
          data-incident={incident.end === undefined ? id : undefined}
          data-of={incident.end === undefined ? incident.slug : undefined}
        >
          {shorten(describeSite(incident.slug, report), LONGEST_NAME)}
        </a>,
      ]
      : []
  );
  const rest = links.length - MOST_NAMES;
  if (rest <= 0) return language.clauses(links);
  return [
    language.clauses(links.slice(0, MOST_NAMES)),
    " ",
    <details class="rest" id={`n-${incidents[0]![0]}`}>
      <summary>{language.say("andMore", { COUNT: rest })}</summary>
      {language.clauses(links.slice(MOST_NAMES))}
    </details>,
  ];
}

/** The root cause of a card, if it is known. */
export function Causes(
  { view, card: { incidents: [[, incident]] } }: { view: PageView; card: IncidentCard },
) {
  if (!("cause" in incident) || incident.cause === undefined) return null;
  return (
    <p class="muted">
      {view.language.sayElements("becauseOf", {
        CAUSE: <Cause cause={incident.cause} view={view} />,
      })}
    </p>
  );
}

/** The root cause of an incident: a link to another one, or an address. */
function Cause({ cause, view }: { view: PageView; cause: string }) {
  const other = view.incidents.get(cause);
  if (other === undefined) return <bdi>{plainText(cause)}</bdi>;
  const target = view.link(incidentPagePath(cause));
  return <a href={target}>{describeIncident(other, view).title}</a>;
}

export function Effects(
  { view, card: { effects } }: { view: PageView; card: IncidentCard },
) {
  if (effects.length === 0) return null;
  return (
    <div class="muted">
      {view.language.sayElements("affects", {
        NAMES: <IncidentLinks view={view} incidents={effects} />,
      })}
    </div>
  );
}
