import { loadLanguage } from "../../lib/text/languages.ts";
import type { Config } from "../../lib/config/config.ts";
import { GitHubClient, type GitHubOptions, PAGE } from "../../lib/github/client.ts";
import { GitHubError } from "../../lib/github/github.ts";
import { userAgent } from "../../lib/io/requests.ts";
import {
  type ActionKeys,
  actionReference,
  actionRepository,
  findFoldersOfChecks,
  isPinned,
} from "../../lib/setup/workflow_settings.ts";
import { estimateSeconds, readShards, resolveShards } from "../../lib/setup/shards.ts";
import { planLegs } from "../../lib/config/legs.ts";
import { workflowPath } from "../../lib/config/workflows.ts";
import { readRecords } from "../../lib/history/read_histories.ts";
import type { HistoryFiles } from "../../lib/history/store/store.ts";
import { parseConfig } from "../../lib/config/parse.ts";
import { isSameYaml } from "../../lib/config/yaml/read_yaml.ts";
import { findRunnerEdits, hasSameRunners } from "../../lib/setup/edited_runners.ts";
import { type RunnerLabels, runnerLine, setRunners } from "../../lib/setup/runner_key.ts";
import {
  findTooLong,
  planAllWorkflows,
  type PlannedWorkflow,
} from "../../lib/setup/workflow_files.ts";
import { UsageError } from "../../lib/text/arguments.ts";
import { renderWorkflowFiles } from "../../templates/workflows/mod.ts";
import type { Context } from "./context.ts";

/** Returns the action at the version that the configuration pins, else at the newest known one. */
export async function newestAction(
  config: ActionKeys,
  { environment, clock, log }: Pick<Context, "environment" | "clock" | "log">,
): Promise<string> {
  const { token, api } = environment;
  if (isPinned(config) || token === undefined) return actionReference(config, environment);
  const repository = actionRepository(config, environment);
  const warn = (text: string) => log.warn(text);
  const options = { api, repository, token, userAgent: userAgent(undefined), clock, warn };
  try {
    return actionReference(config, environment, await releaseTags(options));
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    log.detail(`The newest version of the action is not known: ${error.message}`);
    return actionReference(config, environment);
  }
}

/** Tags of the newest hundred stable releases; optional for a run, so it waits for a few seconds only. */
function releaseTags(options: GitHubOptions): Promise<string[]> {
  const client = new GitHubClient(options, { isOptional: true });
  return client.request("read the releases of the action", async ({ rest }) => {
    const { data } = await rest.repos.listReleases({ ...client.place, per_page: PAGE });
    return data.filter(({ draft, prerelease }) => !draft && !prerelease)
      .map(({ tag_name }) => tag_name);
  }, { needs: "contents: read" });
}

/**
 * Renders the workflows of a configuration by their paths; `action` is as `uses:` names it, and `files` those of the
 * repository, which the number of shards may depend on.
 */
export async function madeWorkflows(
  { config, file, text }: Source,
  action: string,
  files: HistoryFiles = NO_FILES,
): Promise<Map<string, string>> {
  const [folders, { shards }, language] = await Promise.all([
    findFoldersOfChecks(text),
    planShards(config, files),
    loadLanguage(config),
  ]);
  return renderWorkflowFiles({ config, language, action, configFile: file, folders, shards });
}

/** The plan of all workflows of a configuration, and what becomes of runners that were changed by hand in them. */
export interface WorkflowPlan {
  plan: PlannedWorkflow[];
  /** The configuration with these runners, if that is new. */
  config?: { path: string; text: string };
  /** Runners that stay, by workflow. */
  runners?: RunnerLabels;
  /** Paths of workflows that stay as they are, and the line of the configuration that would change that. */
  byHand?: { paths: readonly string[]; line: string };
}

interface Source {
  config: Config;
  file: string;
  text: string;
}

/**
 * Plans the workflows of a configuration. Those in which only `runs-on` was changed by hand are generated with that
 * runner, which moves to the configuration.
 *
 * @throws {UsageError} If one is too long for GitHub.
 */
