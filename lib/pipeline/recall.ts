import type { Site } from "../config/config.ts";
import type { Incident } from "../history/incident.ts";
import type { HistoryState } from "./history_state.ts";
import { restoreRecords } from "./known_incidents.ts";

/**
 * Adds open incidents that are known by their issues alone to a history, because no run could record them: they are
 * continued, with their ids and starts. Channels are notified of them again, under the same ids.
 */
export function recallIncidents(
  state: HistoryState,
  found: ReadonlyMap<string, Incident>,
  sites: readonly Site[],
): HistoryState {
  const open = new Map(
    [...found].filter(([id, { slug }]) =>
      !state.incidentIds.has(id) && state.records.get(slug)?.incident === undefined
    ),
  );
  const restored = restoreRecords(sites, state.records, open);
  if (restored.size === 0) return state;
  const ids = new Set([...restored.values()].map(({ incident }) => incident!));
  const incidents = [...open].filter(([id]) => ids.has(id));
  return {
    ...state,
    records: new Map([...state.records, ...restored]),
    stale: new Set([...state.stale, ...restored.keys()]),
    incidents: new Map([...state.incidents, ...incidents]),
    incidentIds: new Set([...state.incidentIds, ...ids]),
    loadedState: { ...state.loadedState, isLost: true },
  };
}
