import { isAbsolute, relative } from "node:path";
import type { Workspace } from "../doors/workspace.ts";
import { NoConfigError } from "./no_config_error.ts";
import { parseContent } from "./yaml/content.ts";
import type { ParsedConfig } from "./parse.ts";

/** The names a configuration has in a repository: ours, and the one of those who come from Upptime. */
const CONFIG_FILES = [".monitorrc.yml", ".upptimerc.yml"] as const;

/** A configuration with the name of its file, as problems show it. */
export interface LoadedConfig extends ParsedConfig {
  file: string;
}

/** Names that a configuration may have in a folder: the usual ones, or the file given. */
export function configFiles(root: string, file?: string): readonly string[] {
  if (file === undefined) return CONFIG_FILES;
  return [isAbsolute(file) ? relative(root, file) : file];
}

/** Reads the configuration of a folder where it has one; a file that is asked for must be there. */
export async function loadConfigIfAny(
  workspace: Workspace,
  root: string,
  file?: string,
): Promise<LoadedConfig | undefined> {
  try {
    return await loadConfig(workspace, root, file);
  } catch (error) {
    if (!(error instanceof NoConfigError) || file !== undefined) throw error;
    return undefined;
  }
}

/**
 * Reads the configuration of a folder, or the file given.
 *
 * @throws {NoConfigError} Where there is no such file.
 */
export async function loadConfig(
  workspace: Workspace,
  root: string,
  file?: string,
): Promise<LoadedConfig> {
  for (const name of configFiles(root, file)) {
    const content = await workspace.readBytes(name);
    if (content !== undefined) return { ...await parseContent(content), file: name };
  }
  throw new NoConfigError(
    file === undefined
      ? `Cannot find .monitorrc.yml in ${root}: begin with\n\n  sites:\n    - name: Example\n      url: https://example.com\n`
      : `Cannot find ${file}: there is no such file`,
  );
}
