import type { Site } from "../config/config.ts";
import type { Incident } from "../history/incident.ts";
import type { ChannelState, ChannelStates } from "../notifications/channel_state.ts";
import type { HistoryState } from "./history_state.ts";
import { restoreRecords } from "./known_incidents.ts";

/**
 * Adds open incidents that are known by their issues alone to a history, because no run could record them: they are
 * continued, with their ids and starts. Channels may have been notified of them, and are again.
 */
export function recallIncidents(
  state: HistoryState,
  found: ReadonlyMap<string, Incident>,
  { sites, channels, now }: {
    sites: readonly Site[];
    /** Keys of the channels. */
    channels: readonly string[];
    now: Temporal.Instant;
  },
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
  const { runState, ...loaded } = state.loadedState;
  return {
    ...state,
    records: new Map([...state.records, ...restored]),
    stale: new Set([...state.stale, ...restored.keys()]),
    incidents: new Map([...state.incidents, ...incidents]),
    incidentIds: new Set([...state.incidentIds, ...ids]),
    loadedState: {
      ...loaded,
      isLost: true,
      ...runState === undefined ? {} : { runState },
    },
  };
}
