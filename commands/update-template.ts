import { UsageError } from "../lib/text/arguments.ts";
import type { Config } from "../lib/config/config.ts";
import { WORKFLOW_SETTING_NAMES } from "../lib/config/keys/workflow_keys.ts";
import { loadConfig } from "../lib/config/load.ts";
import type { Command, Context } from "./shared/context.ts";
import { randomName } from "../lib/io/clock.ts";
import { readRepositoryInfo } from "../lib/git/repository.ts";
import { publishJobReport } from "./shared/job_report.ts";
import { folderWorkspace } from "../lib/io/workspace.ts";
import { openStore } from "../lib/history/store/open_store.ts";
import type { Published, Snapshot } from "../lib/history/store/store.ts";
import {
  isWritten,
  lacksWorkflowScope,
  needlessWorkflows,
  type PlannedWorkflow,
  planWorkflows,
} from "../lib/setup/workflow_files.ts";
import { madeWorkflows, newestAction } from "./shared/workflows.ts";
import { commitAuthor, WORKFLOWS_MESSAGE } from "../templates/commit_message.ts";
import {
  workflowsJson,
  workflowsSummary,
  workflowsText,
  workflowsWarnings,
} from "../templates/terminal/workflows.ts";

/** Brings the workflows up to date with the configuration and the newest version of the action. */
export const updateTemplate: Command = async (context) => {
  const { root, log, dryRun, json } = context;
  const workspace = folderWorkspace(root);
  const { config, problems, file } = await loadConfig(workspace, context);
  for (const problem of problems) log.problem(problem, file);
  const isIllegible = problems.some(({ severity, path: [key] }) =>
    severity === "error" && WORKFLOW_SETTING_NAMES.includes(String(key))
  );
  if (config === undefined || isIllegible) {
    log.error("Cannot make workflows: not all that the configuration says of them can be read");
    return 2;
  }
  const { prefix } = await readRepositoryInfo(root);
  if (prefix !== "") {
    throw new UsageError(
      `Cannot make workflows: they stand at the top of a repository, and this is its folder ${prefix}`,
    );
  }
  const action = await newestAction(config, context);
  const text = await workspace.read(file) ?? "";
  const made = await madeWorkflows({ config, file, text }, action);
  const report = { config, action, dryRun, ...await write(made, { config, file }, context) };
  for (const warning of workflowsWarnings(report)) log.warn(warning);
  log.line(workflowsText(report));
  if (json) log.data(workflowsJson(report));
  await publishJobReport({ outputs: {}, summary: workflowsSummary(report) }, context);
  return 0;
};

interface Written {
  plan: readonly PlannedWorkflow[];
  /** Paths of workflows that are there and no longer needed. */
  needless: readonly string[];
  /** Absent if nothing may be written. */
  published?: Published;
}

/** @throws {Error} If they could not be pushed, except for a missing permission to write workflows. */
async function write(
  made: ReadonlyMap<string, string>,
  { config, file }: { config: Config; file: string },
  { root, clock, log, dryRun, options }: Context,
): Promise<Written> {
  const store = await openStore(root, {
    workspace: folderWorkspace(root),
    lock: file,
    clock,
    warn: (text) => log.warn(text),
    readOnly: dryRun,
  });
  const look = async (snapshot: Snapshot) => ({
    plan: planWorkflows(made, await snapshot.read([...made.keys()]), {
      force: options.has("force"),
    }),
    needless: await needlessWorkflows(snapshot),
  });
  if (dryRun) return await look(await store.read());
  let seen: Omit<Written, "published"> = { plan: [], needless: [] };
  const published = await store.publish(async (snapshot) => {
    seen = await look(snapshot);
    const files = new Map(seen.plan.filter(isWritten).map(({ path, text }) => [path, text]));
    if (files.size === 0 || !snapshot.capabilities.commits) return undefined;
    const message = WORKFLOWS_MESSAGE;
    return { run: randomName(), time: clock.now(), files, message, author: commitAuthor(config) };
  });
  const { refused } = published;
  if (refused !== undefined && !lacksWorkflowScope(refused.message)) throw refused;
  return { ...seen, published };
}