export async function planWorkflowUpdate(
  source: Source,
  action: string,
  files: HistoryFiles,
  { force }: { force: boolean },
): Promise<WorkflowPlan> {
  const { config, file, text } = source;
  const made = await madeWorkflows(source, action, files);
  const tooLong = findTooLong(made);
  if (tooLong !== undefined) throw new UsageError(tooLong);
  const { runners, moved } = await moveRunners(
    source,
    made,
    (config) => madeWorkflows({ config, file, text }, action, files),
    files,
  );
  if (runners.size === 0) return { plan: await planAllWorkflows(made, files, { force }) };
  const paths = [...runners.keys()].map(workflowPath);
  const committed = (await files.read([file])).get(file) ?? text;
  const changed = await isSameYaml(committed, text)
    ? await extend(committed, config, runners)
    : undefined;
  if (changed === undefined) {
    const line = await runnerLine(text, runners);
    return { plan: await planAllWorkflows(made, files, { force }), byHand: { paths, line } };
  }
  return {
    plan: await planAllWorkflows(moved, files, { force, taken: paths }),
    runners,
    ...changed === committed ? {} : { config: { path: file, text: changed } },
  };
}

/** Finds the runners that workflows have by hand, as far as the configuration can express them; `moved` are its workflows. */
async function moveRunners(
  { config }: Source,
  made: ReadonlyMap<string, string>,
  make: (config: Config) => Promise<Map<string, string>>,
  files: HistoryFiles,
): Promise<{ runners: RunnerLabels; moved: ReadonlyMap<string, string> }> {
  const present = await files.read([...made.keys()]);
  let edits = await findRunnerEdits(made, present);
  for (let moved = made; edits.length > 0;) {
    const runners = new Map(edits.map(({ key, labels }) => [key, labels]));
    moved = await make({ ...config, runner: { ...config.runner, ...Object.fromEntries(runners) } });
    const isSame = await Promise.all(
      edits.map(({ path }) => hasSameRunners(moved.get(path)!, present.get(path)!)),
    );
    if (!isSame.includes(false)) return { runners, moved };
    edits = edits.filter((_, index) => isSame[index]);
  }
  return { runners: new Map(), moved: made };
}

/** The text of the configuration with runners that it lacks; `undefined` if it can't be extended. */
async function extend(
  text: string,
  config: Config,
  runners: RunnerLabels,
): Promise<string | undefined> {
  const missing = [...runners].filter(([key, labels]) =>
    labels.join("\n") !== config.runner[key].join("\n")
  );
  const changed = await setRunners(text, new Map(missing));
  if (changed === undefined || changed === text) return changed;
  const { problems } = await parseConfig(changed);
  const isWrong = problems.some(({ severity, path: [key] }) =>
    severity === "error" && key === "runner"
  );
  return isWrong ? undefined : changed;
}

/** A repository in which nothing was monitored before. */
const NO_FILES: HistoryFiles = {
  read: () => Promise.resolve(new Map()),
  list: () => Promise.resolve([]),
  listAll: () => Promise.resolve([]),
  readAll: () => Promise.resolve(new Map()),
};

/**
 * Finds the number of shards, and the seconds that a job with one is expected to take; of a configuration without
 * further jobs nothing is read.
 */
export async function planShards(
  config: Config,
  files: HistoryFiles,
): Promise<{ shards: number; seconds?: number }> {
  const { shards, sites } = config;
  if (shards !== "auto" && planLegs(config, shards) === undefined) return { shards };
  const path = workflowPath("uptime");
  const [records, present] = await Promise.all([
    readRecords(files, sites.map(({ slug }) => slug)),
    files.read([path]),
  ]);
  const seconds = estimateSeconds(config, records);
  const before = present.get(path);
  const number = shards === "auto"
    ? resolveShards(seconds, before === undefined ? undefined : readShards(before))
    : shards;
  const legs = planLegs(config, number);
  return legs === undefined
    ? { shards: 1 }
    : { shards: legs.shards, seconds: seconds / legs.shards };
}
