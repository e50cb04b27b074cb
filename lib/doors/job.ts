import { resolve } from "node:path";
import { Git, NoGitError } from "./git/git.ts";
import { folderWorkspace } from "./workspace.ts";

/** What a job of the platform is handed: outputs for later steps, and a summary for people. */
export interface JobReport {
  outputs: Readonly<Record<string, string>>;
  /** Markdown. */
  summary: string;
}

/**
 * Leaves outputs and summary in the repository's `.git/monitor`, where the action's step picks them
 * up: the files the platform names lie outside of what this program may write. The action works at the
 * top of a repository; elsewhere nobody waits for them, and nothing is left.
 */
export async function writeJobReport(root: string, { outputs, summary }: JobReport): Promise<void> {
  const lines = Object.entries(outputs).map(([name, value]) => `${name}=${value}\n`);
  try {
    const path = await new Git(root).maybe(["rev-parse", "--git-path", "monitor"]);
    if (path === undefined) return;
    const folder = folderWorkspace(resolve(root, path));
    await folder.write("outputs", lines.join(""));
    await folder.write("summary.md", summary);
  } catch (error) {
    if (!(error instanceof NoGitError || error instanceof Deno.errors.NotCapable)) throw error;
  }
}
