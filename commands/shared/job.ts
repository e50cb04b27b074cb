import { resolve } from "node:path";
import type { Context } from "./context.ts";
import { Git, NoGitError } from "../../lib/git/git.ts";
import { folderWorkspace } from "../../lib/io/workspace.ts";

/** What a job of GitHub is handed: outputs for later steps, and a summary for people. */
export interface JobReport {
  outputs: Readonly<Record<string, string>>;
  /** Markdown. */
  summary: string;
}

/** Hands outputs and summary to the job, where there is one. */
export async function handOn(
  job: JobReport,
  { environment, dryRun, root, log }: Pick<Context, "environment" | "dryRun" | "root" | "log">,
): Promise<void> {
  if (!environment.onGitHub || dryRun) return;
  const obstacle = await writeJobReport(root, job);
  if (obstacle === undefined) return;
  log.warn(`later steps get no outputs, and the job no summary: ${obstacle}`);
}

/**
 * Leaves outputs and summary in the repository's `.git/monitor`, where the action's step picks them
 * up: the files GitHub names lie outside of what this program may write. Returns why that could
 * not be done; `undefined` where it was.
 */
async function writeJobReport(
  root: string,
  { outputs, summary }: JobReport,
): Promise<string | undefined> {
  const lines = Object.entries(outputs).map(([name, value]) => `${name}=${value}\n`);
  try {
    const place = await new Git(root).maybe([
      "rev-parse",
      "--is-inside-work-tree",
      "--git-path",
      "monitor",
    ]);
    const [inside, path] = place?.split("\n") ?? [];
    if (inside !== "true" || path === undefined) return "this is no work tree of a repository";
    const folder = folderWorkspace(resolve(root, path));
    await folder.write("outputs", lines.join(""));
    await folder.write("summary.md", summary);
  } catch (error) {
    if (error instanceof NoGitError) return "git is not on the PATH";
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
    return "the repository's own folder lies outside of the one that this program may write in";
  }
}
