import type { Config } from "../lib/config/config.ts";
import {
  AddressError,
  type FirstSite,
  firstSite,
  problemOfLast,
  withDistinctNames,
} from "../lib/config/first_site.ts";
import { configFiles, loadConfig } from "../lib/config/load.ts";
import { parseConfig, type ParsedConfig } from "../lib/config/parse.ts";
import { WORKFLOWS } from "../lib/config/workflows.ts";
import { readRepositoryInfo } from "../lib/git/repository.ts";
import { countUpptimeRecords } from "../lib/history/upptime_history.ts";
import { folderWorkspace, type Workspace } from "../lib/io/workspace.ts";
import { type FirstFile, type FirstTexts, planFirstFiles } from "../lib/setup/first_files.ts";
import { toMarkers } from "../lib/setup/readme_markers.ts";
import { actionReference } from "../lib/setup/workflow_settings.ts";
import { UsageError } from "../lib/text/arguments.ts";
import { plainText } from "../lib/text/plain_text.ts";
import { newReadme } from "../templates/markdown/new_readme.ts";
import { firstConfig } from "../templates/first_config.ts";
import { firstSteps } from "../templates/terminal/first_steps.ts";
import { plannedFiles } from "../templates/terminal/lines.ts";
import type { Command, Context } from "./shared/context.ts";
import { readmeWorld } from "./shared/readme_world.ts";
import { madeWorkflows } from "./shared/workflows.ts";

/** Writes all that a new repository needs, and never over anything that is there. */
export const init: Command = async (context) => {
  const { root, log, dryRun, json } = context;
  const workspace = folderWorkspace(root);
  const begun = await begin(workspace, context);
  if (begun === undefined) return 2;
  const { file, text, isNew, sites, loaded: { config } } = begun;
  const isUnusual = context.config !== undefined;
  const beside = isUnusual || config === undefined
    ? []
    : await planFirstFiles(workspace, await textsBeside(begun, config, context));
  const files: FirstFile[] = [
    { path: file, fate: isNew ? "new" : "kept", content: text },
    ...beside,
  ];
  const changed = files.filter(({ fate }) => fate !== "kept");
  if (dryRun) {
    log.line(
      changed.length === 0
        ? "Nothing is missing."
        : plannedFiles(new Map(changed.map(({ path, content }) => [path, content]))),
    );
  } else {
    for (const { path, fate, content } of changed) {
      if (fate === "added to") await workspace.write(path, content);
      else if (!await workspace.create(path, content)) throw alreadyThere(path);
    }
  }
  const told = files.map(({ path, fate }) => ({ path, fate }));
  if (json) log.data({ file, written: isNew && !dryRun, sites, text, files: told });
  else if (!dryRun) {
    const upptimeRecords = await countUpptimeRecords(workspace);
    const site = config?.sites[0]?.name;
    log.line(firstSteps({ config: file, isUnusual, site, upptimeRecords, files }));
  }
  return 0;
};

/** A configuration that is there, or is about to be. */
interface Begun {
  file: string;
  text: string;
  isNew: boolean;
  /** Sites to monitor; none if the configuration existed. */
  sites: FirstSite[];
  loaded: ParsedConfig;
}

/** The existing or new configuration; `undefined` if the existing one is unusable. */
async function begin(workspace: Workspace, context: Context): Promise<Begun | undefined> {
  const { root, log } = context;
  const urls = context.options.texts("url");
  const names = configFiles(root, context.config);
  const [usual] = names;
  for (const file of names) {
    if (!await workspace.has(file)) continue;
    const text = context.config === undefined ? await fileText(workspace, file) : undefined;
    if (text === undefined) throw alreadyThere(file);
    const loaded = await loadConfig(workspace, { ...context, config: undefined });
    for (const problem of loaded.problems) log.problem(problem, file);
    if (loaded.config === undefined) return undefined;
    if (urls.length > 0) log.warn(`There is a ${file} already: --url changes nothing in it`);
    return { file, text, isNew: false, sites: [], loaded };
  }
  const sites = await firstSites(context);
  const text = firstConfig(sites);
  return { file: usual!, text, isNew: true, sites, loaded: await parseConfig(text) };
}

/** The text of a file; `undefined` if its name is taken by something else. */
async function fileText(workspace: Workspace, path: string): Promise<string | undefined> {
  try {
    return await workspace.read(path);
  } catch {
    return undefined;
  }
}

/** The files of a new repository besides the configuration. */
async function textsBeside(
  { file, text }: Begun,
  config: Config,
  context: Context,
): Promise<FirstTexts> {
  const { environment, root } = context;
  const { prefix, remoteUrl } = await readRepositoryInfo(root);
  const isAtTop = prefix === "";
  const world = await readmeWorld(config, remoteUrl, context);
  const action = actionReference(config, environment);
  const named = isAtTop ? Object.values(WORKFLOWS) : [];
  return {
    markers: toMarkers(config),
    readme: newReadme({ ...world, file, workflows: named }),
    workflows: isAtTop ? await madeWorkflows({ config, file, text }, action) : new Map(),
  };
}

function alreadyThere(name: string): UsageError {
  return new UsageError(`Cannot begin anew: there is a ${name} already, and it stays as it is`);
}

const EXAMPLE = "init --url https://example.com";

/** Reads the first sites from `--url`, or asks for them at the terminal. */
function firstSites(context: Context): Promise<FirstSite[]> {
  return context.options.texts("url").length > 0 ? given(context) : asked(context);
}

async function given({ options }: Context): Promise<FirstSite[]> {
  const urls = options.texts("url");
  const sites = withDistinctNames(urls.map((address) => {
    const { site, problem } = tryAddress(address);
    if (site === undefined) throw new UsageError(problem);
    return site;
  }));
  for (const index of sites.keys()) {
    const problem = await problemOfLast(sites.slice(0, index + 1));
    if (problem !== undefined) throw new UsageError(`Cannot monitor ${urls[index]}: ${problem}`);
  }
  return sites;
}

/** Asks for addresses and names until an answer is empty. */
async function asked({ environment, ask, log, json }: Context): Promise<FirstSite[]> {
  if (!environment.interactive || json) {
    const why = json ? "the answer is to be JSON" : "there is no terminal";
    throw new UsageError(`Cannot ask what to monitor, ${why}: say it as in ${EXAMPLE}`);
  }
  const sites: FirstSite[] = [];
  while (true) {
    const question = sites.length === 0
      ? "What shall be monitored? An address such as https://example.com:"
      : "And what else? (enter: that is all)";
    const address = ask(question);
    if (address === undefined) break;
    const { site, problem } = tryAddress(address);
    if (site === undefined) {
      log.line(problem);
      continue;
    }
    const { name } = withDistinctNames([...sites, site]).at(-1)!;
    const called = { ...site, name: plainText(ask("What is it called?", name) ?? name) };
    const wrong = await problemOfLast([...sites, called]);
    if (wrong === undefined) sites.push(called);
    else log.line(`Cannot monitor that: ${wrong}`);
  }
  if (sites.length === 0) throw new UsageError("Nothing was written: there is nothing to monitor");
  return sites;
}

function tryAddress(
  address: string,
): { site: FirstSite; problem?: undefined } | { site?: undefined; problem: string } {
  try {
    return { site: firstSite(address) };
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    return { problem: error.message };
  }
}
