import type { HistoryRecord } from "../../lib/history/record.ts";
import type { HistoryState } from "../../lib/pipeline/history_state.ts";

/** A history of which nothing is known but the parts given. */
export function historyState(known: Partial<HistoryState> = {}): HistoryState {
  return {
    capabilities: { takesRef: false, commits: true },
    records: new Map(),
    incidents: new Map(),
    ended: new Map(),
    incidentIds: new Set(),
    outdated: new Set(),
    orphans: new Map(),
    streaks: new Map(),
    stale: new Set(),
    gone: new Map(),
    maintenance: new Map(),
    damagedMaintenance: [],
    recovered: new Map(),
    sites: [],
    loadedState: { rows: [], onBranch: [], isInRef: false, isRefMissing: false, unreadable: [] },
    summary: new Map(),
    logs: new Map(),
    expired: [],
    unreadable: [],
    ...known,
  };
}

/** The record of a site that is up since its first check. */
export function recordSince(
  since: Temporal.Instant,
  more: Partial<HistoryRecord> = {},
): HistoryRecord {
  return {
    url: "https://example.com/",
    status: "up",
    code: 200,
    responseTime: 80,
    lastUpdated: since,
    startTime: since,
    generator: "monitor-action v1.0.0",
    degraded: false,
    since,
    ...more,
  };
}
