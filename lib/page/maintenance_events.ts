import type { PlannedWindow } from "../history/maintenance.ts";
import { isCalledOff, type StoredIncident } from "../history/stored_incidents.ts";
import type { Report } from "../statistics/report/report.ts";
import { shortHash } from "../text/words.ts";
import { DAY, earliest, isBefore, latest } from "../time.ts";
import type { FeedState, SaidWindow } from "./feed_state.ts";
import { findWindowFiles } from "./incidents.ts";

/** A maintenance window in a calendar. */
export interface MaintenanceEvent extends SaidWindow {
  /** Absent of a window that is no longer planned, of which nothing else is known. */
  window?: PlannedWindow;
  /** True if it has a page. */
  hasPage: boolean;
}

/** Milliseconds for which past and canceled windows stay. */
const KEPT = 90 * DAY;

/**
 * Lists the windows of the last and the next 90 days, by their start. A window that was in the calendar, is still ahead
 * and is no longer planned was canceled. Times of changes come from the data: `time` is that of the last check.
 */
export function listMaintenanceEvents(
  { incidents, maintenance, sites, time, before }: Pick<Report, "time" | "maintenance"> & {
    incidents: ReadonlyMap<string, StoredIncident>;
    /** The slugs of all sites that are shown. */
    sites: ReadonlySet<string>;
    before: FeedState;
  },
): MaintenanceEvent[] {
  const first = time.subtract({ milliseconds: KEPT });
  const past = [...incidents].flatMap(([id, one]): MaintenanceEvent[] => {
    if (one.kind !== "maintenance" || one.end === undefined || isBefore(one.end, first)) return [];
    const isCanceled = isCalledOff(one);
    if (isCanceled && one.source === "configuration") return [];
    const { end } = one;
    const natural = isCanceled ? earliest(time, one.start) : end;
    return [toEvent(id, one, { until: isCanceled ? one.until : end, isCanceled, natural })];
  });
  const open = findWindowFiles(maintenance, incidents).map(({ window, id, uid }) => {
    const { start, until } = window;
    const natural = earliest(time, start);
    return {
      ...toEvent(uid, window, { until, isCanceled: false, natural }),
      hasPage: id !== undefined,
    };
  });
  const current = [...past, ...open].map((event) => revise(event, before, time));
  const known = new Set(current.map(({ id }) => id));
  const gone = [...before.windows.values()].flatMap((said): MaintenanceEvent[] => {
    const slugs = said.slugs.filter((slug) => sites.has(slug));
    const isHidden = slugs.length === 0 && said.slugs.length > 0;
    const isAhead = isBefore(time, said.start);
    if (known.has(said.id) || isHidden || isBefore(said.start, first)) return [];
    if (said.isCanceled) return [{ ...said, slugs, hasPage: false }];
    if (!isAhead) return [];
    const { sequence } = said;
    const canceled = { sequence: sequence + 1, modified: time, isCanceled: true };
    return [{ ...said, ...canceled, slugs, digest: "", hasPage: false }];
  });
  return [...current, ...gone].sort((one, other) =>
    Temporal.Instant.compare(one.start, other.start) || (one.id < other.id ? -1 : 1)
  );
}

function toEvent(
  id: string,
  window: PlannedWindow,
  { until, isCanceled, natural }: {
    until: Temporal.Instant;
    isCanceled: boolean;
    natural: Temporal.Instant;
  },
): MaintenanceEvent {
  const { start, name, text, sites } = window;
  const slugs = [...sites.keys()];
  const digest = shortHash(JSON.stringify([start, until, isCanceled, name, text, slugs]));
  const times = { start, until, created: earliest(natural, start), sequence: 0, modified: natural };
  return { id, window, slugs, digest, isCanceled, hasPage: true, ...times };
}

/** Numbers a change of an event, and keeps the time of the last one. */
function revise(
  event: MaintenanceEvent,
  before: FeedState,
  time: Temporal.Instant,
): MaintenanceEvent {
  const said = before.windows.get(event.id);
  if (said === undefined) return event;
  const { created, sequence, modified } = said;
  if (said.digest === event.digest) return { ...event, created, sequence, modified };
  return { ...event, created, sequence: sequence + 1, modified: latest(time, modified) };
}
