import type { Config, Site } from "../../lib/config/config.ts";
import { parseConfig } from "../../lib/config/parse.ts";
import type { ProbeResult } from "../../lib/evaluation/results.ts";
import type { Run } from "../../lib/history/checks_log.ts";
import type { Store } from "../../lib/history/store/store.ts";
import { systemClock } from "../../lib/io/clock.ts";
import { filesTracker } from "../../lib/incidents/issue_effect.ts";
import { IssueNumbers } from "../../lib/incidents/issue_handler.ts";
import type { EntryResult } from "../../lib/outbox/outbox.ts";
import {
  decide,
  type DecideOptions,
  type Decision,
  type People,
  type RunResults,
} from "../../lib/pipeline/decide.ts";
import { type HistoryState, isSame, loadHistoryState } from "../../lib/pipeline/history_state.ts";
import { LANGUAGE } from "./languages.ts";
import type { EffectTargets } from "../../lib/pipeline/plan_effects.ts";
import { type PublishedRun, Recorder } from "../../lib/pipeline/record_run.ts";
import { Turns } from "../../lib/pipeline/turns.ts";
import { commitMessage } from "../../templates/commit_message.ts";
import { ENGLISH_LANGUAGE } from "../../lib/text/languages.ts";
import { createBadges } from "../../templates/graph/badge.ts";

/** An hour in milliseconds. */
export const HOUR = 3_600_000;

const PARSED = await parseConfig(`{ sites: [{ name: Shop, url: "https://shop.example" }] }`);

/** A configuration whose runs commit once an hour, or as often as given. */
export function configWith(history: Partial<Config["history"]> = {}): Config {
  const config = PARSED.config!;
  const usual = { commitEvery: HOUR, maxGap: HOUR / 2 };
  return { ...config, driftAlarm: false, history: { ...config.history, ...usual, ...history } };
}

/** Targets that keep incidents in files only and have no channels, but for those that are given. */
export function targetsWith(own: Partial<EffectTargets> = {}): EffectTargets {
  return {
    tracker: filesTracker,
    dispatches: false,
    channels: [],
    isPartial: false,
    notices: [],
    monitor: "",
    language: LANGUAGE,
    handlers: {},
    issues: new IssueNumbers(),
    drawBadge: createBadges(ENGLISH_LANGUAGE),
    ...own,
  };
}

const NOBODY: People = {
  plans: { configured: [] },
  access: undefined,
  responses: undefined,
};

function toRunResults(results: readonly ProbeResult[]): RunResults {
  return { results, haveCanariesFailed: undefined, watched: [], addUsed: () => new Map() };
}

/** Decides what results mean; the decision is made at the start of the run unless another time is given. */
export function decideRun(
  state: HistoryState,
  results: readonly ProbeResult[],
  run: Run,
  { config = configWith(), targets, plans, now = run.time }: {
    config?: Config;
    targets?: Partial<EffectTargets>;
    plans?: People["plans"];
    now?: DecideOptions["now"];
  } = {},
): Decision {
  const people = { ...NOBODY, ...plans && { plans } };
  const given = { run, now, config, targets: targetsWith(targets), people, effects: [] };
  return decide(state, toRunResults(results), given);
}

/** A run whose checks are made already. */
export interface CheckedRun {
  run: Run;
  results: readonly ProbeResult[];
  /** @default {configWith()} */
  config?: Config;
  targets?: Partial<EffectTargets>;
  /** All sites of the configuration. @default Those that were looked at. */
  configured?: readonly Site[];
  /** The state to start from. @default As loaded from the store */
  state?: HistoryState;
  people?: Partial<People>;
  onUnnoted?(error: Error): void;
}

/** Records the outcome of a run and executes its effects, as `update` does. */
export async function recordResults(
  store: Store,
  { run, results, config = configWith(), targets, people, ...more }: CheckedRun,
): Promise<PublishedRun & { state: HistoryState; executed: EntryResult[] }> {
  const sites = results.map(({ site }) => site);
  const configured = Object.hasOwn(more, "configured") ? more.configured : sites;
  const scope = { sites, configured, time: run.time, keepDays: 35 };
  const state = more.state ?? await loadHistoryState(await store.read(), scope);
  const recorder = new Recorder({
    store,
    state,
    uncommitted: new Map(),
    load: async (snapshot) =>
      isSame(snapshot, state) ? state : await loadHistoryState(snapshot, scope),
  }, {
    config,
    targets: targetsWith(targets),
    people: { ...NOBODY, ...people },
    clock: { ...systemClock, now: () => run.time },
    turns: new Turns(),
    dryRun: false,
    author: { name: "Jo", email: "jo@example.com" },
    messages: {
      decision: (decision) => commitMessage(decision, config),
      uncommitted: "",
      executed: "Note it",
    },
    redact: (text) => text,
    recall: (state) => Promise.resolve(state),
    onUnnoted(error) {
      if (more.onUnnoted === undefined) throw error;
      more.onUnnoted(error);
    },
  });
  const { executing, ...recorded } = await recorder.record(run, toRunResults(results));
  return { ...recorded, state, executed: await executing };
}
