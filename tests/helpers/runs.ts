import type { Run } from "../../lib/history/checks_log.ts";
import type { Rendering } from "../../lib/statistics/api/badge.ts";
import type { Site } from "../../lib/config/config.ts";
import type { DecideOptions } from "../../lib/pipeline/decide.ts";
import { type PublishedRun, publishRun } from "../../lib/pipeline/publish_run.ts";
import { type HistoryState, isSame, loadHistoryState } from "../../lib/pipeline/history_state.ts";
import type { EffectTargets } from "../../lib/pipeline/plan_effects.ts";
import { filesTracker } from "../../lib/incidents/issue_effect.ts";
import type { ReadResponses } from "../../lib/incidents/acknowledgement/read_responses.ts";
import type { MaintenancePlans } from "../../lib/incidents/maintenance/plan_maintenance.ts";
import type { EffectHandlers } from "../../lib/outbox/effect.ts";
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
  /** @default No handlers. */
  handlers?: EffectHandlers;
  /** @default {FILES_ONLY} */
  targets?: EffectTargets;
  /** All sites of the configuration. @default Those that were looked at. */
  configured?: readonly Site[];
  /** The state to start from. @default As loaded from the store */
  state?: HistoryState;
  plans?: MaintenancePlans;
  responses?: ReadResponses;
}

/** Shows sites as they are, without any secrets. */
export const SHOWING: Rendering = { draw: renderBadge };

/** Keeps incidents in files only. */
export const FILES_ONLY: EffectTargets = { tracker: filesTracker, dispatches: false, channels: [] };

/** Options of a decision that finds nothing but results. */
export const PLAIN_DECISION: Omit<DecideOptions, "now"> = {
  commitEvery: HOUR,
  handlers: {},
  targets: FILES_ONLY,
  showing: SHOWING,
  haveCanariesFailed: undefined,
  watched: [],
  maxGap: HOUR / 2,
  addUsed: () => new Map(),
  driftAlarm: undefined,
  plans: { configured: [], timezone: "UTC" },
  access: undefined,
  effects: [],
  responses: undefined,
  ackFor: 4 * HOUR,
};

/** Records the outcome of a run, as `update` does. */
export async function recordResults(
  store: Store,
  { run, results, commitEvery = HOUR, handlers = {}, targets = FILES_ONLY, ...more }: CheckedRun,
): Promise<PublishedRun & { state: HistoryState }> {
  const sites = results.map(({ site }) => site);
  const { plans = PLAIN_DECISION.plans, responses } = more;
  const configured = Object.hasOwn(more, "configured") ? more.configured : sites;
  const scope = { sites, configured, time: run.time, keepDays: 35 };
  const state = more.state ?? await loadHistoryState(await store.read(), scope);
  const recorded = await publishRun(store, {
    run,
    results,
    state,
    load: async (snapshot) =>
      isSame(snapshot, state) ? state : await loadHistoryState(snapshot, scope),
    options: { ...PLAIN_DECISION, commitEvery, handlers, targets, plans, responses },
    now: () => run.time,
    recall: (state) => Promise.resolve(state),
    uncommitted: { files: new Map(), message: "" },
    message: (decision) => commitMessage(decision, TEXTS),
    author: { name: "Jo", email: "jo@example.com" },
  });
  return { ...recorded, state };
}
