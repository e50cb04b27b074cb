import { listSelfHostedLocations } from "../lib/config/legs.ts";
import { type Config, hasAllSites } from "../lib/config/config.ts";
import type { LoadedConfig } from "../lib/config/load.ts";
import { readRepositoryInfo } from "../lib/git/repository.ts";
import type { Run } from "../lib/history/checks_log.ts";
import { planMaintenance } from "../lib/incidents/maintenance/plan_maintenance.ts";
import { readMaintenancePlans, siteWindows } from "../lib/incidents/maintenance/windows.ts";
import { randomName } from "../lib/io/clock.ts";
import { hasUnusableChannel } from "../lib/io/problem.ts";
import { toGapNotice } from "../lib/notifications/notices.ts";
import { listChannelsWithoutOn } from "../lib/notifications/routes.ts";
import { needsUser, selectRefused } from "../lib/outbox/outbox.ts";
import { findGap } from "../lib/pipeline/decide.ts";
import { type HistoryState, openHistory, type Scope } from "../lib/pipeline/history_state.ts";
import { readOpenResponses } from "../lib/pipeline/respond.ts";
import { Turns } from "../lib/pipeline/turns.ts";
import { UsageError } from "../lib/text/arguments.ts";
import { createLanguage } from "../lib/text/language.ts";
import { mergeMessages } from "../lib/text/messages.ts";
import { describeLosses, unknownNotes } from "../templates/terminal/update.ts";
import type { RunProgress } from "../templates/terminal/progress.ts";
import { countSites } from "../templates/words.ts";
import { type Command, type Context, loadReported, storeOptions } from "./shared/context.ts";
import { runStoppably } from "./shared/progress.ts";
import { openReceivedBeats } from "./shared/received_beats.ts";
import { checkAllSites, type Checked } from "./shared/check_sites.ts";
import { LocationCombiner } from "./shared/combine_locations.ts";
import { connect, type Connections } from "./update/connections.ts";
import { createRecorder } from "./update/record.ts";
import { reportChannels, reportNothing, reportRefusal, reportRun } from "./update/report.ts";

/**
 * Checks every site, records the results, and executes the effects: issues, messages, workflows.
 *
 * 1. Load the configuration.
 * 2. Check the sites (`checkAllSites`): attempts become one result per site. Meanwhile `prepareRun` opens history
 *    and run state and reads plans from GitHub; only first attempts don't wait for it.
 * 3. Record the results (`Recorder`): `decide` turns them into transitions, incidents and planned effects, which are
 *    pushed, and `executeClaimed` sends messages and opens issues.
 * 4. Report.
 *
 * A round of `watch` is the same, but records slow sites in a run of their own.
 */
export const update: Command = (context) =>
  runStoppably((progress) => runUpdate(progress, context), context);

async function runUpdate(progress: RunProgress, context: Context): Promise<number> {
  // 1. Load the configuration.
  const { root, clock, watching } = context;
  const reportAndThrow = (error: unknown) => reportRefusal(error, context);
  const loaded = watching?.loaded ?? await loadReported(context).catch(reportAndThrow);
  const { config, problems, file } = loaded;
  if (config === undefined || config.sites.every(({ paused }) => paused)) {
    return await reportNothing(loaded, context);
  }
  const active: Config = { ...config, sites: config.sites.filter(({ paused }) => !paused) };
  progress.sites = active.sites.map(({ name }) => name);
  const isPartial = !hasAllSites(problems, context.config);
  const run: Run = { id: randomName(), time: clock.now() };

  // 2. Check the sites, and prepare to record them.
  const connecting = (async () => {
    const repository = watching?.repository ?? await readRepositoryInfo(root);
    return await connect(config, repository, { isPartial, problems, file }, context);
  })();
  using combiner = new LocationCombiner(active, { now: run.time, connecting }, context);
  const preparing = prepareRun(
    { ...loaded, config },
    { run, active, isPartial, connecting, combiner },
    context,
  ).catch(reportAndThrow);
  // Awaited below; it may fail before.
  preparing.catch(() => {});
  const all = checkAllSites(active, { run, preparing, connecting, progress, combiner }, context);
  const recording: Promise<number>[] = [];
  for await (const checked of all) {
    // 3. and 4. Decide, publish, execute the effects, and report.
    const isFirst = recording.length === 0;
    const own = isFirst ? run : { ...run, id: randomName() };
    const recorded = record(
      own,
      checked,
      { config, prepared: await preparing, isFirst, progress },
      context,
    );
    // Awaited below, after those that come later.
    recorded.catch(() => {});
    recording.push(recorded);
  }
  await preparing;
  const codes = await Promise.all(recording);
  return codes.find((code) => code !== 0) ?? 0;
}

