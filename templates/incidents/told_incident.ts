import { currentReason } from "../../lib/incidents/reason.ts";
import { endOf, isCalledOff, type Stage, stageOf } from "../../lib/history/stage_of.ts";
import { slugsOf, type StoredIncident } from "../../lib/history/stored_incidents.ts";
import { paint } from "../../lib/text/paint.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { type NamedSite, siteName } from "../site_name.ts";
import { stateMark } from "../terminal/check_lines.ts";

/** An incident as it is told: of a site, of maintenance, or one that people tell of. */
export interface ToldIncident {
  id: string;
  incident: StoredIncident;
  stage: Stage;
  /** A coloured sign, one column wide. */
  mark: string;
  /** Names of the sites it is about, on one line; empty where it names none. */
  sites: string;
  /** What is or was, on one line. */
  what: string;
}

/** An incident as it is told at a moment. */
export function toldIncident(
  id: string,
  incident: StoredIncident,
  { sites, now }: { sites: readonly NamedSite[]; now: Temporal.Instant },
): ToldIncident {
  const stage = stageOf(incident, now);
  return {
    id,
    incident,
    stage,
    mark: stage === "over" ? stateMark("up") : MARKS[incident.kind],
    sites: slugsOf(incident).map((slug) => siteName(slug, sites)).join(", "),
    what: whatOf(incident),
  };
}

/** Those that are told of in a list, each part of it in its order: the newest first, what is ahead the next first. */
export function listedIncidents(
  all: readonly ToldIncident[],
  since: Temporal.Instant,
): Record<Stage, ToldIncident[]> {
  const newestFirst = all.toSorted((one, other) =>
    Temporal.Instant.compare(other.incident.start, one.incident.start)
  );
  const at = (stage: Stage) => newestFirst.filter((one) => one.stage === stage);
  return {
    open: at("open"),
    ahead: at("ahead").reverse(),
    over: at("over").filter(({ incident }) =>
      Temporal.Instant.compare(endOf(incident)!, since) >= 0
    ),
  };
}

const MARKS: Readonly<Record<StoredIncident["kind"], string>> = {
  down: stateMark("down"),
  degraded: stateMark("degraded"),
  maintenance: stateMark("maintenance"),
  manual: paint.yellow("◆"),
};

function whatOf(incident: StoredIncident): string {
  if (incident.kind === "maintenance" || incident.kind === "manual") {
    const name = plainText(incident.name);
    return isCalledOff(incident) ? `called off: ${name}` : name;
  }
  const { error: reason } = incident.end === undefined ? currentReason(incident) : incident;
  const error = plainText(reason);
  return error === "" ? incident.kind : `${incident.kind}: ${error}`;
}
