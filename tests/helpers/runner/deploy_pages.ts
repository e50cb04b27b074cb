import { join } from "node:path";
import { cleanEnvironment } from "../program.ts";
import { git } from "../scratch.ts";
import type { StepResult } from "./script.ts";

/**
 * Does what the deployment of pages does that workflows use: the folder becomes the whole branch, as one
 * more commit or as the only one, and nothing happens where it is the same.
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
  const { success, stderr } = await new Deno.Command("cp", {
    args: ["-a", `${join(workspace, source)}/.`, folder],
    clearEnv: true,
    env: cleanEnvironment(),
  }).output();
  const result = { outputs: {}, summary: "", stdout: new TextDecoder().decode(stderr) };
  if (!success) return { ...result, code: 1 };
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
  return { ...result, code: 0 };
}
