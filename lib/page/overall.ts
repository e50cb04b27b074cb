import type { Impact } from "../history/manual_incident.ts";
import {
  displayState,
  type Report,
  selectCounted,
  type SiteReport,
} from "../statistics/report/report.ts";
import { raiseState, type ReportedImpacts } from "../incidents/impact.ts";
import type { State } from "../state.ts";

/** The overall status, from best to worst, in the sentences of Atlassian's status pages. */
export type Overall = keyof typeof OVERALL_STATES;

/** The state whose color and shape represent an overall status; the statuses are ordered from the best to the worst. */
export const OVERALL_STATES = {
  nothingMonitored: "unknown",
  nothingKnown: "unknown",
  nothingCurrent: "unknown",
  allSystemsOperational: "up",
  partlyKnown: "unknown",
  underMaintenance: "maintenance",
  degradedService: "degraded",
  allDegraded: "degraded",
  minorOutage: "down",
  partialOutage: "down",
  majorOutage: "down",
} as const satisfies Record<string, State>;

const ORDER = Object.keys(OVERALL_STATES) as Overall[];

/** Turns "more than" into "at least". */
const NEARLY = 1 - 1e-9;

/** Rules, of which the first that applies counts: a state, the share it must exceed, the overall status. */
export const OVERALL_RULES: readonly (readonly [state: State, more: number, Overall])[] = [
  ["down", 0.5, "majorOutage"],
  ["down", 0.1 * NEARLY, "partialOutage"],
  ["down", 0, "minorOutage"],
  ["degraded", NEARLY, "allDegraded"],
  ["degraded", 0, "degradedService"],
  ["maintenance", 0, "underMaintenance"],
  ["unknown", 0, "partlyKnown"],
  ["up", 0, "allSystemsOperational"],
];

/**
 * Computes the overall status of sites in these states. All systems are operational only if the state of each is
 * known.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const of = (up: number, down: number) => combineStates([...Array(up).fill("up"), ...Array(down).fill("down")]);
 * assertEquals([of(4, 0), of(19, 1), of(17, 3), of(1, 2)], [
 *   "allSystemsOperational", "minorOutage", "partialOutage", "majorOutage",
 * ]);
 * assertEquals([combineStates(["up", "unknown"]), combineStates(["unknown"])], ["partlyKnown", "nothingKnown"]);
 * ```
 */
export function combineStates(states: readonly State[]): Overall {
  if (states.length === 0) return "nothingMonitored";
  const count = (wanted: State) => states.filter((state) => state === wanted).length;
  const known = states.length - count("unknown");
  if (known === 0) return "nothingKnown";
  return OVERALL_RULES.find(([state, more]) => count(state) / known > more)![2];
}

/** The least overall status by the reported impact. */
export const IMPACT_SENTENCES = {
  none: "allSystemsOperational",
  degraded: "degradedService",
  partial: "partialOutage",
  major: "majorOutage",
} as const satisfies Record<Impact, Overall>;

/**
 * Raises the overall status to reported impacts.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(raiseOverall("allSystemsOperational", ["degraded"]), "degradedService");
 * assertEquals(raiseOverall("majorOutage", ["partial"]), "majorOutage");
 * ```
 */
export function raiseOverall(overall: Overall, impacts: readonly Impact[] = []): Overall {
  const all = [overall, ...impacts.map((one) => IMPACT_SENTENCES[one])];
  return ORDER[Math.max(...all.map((one) => ORDER.indexOf(one)))]!;
}

/** Computes the overall status of a report; `nothingCurrent` if no state is known any more. */
export function computeOverall(
  { sites: all, impacts }: Pick<Report, "sites" | "impacts">,
): Overall {
  const sites = selectCounted(all);
  const measured = combineStates(listWatchedStates(sites));
  const wasKnown = sites.some(({ condition }) => condition !== undefined);
  if (measured === "nothingKnown" && wasKnown) return "nothingCurrent";
  return raiseOverall(combineStates(listWatchedStates(sites, impacts)), impacts?.all);
}

export function computeGroupOverall(
  sites: readonly SiteReport[],
  report: Pick<Report, "impacts">,
): Overall {
  const bySite = report.impacts?.bySite ?? new Map();
  return computeOverall({ sites, impacts: { all: listImpacts(sites, report), bySite } });
}

export function listImpacts(
  sites: readonly SiteReport[],
  { impacts }: Pick<Report, "impacts">,
): Impact[] {
  return sites.flatMap(({ site }) => impacts?.bySite.get(site.slug) ?? []);
}

/** The index in `OVERALL_RULES` of the least status with these impacts; absent without impacts. */
export function findLeastRule(impacts: readonly Impact[] = []): number | undefined {
  if (impacts.length === 0) return undefined;
  const least = raiseOverall("nothingKnown", impacts);
  return OVERALL_RULES.findIndex(([, , sentence]) => sentence === least);
}

export function listWatchedStates(
  sites: readonly SiteReport[],
  impacts?: ReportedImpacts,
): State[] {
  return sites.map((one) => computeDisplayStatus(one, { report: { impacts } }))
    .filter((status) => status !== "paused");
}

export type DisplayStatus = State | "paused";

export function computeDisplayStatus(
  report: SiteReport,
  { report: { impacts } }: { report: Pick<Report, "impacts"> },
): DisplayStatus {
  if (report.site.paused) return "paused";
  return raiseState(displayState(report), impacts?.bySite.get(report.site.slug));
}
