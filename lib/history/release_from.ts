import type { Release } from "../incidents/put_down.ts";
import type { Standing } from "../verdict/footing.ts";
import type { CheckResult } from "../verdict/judge.ts";
import type { Incident } from "./incident.ts";
import type { HistoryState } from "./state.ts";

/** What is known of sites when a failure is no longer put down to one. */
interface Known {
  state: Pick<HistoryState, "incidents" | "ended" | "sites">;
  /** How the sites are that the run has judged before, by slug. */
  standings: ReadonlyMap<string, Standing>;
  /** The incidents that the run has changed, by id. */
  incidents: ReadonlyMap<string, Incident>;
}

/** What a failure had been put down to, by the id of that, as people know it. */
export function releaseFrom(
  cause: string,
  { answers }: Pick<CheckResult, "answers">,
  { state, standings, incidents }: Known,
): Release {
  const slug = (incidents.get(cause) ?? state.incidents.get(cause) ?? state.ended.get(cause))?.slug;
  if (slug === undefined) return { name: cause, isBack: answers?.get(cause) === true };
  const standing = standings.get(slug);
  const name = standing?.name ?? state.sites.find((site) => site.slug === slug)?.name ?? slug;
  const isBack = standing !== undefined && standing.down === undefined && !standing.isFailing &&
    standing.window === undefined;
  return { name, isBack };
}
