/**
 * Writes the contents of the template repository: `template.ts [FOLDER]`, by default into `dist/template`. Writes
 * the example of Setup CI as well.
 */
import { loadLanguage } from "../lib/text/languages.ts";
import { join, resolve } from "node:path";
import { parseConfig } from "../lib/config/parse.ts";
import { CONFIG_FILES } from "../lib/config/load.ts";
import { WORKFLOW_FOLDER, workflowPath, WORKFLOWS } from "../lib/config/workflows.ts";
import { folderWorkspace } from "../lib/io/workspace.ts";
import { toPageSettings } from "../lib/page/settings.ts";
import { ATTRIBUTES_PATH, withGitAttributes } from "../lib/setup/first_files.ts";
import { NEW_README } from "../lib/setup/readme.ts";
import { actionReference } from "../lib/setup/workflow_settings.ts";
import { exampleConfig } from "../templates/first_config.ts";
import { newReadme } from "../templates/markdown/new_readme.ts";
import { renderWorkflowFiles } from "../templates/workflows/mod.ts";

const PROJECT = join(import.meta.dirname!, "..");

/**
 * The files of the template repository by path, as `init` writes them. The workflows are complete, because a
 * job's token can't write any, and nothing is checked until somebody edits the configuration.
 */
export async function templateFiles(): Promise<Map<string, string>> {
  const file = CONFIG_FILES[0];
  const text = exampleConfig();
  const { config } = await parseConfig(text);
  if (config === undefined) throw new Error("The example configuration is wrong");
  const action = actionReference({}, {});
  const workflows = Object.values(WORKFLOWS);
  const settings = await toPageSettings(config, {});
  return new Map([
    [file, text],
    [NEW_README, newReadme({ config, file, settings, workflows, isTemplate: true })],
    [ATTRIBUTES_PATH, withGitAttributes()],
    ...renderWorkflowFiles({
      ...{ config, action, configFile: file, folders: [], shards: 1 },
      language: await loadLanguage(config),
    }),
  ]);
}

/** The workflow that makes the others in any repository, given a token that may write them. */
export const SETUP_EXAMPLE = join(PROJECT, "templates", "examples", "setup.yml");

/** Writes the files into a folder, and removes workflows that the template has no more. */
export async function writeTemplate(folder: string): Promise<void> {
  const workspace = folderWorkspace(folder);
  const files = await templateFiles();
  for (const name of await workspace.list(WORKFLOW_FOLDER)) {
    const path = `${WORKFLOW_FOLDER}/${name}`;
    if (!files.has(path)) await workspace.remove(path);
  }
  for (const [path, text] of files) await workspace.write(path, text);
}

if (import.meta.main) {
  const [given] = Deno.args;
  const folder = given === undefined
    ? join(PROJECT, "dist", "template")
    : resolve(Deno.env.get("INIT_CWD") ?? ".", given);
  await writeTemplate(folder);
  const setup = (await templateFiles()).get(workflowPath("setup"))!;
  await Deno.writeTextFile(SETUP_EXAMPLE, setup);
  Deno.stdout.writeSync(new TextEncoder().encode(`Wrote the template into ${folder}\n`));
}
