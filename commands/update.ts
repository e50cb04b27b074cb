import { listSelfHostedLocations } from "../lib/config/legs.ts";
import { computeMaxGap, type Config, hasAllSites } from "../lib/config/config.ts";
import { isBlind, type ProbeResult } from "../lib/evaluation/results.ts";
import { readRepositoryInfo } from "../lib/git/repository.ts";
import type { Run } from "../lib/history/checks_log.ts";
import {
  type MaintenancePlans,
  planMaintenance,
} from "../lib/incidents/maintenance/plan_maintenance.ts";
import type { ReadResponses } from "../lib/incidents/acknowledgement/read_responses.ts";
import { readOwnIncidents } from "../lib/incidents/own_incidents.ts";
import { readMaintenancePlans, siteWindows } from "../lib/incidents/maintenance/windows.ts";
import { randomName } from "../lib/io/clock.ts";
import { hasUnusableChannel } from "../lib/io/problem.ts";
import { toGapNotice } from "../lib/notifications/notices.ts";
import { listChannelsWithoutOn } from "../lib/notifications/routes.ts";
import type { ChannelAcknowledgement } from "../lib/notifications/posted_messages.ts";
import { needsUser } from "../lib/outbox/outbox.ts";
import {
  type HistoryState,
  type OpenedHistory,
  openHistory,
  type Scope,
} from "../lib/pipeline/history_state.ts";
import { GitHubError } from "../lib/github/github.ts";
import type { DecideOptions } from "../lib/pipeline/decide.ts";
import { recallIncidents } from "../lib/pipeline/recall.ts";
import { readChannelResponses, readOpenResponses } from "../lib/pipeline/respond.ts";
import { RunRecorder } from "../lib/pipeline/run_recorder.ts";
import { findLongGap } from "../lib/statistics/run_gaps.ts";
import { UsageError } from "../lib/text/arguments.ts";
import {
  commitAuthor,
  commitMessage,
  NOTE_MESSAGE,
  TAKE_IN_MESSAGE,
} from "../templates/commit_message.ts";
import { renderBadge } from "../templates/graph/badge.ts";
import { describeLosses, unknownNotes } from "../templates/terminal/update.ts";
import type { RunProgress } from "../templates/terminal/progress.ts";
import { countSites } from "../templates/words.ts";
import { type Command, type Context, loadReported, storeOptions } from "./shared/context.ts";
import { runStoppably } from "./shared/progress.ts";
import { checkAllSites } from "./shared/check_sites.ts";
import { createCombiner, type LocationCombiner } from "./shared/combine_locations.ts";
import { connect, type Connections } from "./update/connections.ts";
import { reportChannels, reportNothing, reportRefusal, reportRun } from "./update/report.ts";

/**
 * Checks every site, records the results, and executes the effects: issues, messages, workflows.
 *
 * 1. Load the configuration.
 * 2. Check the sites (`checkAllSites`): attempts become one result per site. Meanwhile `prepareRun` opens history
 *    and run state and reads plans from GitHub; only first attempts don't wait for it.
 * 3. Record the run (`RunRecorder`): `decide` turns results into transitions, incidents and planned effects;
 *    `publishRun` commits them; `EffectExecutor` sends messages and opens issues. A change is recorded early,
 *    while other sites are still being checked; the rest follows at the end.
 * 4. Report.
 */
export const update: Command = (context) =>
  runStoppably((progress) => runUpdate(progress, context), context);

async function runUpdate(progress: RunProgress, context: Context): Promise<number> {
  // 1. Load the configuration.
  const { root, clock, log, dryRun, watching } = context;
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
  using combiner = createCombiner(active, { now: run.time, connecting }, context);
  const preparing = prepareRun(
    config,
    { run, active, isPartial, file, connecting, combiner },
    context,
  )
    .catch(reportAndThrow);
  const [prepared, { results, failedCanaries, received, notes: checkNotes }] = await Promise.all([
    preparing,
    checkAllSites(active, { run, preparing, connecting, progress, combiner }, context),
  ]);
  const { connections, recorder, losses, channels, planNotes } = prepared;
  log.endGroup();
  for (const note of [...planNotes, ...checkNotes]) log.warn(note);

  // 3. Decide, publish, and execute the effects.
  if (results.length === 0) {
    log.endProgress();
    return 0;
  }
  progress.stage = "recording";
  const recorded = await recorder.recordRest(results, { failedCanaries });
  progress.stage = "recorded";
  log.endProgress();
  watching?.history.keep(prepared.state, recorded);
  if (!dryRun && recorded.failure === undefined) await received?.remove();

  // 4. Report.
  const { targets, userAgent } = connections;
  const sawNothing = isBlind(results);
  const unknown = unknownNotes(recorded.decision, sawNothing);
  for (const note of unknown.errors) log.error(note);
  for (const note of log.showsLines ? unknown.brief : unknown.warnings) log.warn(note);
  const notes = [losses, channels.notes, planNotes, checkNotes, unknown.errors, unknown.warnings];
  const hints = listChannelsWithoutOn(targets.channels, config.sites);
  await reportRun(recorded, connections, { notes: notes.flat(), hints }, context);
  if (recorded.failure !== undefined) throw recorded.failure;
  if (!dryRun && (watching?.isMinutely ?? true)) {
    await reportHeartbeat(config, { userAgent, isFailure: sawNothing }, context);
  }
  if (sawNothing) return 2;
  const fails = recorded.executed.some(needsUser) || hasUnusableChannel(problems) ||
    channels.fails;
  return fails ? 1 : 0;
}

