import { warmUp } from "../lib/checks/warm_up.ts";
import type { Config } from "../lib/config/config.ts";
import { loadConfig } from "../lib/config/load.ts";
import { hasUnusableChannel } from "../lib/io/problem.ts";
import { tellsOfAllSites } from "../lib/config/tells_of_all_sites.ts";
import type { Command, Context } from "./shared/context.ts";
import { randomName } from "../lib/io/clock.ts";
import { surroundingsOf } from "../lib/git/repository.ts";
import { sendHeartbeat } from "../lib/io/heartbeat.ts";
import { folderWorkspace } from "../lib/io/workspace.ts";
import type { Run } from "../lib/history/checks_log.ts";
import { openHistory } from "../lib/pipeline/open_history.ts";
import { plansFor, siteWindows } from "../lib/incidents/maintenance/windows.ts";
import { planMaintenance } from "../lib/incidents/maintenance/plan_maintenance.ts";
import { channelsWithoutOn } from "../lib/notifications/routes.ts";
import { needsPerson } from "../lib/outbox/ends.ts";
import { isBlind } from "../lib/evaluation/results.ts";
import { unknownNotes } from "../templates/terminal/update_notes.ts";
import { lossesOf } from "../templates/terminal/update.ts";
import { reportChannels } from "./update/channels.ts";
import { circleOf } from "./update/circle.ts";
import { endWithNothing, refuse } from "./update/endings.ts";
import { lookAtSites } from "./update/look.ts";
import { RunRecorder } from "./update/record.ts";
import { report } from "./update/report.ts";

/** Checks every site, records the results, and opens and closes incidents. */
export const update: Command = async (context) => {
  const { root, clock, log, secrets } = context;
  const refused = (error: unknown) => refuse(error, context);
  const workspace = folderWorkspace(root);
  const loaded = await loadConfig(workspace, context).catch(refused);
  const { config, problems, file } = loaded;
  for (const problem of problems) log.problem(problem, file);
  if (config === undefined || config.sites.every(({ paused }) => paused)) {
    return await endWithNothing(loaded, context);
  }
  const active: Config = { ...config, sites: config.sites.filter(({ paused }) => !paused) };

  const run: Run = { id: randomName(), time: clock.now() };
  const tellsAll = tellsOfAllSites(problems, context.config);
  const scope = {
    sites: active.sites,
    configured: tellsAll ? config.sites : undefined,
    time: run.time,
    keepDays: config.history.keepDays,
  };
  const opening = openHistory(root, {
    workspace,
    lock: file,
    clock,
    warn: (text) => log.warn(text),
    scope,
  }).catch(refused);
  const circling = surroundingsOf(root).then((surroundings) =>
    circleOf(config, { ...surroundings, isPartial: !tellsAll, problems, file }, context)
  );
  const planning = circling.then(({ github, folder }) =>
    plansFor(config, {
      github,
      isPartial: !tellsAll,
      folder,
      now: run.time,
      redact: (text) => secrets.redact(text),
    })
  );
  const [opened, circle, planned] = await Promise.all([
    opening,
    circling,
    planning,
    warmUp(active.sites),
  ]);
  const { store, state } = opened;
  const losses = lossesOf(state);
  for (const loss of losses) log.warn(loss);

  const { github, listeners, carriers, messages, issues, agent, home } = circle;
  const { plans } = planned;
  const { channels } = listeners;
  const reported = reportChannels({ channels, unsendable: circle.unsendable }, context);
  const maintenance = planMaintenance(state, plans, run.time);
  const paused = config.sites.length - active.sites.length;
  const recorder = new RunRecorder(
    opened,
    { run, scope, config, listeners, carriers, plans, issues, github },
    context,
  );
  const seen = await lookAtSites(active, {
    run,
    state,
    place: store.place,
    tracker: listeners.tracker.place,
    paused,
    agent,
    windows: siteWindows(maintenance.windows, run.time),
    recordEarly: recorder.isLate ? undefined : (results) => recorder.recordEarly(results),
  }, context);

  const notes = [...planned.notes, ...seen.notes];
  for (const note of notes) log.warn(note);
  notes.unshift(...reported.notes);
  const recorded = await recorder.recordRest(seen);
  log.endProgress();
  const unknown = unknownNotes(recorded.decision, isBlind(seen.results));
  for (const note of unknown.errors) log.error(note);
  for (const note of unknown.warnings) log.warn(note);
  const hints = channelsWithoutOn(listeners.channels, config.sites);
  await report(recorded, {
    seen: [...losses, ...notes, ...unknown.errors, ...unknown.warnings],
    hints,
    messages,
    carriers,
    home,
  }, context);
  if (recorded.failure !== undefined) throw recorded.failure;
  const sawNothing = isBlind(seen.results);
  if (!context.dryRun) await beat(config, { agent, isFailure: sawNothing }, context);
  if (sawNothing) return 2;
  const fails = recorded.carried.some(needsPerson) || hasUnusableChannel(problems) ||
    reported.fails;
  return fails ? 1 : 0;
};

async function beat(
  { "heartbeat-url": address }: Config,
  { agent: userAgent, isFailure }: { agent: string; isFailure: boolean },
  { secrets, log }: Context,
): Promise<void> {
  if (address === undefined) return;
  const reason = await sendHeartbeat(address, { secrets, userAgent, isFailure });
  if (reason !== undefined) log.warn(`The heartbeat could not be sent: ${reason}`);
}
