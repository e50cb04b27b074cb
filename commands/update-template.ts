import { UsageError } from "../lib/text/arguments.ts";
import type { Config } from "../lib/config/config.ts";
import { WORKFLOW_SETTING_NAMES } from "../lib/config/keys/workflow_keys.ts";
import { type Command, type Context, loadReported, storeOptions } from "./shared/context.ts";
import { randomName } from "../lib/io/clock.ts";
import { readRepositoryInfo } from "../lib/git/repository.ts";
import { reachGitHub } from "./shared/reach_github.ts";
import { reportResult } from "./shared/job_report.ts";
import { folderWorkspace } from "../lib/io/workspace.ts";
import { openStore } from "../lib/history/store/open_store.ts";
import type { Published, Snapshot, Store } from "../lib/history/store/store.ts";
import { lacksWorkflowScope, listChanges, needlessWorkflows } from "../lib/setup/workflow_files.ts";
import { GitHubError } from "../lib/github/github.ts";
import { MAINTENANCE_LABEL } from "../lib/incidents/maintenance/announcement.ts";
import { MANUAL_LABEL } from "../lib/incidents/manual_incidents.ts";
import { missedSecrets } from "../lib/setup/workflow_settings.ts";
import { newestAction, planWorkflowUpdate, type WorkflowPlan } from "./shared/workflows.ts";
import { commitAuthor, WORKFLOWS_MESSAGE } from "../templates/commit_message.ts";
import { plannedFiles } from "../templates/terminal/lines.ts";
import { runnersLine, workflowsLine, workflowsWarnings } from "../templates/terminal/workflows.ts";

/** Keys that workflows are made from: with an error in one of them the workflow of a location might be removed. */
const KEYS = [...WORKFLOW_SETTING_NAMES, "locations", "shards"];

export const updateTemplate: Command = async (context) => {
  const { root, log, dryRun } = context;
  const { config, problems, file } = await loadReported(context);
  const hasErrors = problems.some(({ severity, path: [key] }) =>
    severity === "error" && KEYS.includes(String(key))
  );
  if (config === undefined || hasErrors) {
    log.error("Cannot make workflows: their keys in the configuration have errors");
    return 2;
  }
  const { prefix, remoteUrl } = await readRepositoryInfo(root);
  if (prefix !== "") {
    throw new UsageError(
      `Cannot make workflows: they have to be at the top of a repository, and this is its folder ${prefix}`,
    );
  }
  const action = await newestAction(config, context);
  const text = await folderWorkspace(root).read(file) ?? "";
  const store = await openStore(root, storeOptions(context, file, dryRun));
  const force = context.options.has("force");
  const planAt = async (snapshot: Snapshot): Promise<Planned> => ({
    ...await planWorkflowUpdate({ config, file, text }, action, snapshot, { force }),
    needless: await needlessWorkflows(snapshot),
  });
  const { planned: all, published } = await write(planAt, config, store, context);
  const { plan, runners, byHand, needless } = all;
  const warnings = [
    ...workflowsWarnings(all, needless, missedSecrets(config), published),
    ...config.announce && !dryRun ? await createLabels(config, remoteUrl, context) : [],
  ];
  for (const warning of warnings) log.warn(warning);
  const planned = listFiles(all);
  if (all.config !== undefined) log.line(runnersLine(runners!, file, published));
  const isPrinted = dryRun || published?.refused !== undefined;
  if (isPrinted && planned.size > 0) log.line(`${plannedFiles(planned)}\n`);
  const data = {
    action,
    workflows: plan.map(({ path, fate, text, difference }) => ({ path, fate, text, difference })),
    runners: Object.fromEntries(runners ?? []),
    byHand: byHand?.line ?? null,
    needless,
    commit: published?.commit ?? null,
    place: published?.place ?? null,
    refused: published?.refused?.message ?? null,
  };
  const notes = warnings.map((note) => note.split("\n")[0]!);
  await reportResult(workflowsLine(action, plan, published), data, context, { notes });
  return 0;
};

/** Labels of the issue forms, with their descriptions: GitHub leaves out those that are missing. */
const FORM_LABELS = {
  [MANUAL_LABEL]: "An incident that people report",
  [MAINTENANCE_LABEL]: "Planned maintenance",
};

/** Creates the labels of the issue forms if there is a token, and returns warnings. */
async function createLabels(
  config: Config,
  remoteUrl: string | undefined,
  context: Context,
): Promise<string[]> {
  const github = reachGitHub({ config, remoteUrl }, context);
  if (github === undefined) return [];
  try {
    for (const [name, description] of Object.entries(FORM_LABELS)) {
      await github.ensureLabel(name, description);
    }
    return [];
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    return [
      `${error.message}. The issue forms need the labels ${
        Object.keys(FORM_LABELS).join(" and ")
      }: add them in Issues > Labels`,
    ];
  }
}

interface Planned extends WorkflowPlan {
  /** Paths of workflows that are no longer needed. */
  needless: readonly string[];
}

/** The files that a plan changes, by paths; `null` removes one. */
function listFiles({ plan, config }: Planned): Map<string, string | null> {
  const files = listChanges(plan);
  return config === undefined ? files : files.set(config.path, config.text);
}

/**
 * Writes the workflows; `published` is absent on a dry run.
 *
 * @throws {Error} If they could not be pushed, except for a missing permission to write workflows.
 */
async function write(
  planAt: (snapshot: Snapshot) => Promise<Planned>,
  config: Config,
  store: Store,
  { clock, dryRun }: Context,
): Promise<{ planned: Planned; published?: Published }> {
  if (dryRun) return { planned: await planAt(await store.read()) };
  let planned: Planned = { plan: [], needless: [] };
  const published = await store.publish(async (snapshot) => {
    planned = await planAt(snapshot);
    const files = listFiles(planned);
    if (files.size === 0 || !snapshot.capabilities.commits) return undefined;
    const message = WORKFLOWS_MESSAGE;
    return { run: randomName(), time: clock.now(), files, message, author: commitAuthor(config) };
  });
  const { refused } = published;
  if (refused !== undefined && !lacksWorkflowScope(refused.message)) throw refused;
  return { planned, published };
}
