import { cp } from "node:fs/promises";
import { join } from "node:path";
import { git } from "../scratch.ts";
import type { StepResult } from "./script.ts";

/**
 * Stands in for the deployment action of the workflows: the folder becomes the whole branch, as one more
 * commit or as the only one, and nothing happens if it is unchanged.
 */
export async function deployPages(
  inputs: Readonly<Record<string, string>>,
  workspace: string,
): Promise<StepResult> {
  const { publish_dir: source = "public", publish_branch: branch = "gh-pages" } = inputs;
  const isOrphan = inputs["force_orphan"] === "true";
  const remote = (await git(workspace, "remote", "get-url", "origin")).trim();
  const folder = await Deno.makeTempDir();
  const branches = await git(workspace, "ls-remote", "--heads", "origin", branch);
  if (branches !== "" && !isOrphan) {
    await git(folder, "clone", "--quiet", "--branch", branch, "--single-branch", remote, ".");
    await git(folder, "rm", "-r", "--quiet", "--ignore-unmatch", ".");
  } else {
    await git(folder, "init", "--quiet", "--initial-branch", branch);
    await git(folder, "remote", "add", "origin", remote);
  }
  await cp(join(workspace, source), folder, { recursive: true });
  await git(folder, "add", "--all");
  if (await git(folder, "status", "--porcelain") !== "") {
    const author = [
      "-c",
      `user.name=${inputs["user_name"]}`,
      "-c",
      `user.email=${inputs["user_email"]}`,
    ];
    await git(folder, ...author, "commit", "--quiet", "--message", "deploy");
    const force = isOrphan ? ["--force"] : [];
    await git(folder, "push", "--quiet", ...force, "origin", branch);
  }
  await Deno.remove(folder, { recursive: true });
  return { code: 0, outputs: {}, summary: "", stdout: "" };
}
