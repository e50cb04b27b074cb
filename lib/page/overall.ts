import type { State } from "../state.ts";

/** How all sites are, in one of the sentences that Atlassian's status pages have, or that nothing is known. */
export type Overall =
  | "allSystemsOperational"
  | "degradedService"
  | "allDegraded"
  | "minorOutage"
  | "partialOutage"
  | "majorOutage"
  | "underMaintenance"
  | "partlyKnown"
  | "nothingKnown"
  | "nothingCurrent"
  | "nothingMonitored";

/**
 * The overall status of sites in these states: the worst state counts, weighted by its share of the sites
 * with data. Of fewer than a quarter an outage is minor, of more than half it is major. All systems are
 * operational only if the state of each is known.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const of = (up: number, down: number) => overallOf([...Array(up).fill("up"), ...Array(down).fill("down")]);
 * assertEquals([of(4, 0), of(9, 1), of(2, 1), of(1, 2)], [
 *   "allSystemsOperational", "minorOutage", "partialOutage", "majorOutage",
 * ]);
 * assertEquals([overallOf(["up", "unknown"]), overallOf(["unknown"])], ["partlyKnown", "nothingKnown"]);
 * ```
 */
export function overallOf(states: readonly State[]): Overall {
  if (states.length === 0) return "nothingMonitored";
  const count = (wanted: State) => states.filter((state) => state === wanted).length;
  const known = states.length - count("unknown");
  if (known === 0) return "nothingKnown";
  return OVERALL_RULES.find(([state, more]) => count(state) / known > more)![2];
}

/** Makes "more than" of "as many as". */
const NEARLY = 1 - 1e-9;

/**
 * Rules for the overall status: a state, the share of the sites with data that it must exceed, and the status.
 * The first rule that applies counts. The page's script uses the same rules.
 */
export const OVERALL_RULES: readonly (readonly [state: State, more: number, Overall])[] = [
  ["down", 0.5, "majorOutage"],
  ["down", 0.25 * NEARLY, "partialOutage"],
  ["down", 0, "minorOutage"],
  ["degraded", NEARLY, "allDegraded"],
  ["degraded", 0, "degradedService"],
  ["maintenance", 0, "underMaintenance"],
  ["unknown", 0, "partlyKnown"],
  ["up", 0, "allSystemsOperational"],
];

/** The state whose colour and shape stand for a sentence. */
export const OVERALL_STATES: Readonly<Record<Overall, State>> = {
  allSystemsOperational: "up",
  degradedService: "degraded",
  allDegraded: "degraded",
  minorOutage: "down",
  partialOutage: "down",
  majorOutage: "down",
  underMaintenance: "maintenance",
  partlyKnown: "unknown",
  nothingKnown: "unknown",
  nothingCurrent: "unknown",
  nothingMonitored: "unknown",
};
