import * as v from "valibot";
import { toSlug } from "../config/slug.ts";
import { newIncidentId } from "./incident.ts";
import type { Window } from "./windows.ts";
import { readYaml, storedUpdates, time, updatesText, yamlLines } from "./yaml_file.ts";

/** The worst state of a site in a maintenance window that sends no alerts; with `none` every state does. */
const EXPECTED = ["down", "degraded", "none"] as const;
export type Expected = typeof EXPECTED[number];

export const MAINTENANCE = v.object({
  kind: v.literal("maintenance"),
  /** Its origin: the configuration, an issue, or the command line. */
  source: v.picklist(["configuration", "issue", "hand"]),
  name: v.string(),
  start: time(),
  until: time(),
  /** Actual end; absent while it is ongoing or in the future. */
  end: v.optional(time()),
  sites: v.pipe(
    v.custom<Record<string, unknown>>((value) => typeof value === "object" && value !== null),
    v.transform((sites) => new Map(Object.entries(sites))),
    v.map(v.string(), v.picklist(EXPECTED)),
  ),
  issue: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  /** Description: untrusted Markdown, may be empty. */
  text: v.fallback(v.string(), ""),
  updates: storedUpdates(),
});

export type Maintenance = v.InferOutput<typeof MAINTENANCE>;

/** Follows the day in ids of maintenance files. */
const MARK = "maintenance-";

/** Creates the id of a maintenance file from its day and name, with a number if the day has several. */
export function newMaintenanceId(
  { start, name }: Pick<Maintenance, "start" | "name">,
  taken: ReadonlySet<string>,
): string {
  // File names have a limit.
  const short = toSlug(name).slice(0, 60).replace(/[-.\ud800-\udbff]+$/, "");
  return newIncidentId(start, `${MARK}${short === "" ? "window" : short}`, taken);
}

/** True if an id may be that of a maintenance file that starts on a day (`YYYY-MM-DD`) or later. */
export function mayBeMaintenance(id: string, firstDay: string): boolean {
  return id.startsWith(MARK, 11) && id.slice(0, 10) >= firstDay;
}

/**
 * Formats a maintenance file.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const text = "kind: maintenance\nsource: issue\nname: New router\nstart: 2026-11-21T10:00:00.000Z\n" +
 *   "until: 2026-11-21T12:00:00.000Z\nend: 2026-11-21T11:30:00.000Z\nsites:\n  shop: down\nissue: 12\ntext: We move.\n" +
 *   "updates:\n  - at: '2026-11-21T10:05:00.000Z'\n    phase: monitoring\n    text: Nearly done\n";
 * assertEquals(formatMaintenance(parseMaintenance(text)!), text);
 * ```
 */
export function formatMaintenance(maintenance: Maintenance): string {
  const { kind, source, name, start, until, end, sites, issue, text, updates } = maintenance;
  const plain = Object.fromEntries(sites);
  const described = text === "" ? undefined : text;
  return yamlLines({
    kind,
    source,
    name,
    start,
    until,
    end,
    sites: plain,
    issue,
    text: described,
  }) +
    updatesText(updates);
}

export function parseMaintenance(text: string): Maintenance | undefined {
  return readYaml(MAINTENANCE, text);
}

/** A planned maintenance window: its time, and the expected states of sites in it. */
export type PlannedWindow = Omit<Maintenance, "kind" | "end" | "updates">;

/**
 * Finds the maintenance windows of sites, by slug, ascending: those with one of the expected states given,
 * by default those in which the site may be down. Windows that overlap or adjoin are joined; one that was
 * canceled before its start is left out.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const file = (start: string, until: string, end = until) => parseMaintenance(
 *   `kind: maintenance\nsource: hand\nname: Move\nstart: ${start}\nuntil: ${until}\nend: ${end}\nsites: { shop: down, blog: degraded }\n`,
 * )!;
 * const [ten, eleven, noon] = [10, 11, 12].map((hour) => `2026-11-21T${hour}:00:00Z`) as [string, string, string];
 * const windows = maintenanceWindows([file(eleven, noon), file(noon, noon, ten), file(ten, noon, eleven)]);
 * assertEquals([...windows], [["shop", [{ from: Date.parse(ten), to: Date.parse(noon) }]]]);
 * ```
 */
export function maintenanceWindows(
  files: Iterable<Maintenance>,
  kinds: readonly Expected[] = ["down"],
): Map<string, Window[]> {
  const bySlug = new Map<string, Window[]>();
  for (const { start, until, end = until, sites } of files) {
    const window = { from: start.epochMilliseconds, to: end.epochMilliseconds };
    if (window.to <= window.from) continue;
    for (const [slug, expected] of sites) {
      if (kinds.includes(expected)) bySlug.getOrInsert(slug, []).push(window);
    }
  }
  return new Map([...bySlug].map(([slug, windows]) => [slug, joined(windows)]));
}

function joined(windows: readonly Window[]): Window[] {
  const whole: Window[] = [];
  for (const window of windows.toSorted((one, other) => one.from - other.from)) {
    const last = whole.at(-1);
    if (last !== undefined && window.from <= last.to) last.to = Math.max(last.to, window.to);
    else whole.push({ ...window });
  }
  return whole;
}
