import type { Site } from "../config/config.ts";
import { type Impact, toImpact } from "../history/manual_incident.ts";
import { computeStage, type StoredIncident } from "../history/stored_incidents.ts";
import type { State } from "../state.ts";

/** The impacts of ongoing incidents that people have written, without those of impact `none`. */
export interface ReportedImpacts {
  /** Those that change the overall status: not of incidents that concern only sites that others operate. */
  all: readonly Impact[];
  bySite: ReadonlyMap<string, readonly Impact[]>;
}

export function collectImpacts(
  incidents: Iterable<StoredIncident>,
  now: Temporal.Instant,
  sites: readonly Pick<Site, "slug" | "isExternal">[],
): ReportedImpacts {
  const external = new Set(sites.flatMap((site) => site.isExternal ? site.slug : []));
  const isOfOthers = (slugs: readonly string[]) =>
    slugs.length > 0 && slugs.every((slug) => external.has(slug));
  const all: Impact[] = [];
  const bySite = new Map<string, Impact[]>();
  for (const incident of incidents) {
    if (incident.kind !== "manual" || computeStage(incident, now) === "over") continue;
    const impact = toImpact(incident);
    if (impact === "none") continue;
    if (!isOfOthers(incident.sites)) all.push(impact);
    for (const slug of incident.sites) bySite.getOrInsert(slug, []).push(impact);
  }
  return { all, bySite };
}

/** The state that a site at least has, by the reported impact. */
export const IMPACT_STATES: Readonly<Record<Impact, State>> = {
  none: "unknown",
  degraded: "degraded",
  partial: "degraded",
  major: "down",
};

/** States from the best to the worst; the page's script uses the same order. */
export const STATE_ORDER: readonly State[] = ["unknown", "up", "maintenance", "degraded", "down"];

/**
 * Raises a site's state to what people report of it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(raiseState("up", ["degraded", "major"]), "down");
 * assertEquals(raiseState("down", ["degraded"]), "down");
 * assertEquals(raiseState("up"), "up");
 * ```
 */
export function raiseState(state: State, impacts: readonly Impact[] = []): State {
  return impacts.map((one) => IMPACT_STATES[one]).reduce(
    (worst, one) => STATE_ORDER.indexOf(one) > STATE_ORDER.indexOf(worst) ? one : worst,
    state,
  );
}

/** Returns the best state that a site can be displayed with, given the reported impacts; absent if none concerns it. */
export function findLeastState(slug: string, impacts?: ReportedImpacts): State | undefined {
  const own = impacts?.bySite.get(slug);
  return own && raiseState("unknown", own);
}
