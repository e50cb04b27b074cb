import type { Config } from "../lib/config/config.ts";
import { configFiles, isExampleOnly, loadConfig } from "../lib/config/load.ts";
import { parseConfig, type ParsedConfig } from "../lib/config/parse.ts";
import { homePage } from "../lib/config/repository.ts";
import { UPPTIME_CONFIG } from "../lib/config/upptime/repository.ts";
import { IMPORT_WORKFLOW, WORKFLOWS } from "../lib/config/workflows.ts";
import {
  findRepository,
  NO_REPOSITORY,
  openRepository,
  readRepositoryInfo,
} from "../lib/git/repository.ts";
import { countUpptimeRecords } from "../lib/history/upptime_history.ts";
import { folderWorkspace, type Workspace } from "../lib/io/workspace.ts";
import { toPageSettings } from "../lib/page/settings.ts";
import { type FirstFile, type FirstTexts, planFirstFiles } from "../lib/setup/first_files.ts";
import { toMarkers } from "../lib/setup/readme_markers.ts";
import { actionReference } from "../lib/setup/workflow_settings.ts";
import { UsageError } from "../lib/text/arguments.ts";
import { newReadme } from "../templates/markdown/new_readme.ts";
import { firstConfig, type FirstSettings, isUneditedExample } from "../templates/first_config.ts";
import { firstSteps, upptimeSteps } from "../templates/terminal/first_steps.ts";
import { plannedFiles } from "../templates/terminal/lines.ts";
import { renderImportWorkflow } from "../templates/workflows/import.ts";
import { readSettings, StoppedError } from "./init/settings.ts";
import type { Command, Context } from "./shared/context.ts";
import { STOPPED } from "./shared/progress.ts";
import { madeWorkflows } from "./shared/workflows.ts";

/** Writes the files that a new repository needs. Existing ones stay, except for the unedited example of the template. */
export const init: Command = async (context) => {
  try {
    return await writeFirstFiles(context);
  } catch (error) {
    if (!(error instanceof StoppedError)) throw error;
    context.log.line("Nothing was written.");
    return STOPPED;
  }
};

async function writeFirstFiles(context: Context): Promise<number> {
  const { root, log, dryRun, json } = context;
  const workspace = folderWorkspace(root);
  const upptime = await findUpptime(workspace, context);
  if (upptime !== undefined) {
    const isNew = upptime.isAtTop && !await workspace.has(IMPORT_WORKFLOW);
    const text = renderImportWorkflow(
      actionReference({ action: context.options.text("action") }, context.environment),
    );
    if (isNew && !dryRun) await workspace.write(IMPORT_WORKFLOW, text);
    log.line(
      isNew && dryRun
        ? plannedFiles(new Map([[IMPORT_WORKFLOW, text]]))
        : upptimeSteps({ ...upptime, isNew }),
    );
    if (json) {
      log.data({ file: null, files: isNew ? [{ path: IMPORT_WORKFLOW, fate: "new" }] : [] });
    }
    return 0;
  }
  const begun = await begin(workspace, context);
  if (begun === undefined) return 2;
  const { file, text, fate, settings, loaded: { config } } = begun;
  const isUnusual = context.config !== undefined;
  const beside = isUnusual || config === undefined
    ? []
    : await planFirstFiles(workspace, await textsBeside(begun, config, context));
  const files: FirstFile[] = [{ path: file, fate, content: text }, ...beside];
  const changed = files.filter(({ fate }) => fate !== "kept");
  if (dryRun) {
    log.line(
      changed.length === 0
        ? "Nothing is missing."
        : plannedFiles(new Map(changed.map(({ path, content }) => [path, content]))),
    );
  } else {
    for (const { path, fate, content } of changed) {
      if (fate !== "new") await workspace.write(path, content);
      else if (await workspace.has(path)) throw alreadyThere(path);
      else await workspace.write(path, content);
    }
  }
  const told = files.map(({ path, fate }) => ({ path, fate }));
  const sites = settings?.sites ?? [];
  const secrets = Object.values(settings?.channel?.secrets ?? {});
  if (json) log.data({ file, written: fate !== "kept" && !dryRun, sites, text, files: told });
  else if (!dryRun) {
    const upptimeRecords = await countUpptimeRecords(workspace);
    const isExample = config === undefined || isExampleOnly(config);
    const site = isExample ? undefined : config.sites[0]?.name;
    // A repository that can't be used is no obstacle here: the commands that need it explain it.
    const needsGit = await openRepository(root).catch(() => {}) === NO_REPOSITORY;
    log.line(
      firstSteps({
        config: file,
        ...{ isUnusual, isExample, needsGit, site, secrets, upptimeRecords, files },
      }),
    );
  }
  return 0;
}

