import { warmUp } from "../lib/checks/warm_up.ts";
import type { Config } from "../lib/config/config.ts";
import { loadConfig } from "../lib/config/load.ts";
import type { Command, Context } from "../lib/context.ts";
import { writeJobReport } from "../lib/doors/job.ts";
import { folderWorkspace } from "../lib/doors/workspace.ts";
import type { Problem } from "../lib/config/problem.ts";
import { decide, type Decision, type Outcome, type Run } from "../lib/history/decide.ts";
import { INCIDENTS_FOLDER } from "../lib/history/incident.ts";
import { openStore } from "../lib/history/open_store.ts";
import { type HistoryState, loadState } from "../lib/history/state.ts";
import type { Published, Store } from "../lib/history/store.ts";
import type { State } from "../lib/state.ts";
import { checkSites } from "../lib/verdict/check_sites.ts";
import type { CheckResult } from "../lib/verdict/judge.ts";
import { changeLine, nameWidth, verdictLine } from "../templates/check_lines.ts";
import { commitAuthor, commitMessage } from "../templates/commit_message.ts";
import { jobSummary } from "../templates/job_summary.ts";
import { outcomeJson } from "../templates/outcome_json.ts";
import { countSites, countStates } from "../templates/words.ts";

/** Checks every site, records the results, and opens and closes incidents. */
export const update: Command = async (context) => {
  const { root, clock, log } = context;
  const workspace = folderWorkspace(root);
  const { config, problems, file } = await loadConfig(workspace, root, context.config);
  for (const problem of problems) log.problem(problem, file);
  if (config === undefined || config.sites.length === 0) return usable(problems) ? 0 : 2;

  const warn = (text: string) => log.warn(text);
  const store = await openStore(root, { workspace, lock: file, clock, warn });
  const run: Run = { id: crypto.randomUUID().slice(0, 8), time: clock.now() };
  const state = await loadState(await store.read(), config.sites, run.time);
  for (const path of state.unreadable) log.warn(`${path} can't be read and is written anew`);

  log.group(opening(config, store, context));
  const results = await check(config, state, context);
  log.endGroup();

  const recorded = context.dryRun
    ? { decision: decide(state, results, run) }
    : await record({ config, store, run, results }, context);
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
  let done = 0;
  await warmUp(config.sites.map(({ url }) => url));
  log.progress(`0 of ${config.sites.length}`);
  return await checkSites(config, {
    clock,
    secrets,
    root,
    knownDown: ({ slug }) => state.records.get(slug)?.status === "down",
    onVerdict: (result) => {
      log.line(verdictLine(result, width));
      log.progress(`${++done} of ${config.sites.length}`);
    },
  });
}

/** What came of recording a run. */
interface Recorded {
  decision: Decision;
  /** Absent where nothing was to be recorded, or could be. */
  published?: Published;
  /** Why it could not be recorded. */
  failure?: unknown;
}

interface Work {
  config: Config;
  store: Store;
  run: Run;
  results: readonly CheckResult[];
}

async function record(
  { config, store, run, results }: Work,
  { secrets }: Context,
): Promise<Recorded> {
  let decision: Decision | undefined;
  try {
    const published = await store.publish(async (snapshot) => {
      const decided = decide(await loadState(snapshot, config.sites, run.time), results, run);
      decision = decided;
      const message = secrets.redact(commitMessage(decided.outcomes, config));
      return {
        run: run.id,
        time: run.time,
        files: decided.files,
        message,
        author: commitAuthor(config),
      };
    });
    return { decision: decision!, published };
  } catch (failure) {
    if (decision === undefined) throw failure;
    return { decision, failure };
  }
}

async function report(
  { decision, published }: Recorded,
  store: Store,
  context: Context,
): Promise<void> {
  const { log, json, dryRun, environment, root } = context;
  const { outcomes, files } = decision;
  for (const line of outcomes.flatMap((outcome) => changeLine(outcome) ?? [])) log.line(line);
  for (const note of published?.notes ?? []) log.warn(note);
  const states = countStates(outcomes.map(({ result }) => result.state));
  if (dryRun) {
    log.line(`${states}. Nothing was written; a run would write:`);
    for (const [path, text] of files) log.line(`\n--- ${path}\n${text.trimEnd()}`);
  } else if (published !== undefined) {
    log.line(
      `${states}. Recorded${
        published.commit === undefined ? "" : ` in ${published.commit.slice(0, 7)}`
      }: ${store.place}.`,
    );
  }
  if (json) {
    log.data({
      outcomes: outcomes.map(outcomeJson),
      files: [...files.keys()],
      commit: published?.commit ?? null,
    });
  }
  if (environment.onPlatform && !dryRun) {
    await writeJobReport(root, {
      outputs: jobOutputs(outcomes),
      summary: jobSummary(outcomes, published?.notes ?? []),
    });
  }
}

function jobOutputs(outcomes: readonly Outcome[]): Record<string, string> {
  const slugs = (state: State) =>
    outcomes.filter(({ result }) => result.state === state).map(({ result }) => result.site.slug);
  return {
    down: JSON.stringify(slugs("down")),
    degraded: JSON.stringify(slugs("degraded")),
    changed: String(outcomes.some(({ change }) => change !== undefined)),
  };
}
