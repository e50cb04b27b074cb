import { findIncidents, type FoundIncident, type ImportedCheck } from "./find_incidents.ts";
import type { IdentifiedSites, ImportedSite } from "./identify_sites.ts";
import type { Window } from "../history/windows.ts";
import { DAY } from "../time.ts";
import type { Version } from "./read_versions.ts";

/** Outcomes of a version of a file. Only `check` and `message` are imported. */
export const OUTCOMES = {
  check: "imported",
  message: "imported from the commit message, because this clone lacks the file",
  template: "an example of Upptime's template",
  repeated: "the same check again, as after a file was deleted and restored",
  ours: "written by this program",
  foreign: "not a record of Upptime",
  missing: "missing in this clone, and the commit message has no numbers",
  undated: "without a possible time, also of the commit",
} as const;

/** One of {@linkcode OUTCOMES}. */
export type Outcome = keyof typeof OUTCOMES;

/** A version that is not imported. */
export interface LeftVersion {
  file: string;
  commit: string;
  outcome: Outcome;
}

/** The history of one site, collected from the versions of its record. */
export interface CollectedSite {
  site: ImportedSite;
  /** Ascending by their times. */
  checks: ImportedCheck[];
  incidents: FoundIncident[];
  /** Times in which it was allowed to be down. */
  maintenance: readonly Window[];
  /** When it was first monitored, in milliseconds since 1970. */
  start: number;
}

/** All versions by their outcome, and the sites that have any. */
export interface Collected {
  outcomes: Record<Outcome, number>;
  left: LeftVersion[];
  /** Those of the configuration first, also without a check. */
  sites: CollectedSite[];
}

/** Upptime is younger. */
const EARLIEST = Date.parse("2020-01-01");

/** True for a time at which Upptime may have checked; clocks may differ by a day. */
function isPossible(time: number | undefined, now: number): boolean {
  return time !== undefined && time >= EARLIEST && time <= now + DAY;
}

function startKey({ file, check }: Version): string {
  return `${file}\n${check?.start}`;
}

/** Makes each version a check of its site, or tells why it is none. `now` is in milliseconds since 1970. */
export function collectHistories(
  versions: readonly Version[],
  { sites, siteOf }: IdentifiedSites,
  now: number,
): Collected {
  const outcomes = Object.fromEntries(Object.keys(OUTCOMES).map((name) => [name, 0])) as Record<
    Outcome,
    number
  >;
  const left: LeftVersion[] = [];
  const exampleStarts = new Set(
    versions.flatMap((version) =>
      version.check !== undefined && siteOf(version) === "template" ? [startKey(version)] : []
    ),
  );
  const bySite = new Map<ImportedSite, { checks: Map<number, ImportedCheck>; start: number }>();
  for (const version of versions) {
    const { check, fault, source, file, commit, committed, isInRoot } = version;
    const site = check === undefined ? undefined : siteOf(version);
    const own = site === undefined || site === "template"
      ? undefined
      : bySite.get(site) ?? { checks: new Map(), start: Infinity };
    const time = [check?.time, committed].find((one) => isPossible(one, now));
    const outcome = fault ??
      (site === "template"
        ? "template"
        : time === undefined
        ? "undated"
        : own!.checks.has(time)
        ? "repeated"
        : source === "file"
        ? "check"
        : "message");
    outcomes[outcome]++;
    if (outcome !== "check" && outcome !== "message") {
      left.push({ file, commit, outcome });
      continue;
    }
    const { state, ms, code, start } = check!;
    bySite.set(site as ImportedSite, own!);
    own!.checks.set(time!, { time: time!, state, ms, code, commit, isImported: true });
    // The template's examples start in Upptime's own past, and Upptime keeps that time if their sites stay.
    const isOwnStart = !isInRoot && !exampleStarts.has(startKey(version)) && isPossible(start, now);
    own!.start = Math.min(own!.start, time!, isOwnStart ? start! : Infinity);
  }
  const present = sites.filter(({ isArchived }) => !isArchived);
  const all = [...present, ...[...bySite.keys()].filter(({ isArchived }) => isArchived)];
  return {
    outcomes,
    left,
    sites: all.map((site): CollectedSite => {
      const { checks, start = Infinity } = bySite.get(site) ?? {};
      const sorted = [...checks?.values() ?? []].sort((one, other) => one.time - other.time);
      const incidents = findIncidents(site.slug, sorted, now);
      return { site, checks: sorted, incidents, maintenance: [], start };
    }),
  };
}