/**
 * Opens history and run state, reads the maintenance plans, reports losses and unusable channels, and creates the
 * recorder.
 *
 * @throws {RepositoryError} If the repository is in a state in which nothing can be recorded.
 */
async function prepareRun(
  config: Config,
  { run, active, isPartial, file, connecting, combiner }: {
    run: Run;
    active: Config;
    /** True if the configuration does not list all sites and channels. */
    isPartial: boolean;
    file: string;
    connecting: Promise<Connections>;
    combiner: LocationCombiner;
  },
  context: Context,
) {
  const { root, log, dryRun, secrets, watching } = context;
  const { isMinutely = true } = watching ?? {};
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
  const [opened, connections, { plans, access, notes: planNotes }] = await Promise.all([
    opening,
    connecting,
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
  const asks = isMinutely && config.issues;
  const [{ responses, notes: responseNotes }, inChannels] = await Promise.all([
    readOpenResponses(asks ? connections.github : undefined, state, config, run.time),
    readChannelResponses({
      channels: isMinutely ? connections.targets.channels : [],
      sending: connections.messages.sending,
    }, state),
  ]);
  const { acknowledgements } = inChannels;
  const windows = siteWindows(planMaintenance(state, plans, run.time).windows, run.time);
  await combiner.open(store, { state, windows });
  const decided = active.sites.filter((site) => combiner.canDecide(site));
  if (decided.length === 0) throw new UsageError(combiner.describeLeftOut()!);
  const losses = [...describeLosses(state), ...describeGap(state, run, config)];
  for (const loss of losses) log.warn(loss);
  const channels = reportChannels(connections, context);
  const recorder = createRecorder(
    opened,
    connections,
    { run, scope, config, plans, access, responses, acknowledgements, combiner },
    context,
  );
  const paused = config.sites.length - active.sites.length;
  const others = paused === 0 ? "" : ` (${paused} paused)`;
  log.group(`Checking ${countSites(decided.length)}${others}`);
  const { place } = connections.targets.tracker;
  log.detail(`History: ${store.place}. Incidents: ${place}.`);
  if (connections.lacksToken && !context.options.has("verbose")) log.line(`Incidents: ${place}.`);
  return {
    state,
    windows,
    recordEarly: recorder.canRecordEarly
      ? (some: readonly ProbeResult[]) => recorder.recordEarly(some)
      : undefined,
    recorder,
    connections,
    losses,
    channels,
    planNotes: [...planNotes, ...responseNotes, ...inChannels.notes],
  };
}

function toDriftAlarm({ driftAlarm: least, workflowSchedule }: Config) {
  return least === false ? undefined : { schedule: workflowSchedule.uptime, least };
}

/** Describes the gap that a run has ended, for its log, if channels are notified of it. */
function describeGap({ runs = [] }: HistoryState, { time }: Run, config: Config): string[] {
  const alarm = toDriftAlarm(config);
  const gap = alarm && findLongGap(runs, { ...alarm, to: time.epochMilliseconds });
  if (gap === undefined) return [];
  const { title, text } = toGapNotice(gap);
  return [`${title}: ${text}`];
}

function createRecorder(
  opened: OpenedHistory,
  { github, folder, targets, handlers, issues }: Connections,
  { run, scope, config, plans, access, responses, acknowledgements, combiner }: {
    run: Run;
    scope: Scope;
    config: Config;
    plans: MaintenancePlans;
    access: DecideOptions["access"];
    responses?: ReadResponses;
    acknowledgements: readonly ChannelAcknowledgement[];
    combiner: LocationCombiner;
  },
  { clock, dryRun, secrets, log }: Context,
): RunRecorder {
  const redact = (text: string) => secrets.redact(text);
  const { sites } = scope;
  let found: ReturnType<typeof readOwnIncidents> | undefined;
  const recall = async (state: HistoryState) => {
    if (github === undefined || !config.issues) return state;
    found ??= readOwnIncidents(github, { folder, slugs: sites.map(({ slug }) => slug) });
    const channels = targets.channels.map(({ key }) => key);
    return await found.then(
      (incidents) => recallIncidents(state, incidents, { sites, channels, now: run.time }),
      (error) => {
        if (!(error instanceof GitHubError)) throw error;
        return state;
      },
    );
  };
  return new RunRecorder(opened, {
    run,
    scope,
    handlers,
    issues,
    clock,
    dryRun,
    redact,
    recall,
    findUsed: (slugs) => combiner.usedResults(slugs),
    decide: {
      commitEvery: config.history.commitEvery,
      handlers,
      targets,
      showing: { draw: renderBadge },
      maxGap: computeMaxGap(config),
      driftAlarm: toDriftAlarm(config),
      plans,
      access,
      responses,
      acknowledgements,
      ackFor: config.ackFor,
    },
    author: commitAuthor(config),
    messages: {
      decision: (decision) => redact(commitMessage(decision, config)),
      uncommitted: TAKE_IN_MESSAGE,
      executed: NOTE_MESSAGE,
    },
    onUnnoted: ({ message }) =>
      log.warn(`The effects of this run could not be noted and may be executed again: ${message}`),
  });
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
