import * as v from "valibot";
import { newIncidentId } from "./incident.ts";
import { storedUpdates, time, updatesText, yamlLines } from "./yaml_file.ts";

/** Impacts of a manual incident, in ascending order. */
export const IMPACTS = ["none", "degraded", "partial", "major"] as const;
export type Impact = typeof IMPACTS[number];

export const MANUAL = v.object({
  kind: v.literal("manual"),
  name: v.string(),
  sites: v.fallback(v.array(v.string()), []),
  impact: v.fallback(v.optional(v.picklist(IMPACTS)), undefined),
  /** Time at which its issue was opened. */
  start: time(),
  end: v.optional(time()),
  issue: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** Body of its issue: untrusted Markdown, may be empty. */
  text: v.fallback(v.string(), ""),
  updates: storedUpdates(),
});

/** An incident that a person reports by opening an issue. It counts in no statistic. */
export type ManualIncident = v.InferOutput<typeof MANUAL>;

/** The impact of a manual incident: `degraded` if it states none. */
export function toImpact({ impact = "degraded" }: Pick<ManualIncident, "impact">): Impact {
  return impact;
}

/** Creates the id of a manual incident from its day and issue, with a number if the id is taken. */
export function newManualId(
  { start, issue }: Pick<ManualIncident, "start" | "issue">,
  taken: ReadonlySet<string>,
): string {
  return newIncidentId(start, `issue-${issue}`, taken);
}

/**
 * Formats a manual incident's file.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { parseStoredIncident } from "./stored_incidents.ts";
 * const text = "kind: manual\nname: Payments are slow\nsites:\n  - shop\nimpact: major\nstart: 2026-11-21T10:05:00.000Z\n" +
 *   "end: 2026-11-21T11:00:00.000Z\nissue: 12\ntext: The bank is slow.\n" +
 *   "updates:\n  - at: '2026-11-21T10:30:00.000Z'\n    phase: identified\n    text: A cable\n";
 * assertEquals(formatManual(parseStoredIncident(text) as ManualIncident), text);
 * ```
 */
export function formatManual(incident: ManualIncident): string {
  const { kind, name, sites, impact, start, end, issue, text, updates } = incident;
  const described = text === "" ? undefined : text;
  return yamlLines({ kind, name, sites, impact, start, end, issue, text: described }) +
    updatesText(updates);
}
