import type { StoredIncident } from "../../history/stored_incidents.ts";
import type { PlannedWindow } from "../../evaluation/window.ts";
import { isBefore } from "../../time.ts";

/** A maintenance window, with the id of its file where it has one. */
export interface ListedWindow {
  window: PlannedWindow;
  id?: string;
}

/** Maintenance that is ahead, once or again and again. */
export interface Series {
  /** The next windows of it. */
  next: readonly ListedWindow[];
  /** How many come after these until the last one that is known. */
  more: number;
  last: PlannedWindow;
}

/** Of what comes again and again so many are told one by one. */
const TOLD = 3;

/** Maintenance that goes on at a moment, and what is ahead, both in the order of their begins. */
export function plannedMaintenance(
  windows: readonly PlannedWindow[],
  incidents: ReadonlyMap<string, StoredIncident>,
  now: Temporal.Instant,
): { going: ListedWindow[]; ahead: Series[] } {
  const listed = listedWindows(windows, incidents);
  const ahead = listed.filter(({ window }) => isBefore(now, window.start));
  const series = Map.groupBy(ahead, ({ window }) => seriesOf(window));
  return {
    going: listed.filter(({ window }) => !isBefore(now, window.start)),
    ahead: [...series.values()].map((all) => ({
      next: all.slice(0, TOLD),
      more: Math.max(0, all.length - TOLD),
      last: all.at(-1)!.window,
    })),
  };
}

/** Windows with the ids of their files. */
export function listedWindows(
  windows: readonly PlannedWindow[],
  incidents: Iterable<readonly [id: string, incident: StoredIncident]>,
): ListedWindow[] {
  const ids = new Map(
    [...incidents].flatMap(([id, one]) =>
      one.kind === "maintenance" && one.end === undefined ? [[keyOf(one), id]] : []
    ),
  );
  return windows.map((window) => ({ window, id: ids.get(keyOf(window)) }));
}

function keyOf({ source, name, start }: PlannedWindow): string {
  return JSON.stringify([source, name, start]);
}

/** What windows have in common that are one that comes again and again. */
function seriesOf({ source, name, sites, issue, start }: PlannedWindow): string {
  return JSON.stringify([source, name, [...sites], issue, source === "configuration" ? "" : start]);
}
