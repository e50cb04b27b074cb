import type { Release } from "../incidents/plan_incident.ts";
import type { ParentState } from "../evaluation/dependencies.ts";
import type { ProbeResult } from "../evaluation/results.ts";
import type { Incident } from "../history/incident.ts";
import type { HistoryState } from "./state.ts";

/** What is known of sites when a failure is no longer put down to one. */
interface Known {
  state: Pick<HistoryState, "incidents" | "ended" | "sites">;
  /** How the sites are that the run has judged before, by slug. */
  parents: ReadonlyMap<string, ParentState>;
  /** The incidents that the run has changed, by id. */
  incidents: ReadonlyMap<string, Incident>;
}

/** What a failure had been put down to, by the id of that, as people know it. */
export function releaseFrom(
  cause: string,
  { addresses }: Pick<ProbeResult, "addresses">,
  { state, parents, incidents }: Known,
): Release {
  const slug = (incidents.get(cause) ?? state.incidents.get(cause) ?? state.ended.get(cause))?.slug;
  if (slug === undefined) return { name: cause, isBack: addresses?.get(cause) === true };
  const parent = parents.get(slug);
  const name = parent?.name ?? state.sites.find((site) => site.slug === slug)?.name ?? slug;
  const isBack = parent !== undefined && parent.down === undefined && !parent.isFailing &&
    parent.window === undefined;
  return { name, isBack };
}
