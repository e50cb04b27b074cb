import { currentReason } from "../../../lib/incidents/reason.ts";
import { endOf } from "../../../lib/history/stage_of.ts";
import { slugsOf, type StoredIncident } from "../../../lib/history/stored_incidents.ts";
import type { ListedIncident } from "../../../lib/page/incidents/incident_days.ts";
import { incidentPagePath, type Link } from "../../../lib/config/page_path.ts";
import { plainText, shorten } from "../../../lib/text/plain_text.ts";
import { incidentWords, PHASE_WORDS } from "../incident_words.ts";
import type { View } from "../page.ts";
import { Period } from "./period.tsx";
import { excerptOf } from "../markdown/excerpt.ts";
import { Cause } from "../incident/dependencies.tsx";
import { Shape } from "./shape.tsx";
import { SiteLinks } from "./site_links.tsx";
import { Time } from "./time.tsx";

/** How incidents are listed. */
export interface IncidentListProps {
  view: View;
  incidents: readonly ListedIncident[];
  link: Link;
  /** Whether each says on which day it began; otherwise a heading above does. */
  isDated?: boolean;
  /** Whether each shows what was last written on it. */
  tellsNewest?: boolean;
}

/** Incidents below each other, each of which leads to its page. */
export function IncidentCards({ incidents, ...props }: IncidentListProps) {
  return (
    <ul class="incidents">
      {incidents.map(([id, incident]) => <IncidentCard id={id} incident={incident} {...props} />)}
    </ul>
  );
}

/** More characters of an error, or of what people wrote, than these no list shows. */
const LONGEST_TEXT = 200;

function IncidentCard({ id, incident, view, link, isDated = true, tellsNewest = false }: {
  id: string;
  incident: StoredIncident;
} & Omit<IncidentListProps, "incidents">) {
  const { language } = view;
  const words = incidentWords(incident, view);
  const { title, direction, kind, state, stage, standing, length } = words;
  const error = "error" in incident
    ? plainText(incident.end === undefined ? currentReason(incident).error : incident.error)
    : "";
  const slugs = slugsOf(incident);
  const newest = tellsNewest ? incident.updates.at(-1) : undefined;
  const excerpt = newest === undefined ? "" : excerptOf(newest.text, LONGEST_TEXT);
  const of = "slug" in incident && stage === "open" ? incident.slug : undefined;
  return (
    <li class={`incident ${stage}`} data-incident={of && id} data-of={of}>
      <p class="what">
        <Shape of={state} />
        <a class="name" dir={direction} href={link(incidentPagePath(id))}>{title}</a>
        <span class="standing">{standing}</span>
      </p>
      <p class="muted">
        {kind}
        {slugs.length > 0 && [" · ", <SiteLinks slugs={slugs} view={view} link={link} />]}
        {" · "}
        <Period from={incident.start} to={endOf(incident)} language={language} isDated={isDated} />
        <span class="length">
          {" · "}
          <bdi>{length}</bdi>
        </span>
        <Updates updates={incident.updates} view={view} />
      </p>
      {"cause" in incident && incident.cause !== undefined && (
        <p class="muted">
          {language.say("becauseOf")} <Cause cause={incident.cause} view={view} link={link} />
        </p>
      )}
      {error !== "" && <p class="muted" dir="auto">{shorten(error, LONGEST_TEXT)}</p>}
      {newest !== undefined && excerpt !== "" && (
        <p>
          <Time at={newest.at} language={language} />
          {" · "}
          <span dir="auto">{excerpt}</span>
        </p>
      )}
    </li>
  );
}

/** The phase of the newest update that names one, and how many updates there are. */
function Updates(
  { updates, view: { language } }: { updates: StoredIncident["updates"]; view: View },
) {
  if (updates.length === 0) return null;
  const phase = updates.findLast((one) => one.phase !== undefined)?.phase;
  return [
    phase !== undefined && ` · ${language.say(PHASE_WORDS[phase])}`,
    " · ",
    language.say(updates.length === 1 ? "updatesOne" : "updates", {
      COUNT: language.number(updates.length),
    }),
  ];
}