const SETTING_OPTIONS = ["url", "name", "alerts", "domain", "visibility", "action"];

/** Content of a folder that has Upptime's configuration and none of ours. */
async function findUpptime(workspace: Workspace, { root, config }: Context) {
  if (config !== undefined) return undefined;
  const [ours] = configFiles(root);
  if (await workspace.has(ours!) || !await workspace.has(UPPTIME_CONFIG)) return undefined;
  const { prefix } = await readRepositoryInfo(root);
  return { records: await countUpptimeRecords(workspace), isAtTop: prefix === "" };
}

interface Begun {
  file: string;
  text: string;
  fate: FirstFile["fate"];
  /** Absent if the configuration existed. */
  settings?: FirstSettings;
  loaded: ParsedConfig;
}

/** The existing or new configuration; `undefined` if the existing one is unusable. */
async function begin(workspace: Workspace, context: Context): Promise<Begun | undefined> {
  const { root, log } = context;
  const names = configFiles(root, context.config);
  for (const file of names) {
    if (!await workspace.has(file)) continue;
    const text = context.config === undefined ? await fileText(workspace, file) : undefined;
    if (text === undefined) throw alreadyThere(file);
    if (isUneditedExample(text)) {
      return await beginAnew(file, "added to", { passesAllSecrets: true }, context);
    }
    const loaded = await loadConfig(workspace, { ...context, config: undefined });
    for (const problem of loaded.problems) log.problem(problem, file);
    if (loaded.config === undefined) return undefined;
    const given = SETTING_OPTIONS.filter((name) => context.options.has(name));
    if (context.words.length > 0 || given.length > 0) {
      log.warn(`There is a ${file} already: addresses and options change nothing in it`);
    }
    return { file, text, fate: "kept", loaded };
  }
  return await beginAnew(names[0]!, "new", {}, context);
}

async function beginAnew(
  file: string,
  fate: FirstFile["fate"],
  fixed: Partial<FirstSettings>,
  context: Context,
): Promise<Begun> {
  const settings = { ...fixed, ...await readSettings(context) };
  const text = firstConfig(settings);
  return { file, text, fate, settings, loaded: await parseConfig(text) };
}

/** The text of a file; `undefined` if its name is taken by something else. */
async function fileText(workspace: Workspace, path: string): Promise<string | undefined> {
  try {
    return await workspace.read(path);
  } catch {
    return undefined;
  }
}

async function textsBeside(
  { file, text }: Begun,
  config: Config,
  context: Context,
): Promise<FirstTexts> {
  const { environment, root } = context;
  const { prefix, remoteUrl } = await readRepositoryInfo(root);
  const isAtTop = prefix === "";
  const settings = await toPageSettings(config, {
    repository: homePage(config, environment, remoteUrl),
  });
  const repository = await findRepository(root);
  const action = actionReference(config, environment);
  const named = isAtTop ? Object.values(WORKFLOWS) : [];
  return {
    markers: toMarkers(config),
    readme: newReadme({ config, settings, repository, file, workflows: named }),
    workflows: isAtTop ? await madeWorkflows({ config, file, text }, action) : new Map(),
  };
}

function alreadyThere(name: string): UsageError {
  return new UsageError(`Cannot begin anew: there is a ${name} already, and it stays as it is`);
}
