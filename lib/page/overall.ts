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
  | "nothingKnown"
  | "nothingCurrent"
  | "nothingMonitored";

/**
 * How sites are that are in these states: the worst of them counts, and by how many of those something is
 * known of. Of fewer than a quarter an outage is minor, of more than half it is major.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const of = (up: number, down: number) => overallOf([...Array(up).fill("up"), ...Array(down).fill("down")]);
 * assertEquals([of(4, 0), of(9, 1), of(2, 1), of(1, 2)], [
 *   "allSystemsOperational", "minorOutage", "partialOutage", "majorOutage",
 * ]);
 * ```
 */
export function overallOf(states: readonly State[]): Overall {
  if (states.length === 0) return "nothingMonitored";
  const known = states.filter((state) => state !== "unknown");
  const share = (wanted: State) => known.filter((state) => state === wanted).length / known.length;
  return OVERALL_RULES.find(([state, more]) => share(state) > more)?.[2] ?? "nothingKnown";
}

/** Makes "more than" of "as many as". */
const NEARLY = 1 - 1e-9;

/**
 * Which state makes which sentence, of more than which share of the sites that something is known of; the
 * first that holds counts. The script of the page goes by them too.
 */
export const OVERALL_RULES: readonly (readonly [state: State, more: number, Overall])[] = [
  ["down", 0.5, "majorOutage"],
  ["down", 0.25 * NEARLY, "partialOutage"],
  ["down", 0, "minorOutage"],
  ["degraded", NEARLY, "allDegraded"],
  ["degraded", 0, "degradedService"],
  ["maintenance", 0, "underMaintenance"],
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
  nothingKnown: "unknown",
  nothingCurrent: "unknown",
  nothingMonitored: "unknown",
};
