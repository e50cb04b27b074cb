import type { Findings } from "./find_out.ts";
import type { Outcome } from "./outcomes.ts";
import type { IncidentEvent } from "../incidents/incident_event.ts";
import { isSuppressed, stateOf } from "../incidents/plan_incident.ts";

/** What a run found that happens to incidents, and is to be told. */
export function incidentEvents(
  { outcomes, abandoned }: Pick<Findings, "outcomes" | "abandoned">,
): IncidentEvent[] {
  const gone = abandoned.filter(({ incident }) => !isSuppressed(incident)).map((
    { id, incident },
  ): IncidentEvent => (
    { action: "close", id, incident, at: incident.end! }
  ));
  return [...outcomes.flatMap(eventsOf), ...gone];
}

function eventsOf({ result, incident: plan, since, affected }: Outcome): IncidentEvent[] {
  const { site, state } = result;
  const isKnown = state !== "unknown" && state !== "maintenance";
  if (plan !== undefined && plan.action !== "note" && isKnown) {
    const { id, action, incident, released } = plan;
    const at = action === "close" ? incident.end! : since!;
    const beside = {
      ...affected === undefined ? {} : { affected: affected.names },
      ...released === undefined ? {} : { released },
      ...result.flaps === undefined ? {} : { flaps: result.flaps },
    };
    // That a flapping site is up for once is no reason for another title.
    const condition = action === "flap" && state === "up" ? stateOf(incident) : state;
    return [{ action, id, incident, condition, at, site, result, ...beside }];
  }
  if (affected === undefined || !affected.isNews) return [];
  const { id, incident, names } = affected;
  return [{
    action: "affects",
    id,
    incident,
    condition: "down",
    at: since!,
    site,
    result,
    affected: names,
  }];
}
