import type { Config } from "../../lib/config/config.ts";
import { foldersOfChecks } from "../../lib/setup/workflows/folders_of_checks.ts";
import { workflowFiles } from "../../templates/workflows/mod.ts";

/** A configuration, and where it comes from. */
export interface WrittenConfig {
  config: Config;
  /** Name of its file. */
  file: string;
  /** What stands there. */
  text: string;
}

/** The workflows of a configuration by their paths; `action` is as `uses:` names it. */
export async function madeWorkflows(
  { config, file, text }: WrittenConfig,
  action: string,
): Promise<Map<string, string>> {
  const folders = await foldersOfChecks(text);
  return workflowFiles({ config, action, configFile: file, folders });
}
