import { type Incident, UNCHANGED } from "../history/incident.ts";
import type { Check } from "../history/site_history.ts";
import { IMPORTED_GAP } from "../statistics/timeline.ts";

/** A check that was imported from Upptime. */
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

/**
 * Finds the incidents of a site: each lasts from the first check that was not up to the next one that was. Where
 * nothing was checked for longer than a check counts, nothing is known, so an incident ends there; what is
 * down afterwards is another one. The last one stays open if the monitor was still running `now`, in milliseconds
 * since 1970.
 */
export function findIncidents(
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
