import type { Incident } from "../history/incident.ts";
import type { Affected, Outcome } from "./outcomes.ts";

/**
 * The outcomes of a run, and in those of sites that are down what was put down to them. `before` are the
 * incidents that went on, `changed` those that the run changes, which gets more of them.
 */
export function withAffected(
  outcomes: readonly Outcome[],
  before: ReadonlyMap<string, Incident>,
  changed: Map<string, Incident>,
): Outcome[] {
  const put = outcomes.filter(({ incident: plan }) =>
    plan?.action === "note" && plan.incident.end === undefined &&
    plan.incident.cause !== undefined && plan.incident.cause !== before.get(plan.id)?.cause
  );
  const byCause = Map.groupBy(put, ({ incident: plan }) => plan!.incident.cause!);
  const bySlug = new Map<string, Affected>();
  for (const [id, dependents] of byCause) {
    const incident = changed.get(id) ?? before.get(id);
    if (incident === undefined) continue;
    const slugs = dependents.map(({ result: { site } }) => site.slug);
    const affects = [...new Set([...incident.affects, ...slugs])];
    const after = { ...incident, affects };
    changed.set(id, after);
    bySlug.set(incident.slug, {
      id,
      incident: after,
      names: dependents.map(({ result: { site } }) => site.name),
      isNews: affects.length > incident.affects.length,
    });
  }
  return outcomes.map((outcome) => {
    const affected = bySlug.get(outcome.result.site.slug);
    if (affected === undefined) return outcome;
    const { incident } = affected;
    const plan = outcome.incident && { ...outcome.incident, incident };
    return {
      ...outcome,
      affected,
      open: incident,
      ...plan === undefined ? {} : { incident: plan },
    };
  });
}
