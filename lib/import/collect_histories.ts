import { type Incident, UNCHANGED } from "../history/incident.ts";
import type { Check } from "../history/site_history.ts";
import { IMPORTED_GAP } from "../statistics/timeline.ts";
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

export type Outcome = keyof typeof OUTCOMES;

/** A version that is not imported. */
export interface LeftVersion {
  file: string;
  commit: string;
  outcome: Outcome;
}

export interface ImportedCheck extends Check {
  code: number;
  commit: string;
}

/** An incident, and the checks of which it was made. */
export interface FoundIncident {
  incident: Incident;
  /** Commits of its failing checks; none if only an issue tells of it. */
  commits: readonly string[];
}

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

/**
 * Finds the incidents of a site: each lasts from the first check that was not up to the next one that was. Where
 * nothing was checked for longer than a check counts, nothing is known, so an incident ends there; what is
 * down afterwards is another one. The last one stays open if the monitor was still running `now`, in milliseconds
 * since 1970.
 */
function findIncidents(
  slug: string,
  checks: readonly ImportedCheck[],
  now: number,
): FoundIncident[] {
  const found: FoundIncident[] = [];
  let open: { first: ImportedCheck; failed: ImportedCheck[] } | undefined;
  const close = (end: number | undefined) => {
    if (open !== undefined) found.push(toIncident(slug, open.failed, end));
    open = undefined;
  };
  for (const [index, check] of checks.entries()) {
    if (check.state === "up") close(check.time);
    else {
      open ??= { first: check, failed: [] };
      open.failed.push(check);
    }
    const next = checks[index + 1]?.time ?? now;
    if (next - check.time > IMPORTED_GAP) close(check.time + IMPORTED_GAP);
  }
  close(undefined);
  return found;
}

function toIncident(
  slug: string,
  failed: readonly ImportedCheck[],
  end: number | undefined,
): FoundIncident {
  const first = failed[0]!;
  const worst = failed.find(({ state }) => state === "down") ?? first;
  const changes = failed.flatMap(({ time, state }, index) => {
    const isChange = index > 0 && failed[index - 1]!.state !== state;
    return isChange ? [{ at: toInstant(time), state: state as Incident["kind"] }] : [];
  });
  const start = toInstant(first.time);
  const incident: Incident = {
    ...UNCHANGED,
    slug,
    kind: worst.state as Incident["kind"],
    start,
    confirmed: start,
    end: end === undefined ? undefined : toInstant(end),
    code: worst.code,
    error: errorOf(worst),
    attempts: 1,
    changes,
  };
  return { incident, commits: failed.map(({ commit }) => commit) };
}

/** Upptime keeps no reason for a failure but the status code and the time. */
function errorOf({ state, code, ms }: ImportedCheck): string {
  if (state === "degraded") return ms === undefined ? "" : `answered after ${ms} ms`;
  return code === 0 ? "no answer" : `answered ${code}`;
}

function toInstant(milliseconds: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(milliseconds);
}
