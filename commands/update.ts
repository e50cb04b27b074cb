import { warmUp } from "../lib/checks/warm_up.ts";
import type { Config } from "../lib/config/config.ts";
import { loadConfig, type LoadedConfig } from "../lib/config/load.ts";
import type { Command, Context } from "../lib/context.ts";
import { type JobReport, writeJobReport } from "../lib/doors/job.ts";
import { folderWorkspace } from "../lib/doors/workspace.ts";
import { formatProblem, type Problem } from "../lib/config/problem.ts";
import { decide, type Run } from "../lib/history/decide.ts";
import { INCIDENTS_FOLDER } from "../lib/history/incident.ts";
import { openHistory } from "../lib/history/open_history.ts";
import { type Recorded, recordRun } from "../lib/history/record_run.ts";
import type { HistoryState } from "../lib/history/state.ts";
import type { Store } from "../lib/history/store.ts";
import { checkSites } from "../lib/verdict/check_sites.ts";
import type { CheckResult } from "../lib/verdict/judge.ts";
import { changeLine, nameWidth, verdictLine, waitingFor } from "../templates/check_lines.ts";
import { commitAuthor, commitMessage, TAKE_IN_MESSAGE } from "../templates/commit_message.ts";
import { jobSummary } from "../templates/job_summary.ts";
import {
  abandonedLine,
  closingLine,
  dryRunText,
  jobOutputs,
  updateJson,
} from "../templates/update_report.ts";
import { countSites } from "../templates/words.ts";

/** Checks every site, records the results, and opens and closes incidents. */
export const update: Command = async (context) => {
  const { root, clock, log } = context;
  const refuse = (error: unknown) => refused(error, context);
  const workspace = folderWorkspace(root);
  const loaded = await loadConfig(workspace, root, context.config).catch(refuse);
  const { config, problems, file } = loaded;
  for (const problem of problems) log.problem(problem, file);
  if (config === undefined || config.sites.length === 0) return await nothing(loaded, context);

  const run: Run = { id: crypto.randomUUID().slice(0, 8), time: clock.now() };
  // Another configuration, or a site that can't be read, may be why a site is not among these.
  const allSites = isUsable(problems) && context.config === undefined;
  const { store, state, uncommitted } = await openHistory(root, {
    workspace,
    lock: file,
    clock,
    warn: (text) => log.warn(text),
    readOnly: context.dryRun,
    run,
    sites: config.sites,
    allSites,
  }).catch(refuse);
  for (const path of state.unreadable) log.warn(`${path} can't be read and is written anew`);

  log.group(opening(config, store, context));
  const results = await check(config, state, context);
  log.endGroup();

  const recorded = context.dryRun
    ? { decision: decide(state, results, run) }
    : await recordRun(store, {
      run,
      results,
      state,
      sites: config.sites,
      allSites,
      uncommitted: { files: uncommitted, message: TAKE_IN_MESSAGE },
      message: (outcomes) => context.secrets.redact(commitMessage(outcomes, config)),
      author: commitAuthor(config),
    });
  log.endProgress();
  await report(recorded, context);
  if (recorded.failure !== undefined) throw recorded.failure;
  return 0;
};

function isUsable(problems: readonly Problem[]): boolean {
  return problems.every(({ severity }) => severity !== "error");
}

/** Ends a run that has nothing to check. */
async function nothing({ problems, file }: LoadedConfig, context: Context): Promise<number> {
  const usable = isUsable(problems);
  const told = problems.filter(({ severity }) => severity !== "notice");
  const notes = told.map((problem) => formatProblem(problem, file));
  const failure = usable ? undefined : new Error(`Cannot monitor anything: see ${file}`);
  if (context.json) context.log.data(updateJson(NOTHING, { failure }));
  await handOn({ outputs: usable ? jobOutputs([]) : {}, summary: jobSummary([], notes) }, context);
  return usable ? 0 : 2;
}

/** Ends a run that can't begin. */
async function refused(failure: unknown, context: Context): Promise<never> {
  const message = failure instanceof Error ? failure.message : String(failure);
  if (context.json) context.log.data(updateJson(NOTHING, { failure: { message } }));
  await handOn(
    { outputs: {}, summary: jobSummary([], [context.secrets.redact(message)]) },
    context,
  );
  throw failure;
}

const NOTHING = { outcomes: [], abandoned: [], files: new Map() };

async function handOn(job: JobReport, { environment, dryRun, root, log }: Context): Promise<void> {
  if (!environment.onPlatform || dryRun) return;
  const obstacle = await writeJobReport(root, job);
  if (obstacle !== undefined) {
    log.warn(`later steps get no outputs, and the job no summary: ${obstacle}`);
  }
}

function opening({ sites }: Config, { place }: Store, { environment }: Context): string {
  const token = environment.token === undefined ? " (no HOST_PAT or GITHUB_TOKEN)" : "";
  return `Checking ${
    countSites(sites.length)
  }. History: ${place}. Incidents: files in ${INCIDENTS_FOLDER}/${token}.`;
}

async function check(
  config: Config,
  state: HistoryState,
  context: Context,
): Promise<CheckResult[]> {
  const { clock, secrets, root, log } = context;
  const width = nameWidth(config.sites.map(({ name }) => name));
  const open = new Map(config.sites.map(({ slug, name }) => [slug, name]));
  const progress = () => log.progress(waitingFor([...open.values()]));
  await warmUp(config.sites.map(({ url }) => url));
  progress();
  return await checkSites(config, {
    clock,
    secrets,
    root,
    knownDown: ({ slug }) => state.records.get(slug)?.status === "down",
    onVerdict: (result) => {
      log.line(verdictLine(result, width));
      open.delete(result.site.slug);
      progress();
    },
  });
}

async function report({ decision, published, failure }: Recorded, context: Context): Promise<void> {
  const { log, json, dryRun, environment, secrets } = context;
  for (const outcome of decision.outcomes) {
    const line = changeLine(outcome);
    const alarms = environment.onPlatform && outcome.result.state !== "up";
    if (line !== undefined && alarms) log.warn(line);
    else if (line !== undefined) log.line(line);
  }
  for (const incident of decision.abandoned) log.line(abandonedLine(incident));
  const notes = published?.notes ?? [];
  for (const note of notes) log.warn(note);
  if (dryRun) log.line(dryRunText(decision));
  if (published !== undefined) log.line(closingLine(decision, published));
  if (json) log.data(updateJson(decision, { published, failure }));
  const { outcomes, abandoned } = decision;
  const told = [
    ...failure === undefined ? [] : [secrets.redact(failure.message)],
    ...abandoned.map(abandonedLine),
    ...notes,
  ];
  await handOn({ outputs: jobOutputs(outcomes), summary: jobSummary(outcomes, told) }, context);
}
