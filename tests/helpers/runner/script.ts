import { join } from "node:path";

/** The result of a step. */
export interface StepResult {
  code: number;
  outputs: Record<string, string>;
  summary: string;
  stdout: string;
}

/** The exit code of a script whose machine is gone, as bash gives it for SIGKILL. */
const KILLED = 137;

/**
 * Runs the script of a step as GitHub does: by bash that ends at the first failure, outputs and summary through
 * files. If `lost` is aborted, all of its processes are killed.
 */
export async function runScript(
  script: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
  lost?: AbortSignal,
): Promise<StepResult> {
  const folder = await Deno.makeTempDir();
  const files = {
    GITHUB_OUTPUT: join(folder, "output"),
    GITHUB_STEP_SUMMARY: join(folder, "summary"),
  };
  for (const file of Object.values(files)) await Deno.writeTextFile(file, "");
  const child = new Deno.Command("/bin/bash", {
    args: ["--noprofile", "--norc", "-eo", "pipefail", "-c", script],
    cwd,
    clearEnv: true,
    env: { ...env, ...files, GITHUB_ACTIONS: "true" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    // The leader of a group, which is killed as a whole.
    detached: lost !== undefined,
  }).spawn();
  const kill = () => Deno.kill(-child.pid, "SIGKILL");
  lost?.addEventListener("abort", kill);
  const { code, stdout, stderr } = await child.output();
  lost?.removeEventListener("abort", kill);
  const lines = (await Deno.readTextFile(files.GITHUB_OUTPUT)).split("\n");
  const outputs = Object.fromEntries(
    lines.filter((line) => line !== "").map((line) => line.split(/=(.*)/s).slice(0, 2)),
  );
  const summary = await Deno.readTextFile(files.GITHUB_STEP_SUMMARY);
  await Deno.remove(folder, { recursive: true });
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return {
    code: lost?.aborted ? KILLED : code,
    outputs,
    summary,
    stdout: text(stdout) + text(stderr),
  };
}
