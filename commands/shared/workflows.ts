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
  const [folders, { shards }] = await Promise.all([
    findFoldersOfChecks(text),
    planShards(config, files),
  ]);
  return renderWorkflowFiles({ config, action, configFile: file, folders, shards });
}

interface Source {
  config: Config;
  file: string;
  text: string;
}

/**
 * Plans the workflows of a configuration.
 *
 * @throws {UsageError} If one is too long for GitHub.
 */
export async function planWorkflowUpdate(
  source: Source,
  action: string,
  files: HistoryFiles,
  { force }: { force: boolean },
): Promise<PlannedWorkflow[]> {
  const made = await madeWorkflows(source, action, files);
  const tooLong = findTooLong(made);
  if (tooLong !== undefined) throw new UsageError(tooLong);
  return await planAllWorkflows(made, files, { force });
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
