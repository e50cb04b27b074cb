import { warmUp } from "../lib/checks/warm_up.ts";
import type { Config } from "../lib/config/config.ts";
import { loadConfig } from "../lib/config/load.ts";
import type { Command, Context } from "../lib/context.ts";
import { random, randomName } from "../lib/doors/chance.ts";
import { writeJobReport } from "../lib/doors/job.ts";
import { folderWorkspace } from "../lib/doors/workspace.ts";
import type { Problem } from "../lib/config/problem.ts";
import { decide, type Run } from "../lib/history/decide.ts";
import { INCIDENTS_FOLDER } from "../lib/history/incident.ts";
import { openStore } from "../lib/history/open_store.ts";
import { type Recorded, recordRun } from "../lib/history/record_run.ts";
import { type HistoryState, loadState } from "../lib/history/state.ts";
import type { Store } from "../lib/history/store.ts";
import { checkSites } from "../lib/verdict/check_sites.ts";
import type { CheckResult } from "../lib/verdict/judge.ts";
import { changeLine, nameWidth, verdictLine, waitingFor } from "../templates/check_lines.ts";
import { commitAuthor, commitMessage } from "../templates/commit_message.ts";
import { jobSummary } from "../templates/job_summary.ts";
import { closingLine, dryRunText, jobOutputs, updateJson } from "../templates/update_report.ts";
import { countSites } from "../templates/words.ts";

/** Checks every site, records the results, and opens and closes incidents. */
export const update: Command = async (context) => {
  const { root, clock, log } = context;
  const workspace = folderWorkspace(root);
  const { config, problems, file } = await loadConfig(workspace, root, context.config);
  for (const problem of problems) log.problem(problem, file);
  if (config === undefined || config.sites.length === 0) return usable(problems) ? 0 : 2;

  const warn = (text: string) => log.warn(text);
  const store = await openStore(root, { workspace, lock: file, clock, warn });
  const run: Run = { id: randomName(), time: clock.now() };
  const state = await loadState(await store.read(), config.sites, run.time);
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
      message: (outcomes) => context.secrets.redact(commitMessage(outcomes, config)),
      author: commitAuthor(config),
    });
  log.endProgress();
  await report(recorded, store, context);
  if (recorded.failure !== undefined) throw recorded.failure;
  return 0;
};

function usable(problems: readonly Problem[]): boolean {
  return problems.every(({ severity }) => severity !== "error");
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
    random,
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

async function report(recorded: Recorded, { place }: Store, context: Context): Promise<void> {
  const { decision, published } = recorded;
  const { log, json, dryRun, environment, root } = context;
  for (const outcome of decision.outcomes) {
    const line = changeLine(outcome);
    const alarms = environment.onPlatform && outcome.result.state !== "up";
    if (line !== undefined && alarms) log.warn(line);
    else if (line !== undefined) log.line(line);
  }
  const notes = published?.notes ?? [];
  for (const note of notes) log.warn(note);
  if (dryRun) log.line(dryRunText(decision));
  if (published !== undefined) log.line(closingLine(decision, published, place));
  if (json) log.data(updateJson(decision, published));
  if (environment.onPlatform && !dryRun) {
    const summary = jobSummary(decision.outcomes, notes);
    await writeJobReport(root, { outputs: jobOutputs(decision), summary });
  }
}
