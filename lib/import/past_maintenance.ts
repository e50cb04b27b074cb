import { type Maintenance, maintenanceWindows } from "../history/maintenance.ts";
import type { Window } from "../history/windows.ts";
import { announced } from "../incidents/maintenance/announcement.ts";
import { formatTime, isBefore } from "../time.ts";
import type { CollectedSite, FoundIncident } from "./collect_histories.ts";
import type { ReadIssues } from "./read_issues.ts";

export interface PastMaintenance {
  windows: Maintenance[];
  /** Announcements that can't be read, one sentence each. */
  problems: string[];
}

/** Upptime reads times without an offset in the time zone of GitHub's runners. */
const TIMEZONE = "UTC";

/** Reads the announced windows that are over `now`; those ahead and ongoing ones are read by each run. */
export function readPastMaintenance(
  { maintenance, updates }: Pick<ReadIssues, "maintenance" | "updates">,
  sites: readonly CollectedSite[],
  now: number,
): PastMaintenance {
  const named = sites.flatMap(({ site: { name, slug, files } }) =>
    [name, ...files].map((name) => ({ name, slug }))
  );
  const past: PastMaintenance = { windows: [], problems: [] };
  for (const issue of maintenance) {
    const context = { sites: named, lacksSites: true, timezone: TIMEZONE };
    const { window, problems } = announced(issue, context);
    const closed = Temporal.Instant.fromEpochMilliseconds(issue.closed ?? now);
    if (window === undefined) {
      if (issue.closed !== undefined) past.problems.push(...problems.slice(0, 1));
      continue;
    }
    const { start, until } = window;
    if (issue.closed === undefined && until.epochMilliseconds > now) continue;
    const early = isBefore(closed, start) ? start : closed;
    const end = isBefore(early, until) ? early : until;
    past.windows.push({
      ...{ kind: "maintenance", ...window, end },
      updates: [...updates.get(issue.number) ?? []],
    });
  }
  return past;
}

/**
 * Takes out of the incidents of `sites` what maintenance expected, as a run does: one that lies in a window and has no
 * issue is none, and one that lasts longer starts at its end. Returns the ones that are gone.
 */
export function leaveExpected(
  sites: readonly CollectedSite[],
  windows: readonly Maintenance[],
): FoundIncident[] {
  const gone: FoundIncident[] = [];
  const [down, degraded] = [
    maintenanceWindows(windows),
    maintenanceWindows(windows, ["down", "degraded"]),
  ];
  for (const site of sites) {
    const { slug } = site.site;
    site.maintenance = down.get(slug) ?? [];
    site.incidents = site.incidents.flatMap((found) => {
      const { kind } = found.incident;
      const rest = withoutExpected(found, (kind === "down" ? down : degraded).get(slug) ?? []);
      if (rest !== found) gone.push(found);
      return rest === undefined ? [] : [rest];
    });
  }
  return gone;
}

function withoutExpected(
  found: FoundIncident,
  windows: readonly Window[],
): FoundIncident | undefined {
  const { incident } = found;
  const start = incident.start.epochMilliseconds;
  const window = windows.find(({ from, to }) => from <= start && start < to);
  if (window === undefined || incident.issue !== undefined) return found;
  const end = incident.end?.epochMilliseconds ?? Infinity;
  if (end <= window.to) return undefined;
  const later = Temporal.Instant.fromEpochMilliseconds(window.to);
  const changes = incident.changes.filter(({ at }) => !isBefore(at, later));
  return { ...found, incident: { ...incident, start: later, confirmed: later, changes } };
}

/** Identifies a window: several may have the same issue if it was announced again. */
export function maintenanceKey({ issue, start }: Maintenance): string {
  return `${issue} ${formatTime(start)}`;
}
