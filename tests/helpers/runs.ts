import type { Run } from "../../lib/history/checks_log.ts";
import type { Rendering } from "../../lib/statistics/api/badge.ts";
import type { Site } from "../../lib/config/config.ts";
import { type Recorded, recordRun } from "../../lib/pipeline/record_run.ts";
import { type HistoryState, loadState } from "../../lib/pipeline/state.ts";
import type { Listeners } from "../../lib/pipeline/owed.ts";
import { filesTracker } from "../../lib/incidents/issue_effect.ts";
import type { MaintenancePlans } from "../../lib/incidents/maintenance/plan_maintenance.ts";
import type { Carriers } from "../../lib/outbox/effect.ts";
import type { Store } from "../../lib/history/store/store.ts";
import type { ProbeResult } from "../../lib/evaluation/results.ts";
import { renderBadge } from "../../templates/graph/badge.ts";
import { commitMessage } from "../../templates/commit_message.ts";

/** An hour in milliseconds. */
export const HOUR = 3_600_000;

const TEXTS = {
  commitMessages: {},
  commitPrefixStatusUp: "🟩",
  commitPrefixStatusDown: "🟥",
  commitPrefixStatusDegraded: "🟨",
};

/** A run whose checks are made already. */
export interface CheckedRun {
  run: Run;
  results: readonly ProbeResult[];
  /** @default {HOUR} */
  commitEvery?: number;
  /** @default No carriers. */
  carriers?: Carriers;
  /** @default {FILES_ONLY} */
  listeners?: Listeners;
  /** All sites of the configuration. @default Those that were looked at. */
  configured?: readonly Site[];
  plans?: MaintenancePlans;
}

/** Shows sites as they are, without any secrets. */
export const SHOWING: Rendering = { draw: renderBadge, redact: (text) => text };

/** Nobody but the files is notified of incidents. */
export const FILES_ONLY: Listeners = { tracker: filesTracker, dispatches: false, channels: [] };

/** Records what a run found out, as `update` does. */
export async function recordResults(
  store: Store,
  { run, results, commitEvery = HOUR, carriers = {}, listeners = FILES_ONLY, ...more }: CheckedRun,
): Promise<Recorded & { state: HistoryState }> {
  const sites = results.map(({ site }) => site);
  const { configured = sites, plans } = more;
  const scope = { sites, configured, time: run.time, keepDays: 35 };
  const state = await loadState(await store.read(), scope);
  const recorded = await recordRun(store, {
    run,
    results,
    scope,
    state,
    options: { commitEvery, carriers, listeners, showing: SHOWING, plans },
    uncommitted: { files: new Map(), message: "" },
    message: (decision) => commitMessage(decision, TEXTS),
    author: { name: "Jo", email: "jo@example.com" },
  });
  return { ...recorded, state };
}
