import type { Findings } from "../history/find_out.ts";
import type { IncidentEvent } from "./event.ts";

/** What a run found that happens to incidents. */
export function incidentEvents(
  { outcomes, abandoned }: Pick<Findings, "outcomes" | "abandoned">,
): IncidentEvent[] {
  const happened = outcomes.flatMap(({ result, incident: plan, since }): IncidentEvent[] => {
    const { site, state } = result;
    if (plan === undefined || state === "unknown" || state === "maintenance") return [];
    const { id, action, incident } = plan;
    const at = action === "close" ? incident.end! : since!;
    return [{ action, id, incident, condition: state, at, site, result }];
  });
  const gone = abandoned.map(({ id, incident }): IncidentEvent => (
    { action: "close", id, incident, at: incident.end! }
  ));
  return [...happened, ...gone];
}
