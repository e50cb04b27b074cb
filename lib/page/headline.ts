import { toImpact } from "../history/manual_incident.ts";
import { computeStage, isCalledOff, listSlugs } from "../history/stored_incidents.ts";
import { isProblem, PROBLEMS, type State } from "../state.ts";
import { type Report, selectCounted, type SiteReport } from "../statistics/report/report.ts";
import { isBefore, latest } from "../time.ts";
import type { ListedIncident } from "./incidents.ts";
import { computeDisplayStatus, type DisplayStatus, type Overall } from "./overall.ts";

/** Sites in one state, of which the first few are named. */
export interface Clause {
  state: Exclude<State, "up">;
  named: readonly SiteReport[];
  /** Number of those that are not named. */
  more: number;
}

/** The line below the overall status. Counts are without paused sites and, if there are others, without external ones. */
export type Line =
  /** Words that people have written about it. */
  | { kind: "words"; title: string }
  /** Checks have stopped: how many sites were up then. */
  | { kind: "stopped"; at: Temporal.Instant; up: number; total: number; only?: SiteReport }
  /** All is well: seconds since the end of the last incident; absent if there was none. */
  | { kind: "calm"; total: number; quiet?: number }
  | { kind: "problems"; clauses: readonly Clause[]; up: number; total: number }
  | { kind: "nothing" };

/** Most names in the line, and in what it says of sites that others operate. */
export const MOST_NAMES = 5;

type Known = Pick<Report, "time" | "lastCheck" | "impacts"> & {
  sites: readonly SiteReport[];
  incidents: readonly ListedIncident[];
};

/** Plans the line that names what is wrong with some sites, and the same about those that others operate. */
export function planLine(overall: Overall, known: Known): { line: Line; external: Clause[] } {
  const sites = selectCounted(known.sites);
  const others = known.sites.filter((one) => !one.site.paused && !sites.includes(one));
  return {
    line: planOwnLine(overall, { ...known, sites }),
    external: listClauses(others, known, PROBLEMS),
  };
}

function planOwnLine(overall: Overall, known: Known): Line {
  const { sites, incidents, time, lastCheck } = known;
  const total = sites.length;
  if (overall === "nothingMonitored" || overall === "nothingKnown") return { kind: "nothing" };
  if (overall === "nothingCurrent") {
    const up = sites.filter(({ condition }) => condition === "up").length;
    return {
      kind: "stopped",
      at: lastCheck ?? time,
      up,
      total,
      ...total === 1 ? { only: sites[0]! } : {},
    };
  }
  const words = findNewestWords(known);
  if (words !== undefined) return { kind: "words", title: words };
  const wrong = listClauses(sites, known, PROBLEMS);
  const clauses = wrong.length > 0 ? wrong : listClauses(sites, known, ["unknown"]);
  if (clauses.length > 0) {
    const up = sites.filter((one) => computeDisplayStatus(one, { report: known }) === "up");
    return { kind: "problems", clauses, up: up.length, total };
  }
  const ends = incidents.flatMap(([, one]) => isPast(one, time) ? [one.end!] : []);
  if (ends.length === 0) return { kind: "calm", total };
  return { kind: "calm", total, quiet: time.since(latest(...ends)).total("seconds") };
}

function isPast(incident: ListedIncident[1], time: Temporal.Instant): boolean {
  const { kind } = incident;
  if (kind === "maintenance" || isCalledOff(incident)) return false;
  return computeStage(incident, time) === "over" &&
    (kind !== "manual" || toImpact(incident) !== "none");
}

/** Lists sites by these states, with at most {@linkcode MOST_NAMES} names in all. */
function listClauses(
  sites: readonly SiteReport[],
  report: Pick<Report, "impacts">,
  states: readonly Clause["state"][],
): Clause[] {
  const byStatus = Map.groupBy<DisplayStatus, SiteReport>(
    sites,
    (one) => computeDisplayStatus(one, { report }),
  );
  let left = MOST_NAMES;
  return states.flatMap((state): Clause[] => {
    const own = byStatus.get(state) ?? [];
    const named = own.slice(0, left);
    left -= named.length;
    return own.length === 0 ? [] : [{ state, named, more: own.length - named.length }];
  });
}

/** The title of the open incident that people have written about last, if that is newer than the states of the sites. */
function findNewestWords({ sites, incidents, time }: Known): string | undefined {
  const slugs = new Set(sites.map(({ site }) => site.slug));
  const written = incidents.flatMap(([, one]) => {
    if (one.kind !== "manual" || computeStage(one, time) === "over") return [];
    const own = listSlugs(one);
    const concerns = own.length === 0 || own.some((slug) => slugs.has(slug));
    if (!concerns || toImpact(one) === "none") return [];
    return [{ title: one.name, at: latest(one.start, ...one.updates.map(({ at }) => at)) }];
  }).toSorted((one, other) => Temporal.Instant.compare(other.at, one.at));
  const [newest] = written;
  if (newest === undefined) return undefined;
  const changes = sites.flatMap((one) =>
    one.record !== undefined && isProblem(computeDisplayStatus(one, { report: {} }))
      ? [one.record.since]
      : []
  );
  return changes.some((since) => isBefore(newest.at, since)) ? undefined : newest.title;
}