/** Records the results of a run, executes its effects and reports it; returns its exit code. */
async function record(
  run: Run,
  checked: Checked,
  { config, prepared, isFirst, progress }: {
    config: Config;
    prepared: Awaited<ReturnType<typeof prepareRun>>;
    /** False for the slow sites of a round of `watch`. */
    isFirst: boolean;
    progress: RunProgress;
  },
  context: Context,
): Promise<number> {
  const { log, dryRun, watching } = context;
  const { connections: { targets, userAgent } } = prepared;
  log.endGroup();
  for (const note of checked.notes) log.warn(note);
  progress.stage = "recording";
  const started = await prepared.recorder.record(run, checked);
  watching?.history.keep(started);
  progress.stage = "recorded";
  watching?.onRecorded(started);
  if (!dryRun && started.failure === undefined) await prepared.received?.remove();
  const recorded = { ...started, executed: await started.executing };
  log.endProgress();
  const { isBlind } = recorded.decision;
  const unknown = unknownNotes(recorded.decision, { isRound: watching !== undefined });
  for (const note of unknown.errors) log.error(note);
  for (const note of log.showsLines ? unknown.brief : unknown.warnings) log.warn(note);
  const notes = [...prepared.notes, ...checked.notes, ...unknown.errors, ...unknown.warnings];
  const hints = listChannelsWithoutOn(targets.channels, config.sites);
  const provesWork = isFirst && watching?.isFirst === true;
  await reportRun(recorded, prepared.connections, { notes, hints, provesWork }, context);
  if (recorded.failure !== undefined) throw recorded.failure;
  if (!dryRun && isFirst && (watching?.isMinutely ?? true)) {
    await reportHeartbeat(config, { userAgent, isFailure: isBlind }, context);
  }
  if (isBlind) return 2;
  const isRefused = recorded.executed.some(needsUser) ||
    selectRefused(recorded.decision.runState.outbox).length > 0;
  const fails = isRefused || prepared.fails;
  return fails ? 1 : 0;
}

/**
 * Opens history and run state, reads the maintenance plans, and reports losses and unusable channels.
 *
 * @throws {RepositoryError} If the repository is in a state in which nothing can be recorded.
 */
async function prepareRun(
  { config, problems, file }: LoadedConfig & { config: Config },
  { run, active, isPartial, connecting, combiner }: {
    run: Run;
    active: Config;
    /** True if the configuration does not list all sites and channels. */
    isPartial: boolean;
    connecting: Promise<Connections>;
    combiner: LocationCombiner;
  },
  context: Context,
) {
  const { root, log, dryRun, secrets, watching } = context;
  const { isMinutely = true, isFirst = true } = watching ?? {};
  const scope: Scope = {
    sites: active.sites,
    configured: isPartial ? undefined : config.sites,
    time: run.time,
    keepDays: config.history.keepDays,
    findsGaps: config.driftAlarm !== false,
  };
  const opening = watching?.history.open(scope) ??
    openHistory(root, scope, {
      ...storeOptions(context, file, dryRun),
      keepsRefused: !dryRun,
      withLocations: () => listSelfHostedLocations(config).length > 0,
    });
  const [opened, connections, received, { plans, access, notes: planNotes }] = await Promise.all([
    opening,
    connecting,
    isFirst ? openReceivedBeats(root, active.sites) : undefined,
    connecting.then(({ github, folder }) =>
      readMaintenancePlans(config, {
        github: isMinutely ? github : undefined,
        known: async () => (await opening).state.loadedState.runState?.timelines,
        isPartial,
        folder,
        now: run.time,
        redact: (text) => secrets.redact(text),
      })
    ),
  ]);
  const { store, state } = opened;
  const { responses, notes: responseNotes } = await readOpenResponses(
    isMinutely && config.issues ? connections.github : undefined,
    state,
    config,
    run.time,
  );
  const windows = siteWindows(planMaintenance(state, plans, run.time).windows, run.time);
  const turns = watching?.turns ?? new Turns();
  const combine = () => combiner.open(store, { state, windows });
  await (config.locations.length === 0 ? combine() : turns.take(combine));
  const decided = active.sites.filter((site) => combiner.canDecide(site));
  if (decided.length === 0) throw new UsageError(combiner.describeLeftOut()!);
  const notes = [
    ...describeLosses(state),
    ...describeGap(state, run, config),
    ...planNotes,
    ...responseNotes,
  ];
  for (const note of notes) log.warn(note);
  const channels = reportChannels(connections, context);
  const paused = config.sites.length - active.sites.length;
  const others = paused === 0 ? "" : ` (${paused} paused)`;
  const { length } = decided.filter(({ slug }) => watching?.due.has(slug) ?? true);
  log.group(`Checking ${countSites(length)}${others}`);
  const { place } = connections.targets.tracker;
  log.detail(`History: ${store.place}. Incidents: ${place}.`);
  if (connections.lacksToken && !context.options.has("verbose")) log.line(`Incidents: ${place}.`);
  return {
    state,
    windows,
    received,
    connections,
    notes: [...notes, ...channels.notes],
    fails: channels.fails || hasUnusableChannel(problems),
    recorder: createRecorder(
      opened,
      connections,
      { config, sites: active.sites, turns, people: { plans, access, responses } },
      context,
    ),
  };
}

/** Describes the gap that a run has ended, for its log, if channels are notified of it. */
function describeGap(state: HistoryState, run: Run, config: Config): string[] {
  const gap = findGap(state, run, config);
  if (gap === undefined) return [];
  const { title, text } = toGapNotice(gap, createLanguage("en", mergeMessages()));
  return [`${title}: ${text}`];
}

async function reportHeartbeat(
  { "heartbeat-url": address }: Config,
  { userAgent, isFailure }: { userAgent: string; isFailure: boolean },
  { secrets, log }: Context,
): Promise<void> {
  if (address === undefined) return;
  const { sendHeartbeat } = await import("../lib/io/heartbeat.ts");
  const reason = await sendHeartbeat(address, { secrets, userAgent, isFailure });
  if (reason !== undefined) log.warn(`The heartbeat could not be sent: ${reason}`);
}
