import { join } from "node:path";

/** The result of a step. */
export interface StepResult {
  code: number;
  outputs: Record<string, string>;
  summary: string;
  stdout: string;
}

/** Runs the script of a step as GitHub does: by bash that ends at the first failure, outputs and summary through files. */
export async function runScript(
  script: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<StepResult> {
  const folder = await Deno.makeTempDir();
  const files = {
    GITHUB_OUTPUT: join(folder, "output"),
    GITHUB_STEP_SUMMARY: join(folder, "summary"),
  };
  for (const file of Object.values(files)) await Deno.writeTextFile(file, "");
  const { code, stdout, stderr } = await new Deno.Command("/bin/bash", {
    args: ["--noprofile", "--norc", "-eo", "pipefail", "-c", script],
    cwd,
    clearEnv: true,
    env: { ...env, ...files, GITHUB_ACTIONS: "true" },
  }).output();
  const lines = (await Deno.readTextFile(files.GITHUB_OUTPUT)).split("\n");
  const outputs = Object.fromEntries(
    lines.filter((line) => line !== "").map((line) => line.split(/=(.*)/s).slice(0, 2)),
  );
  const summary = await Deno.readTextFile(files.GITHUB_STEP_SUMMARY);
  await Deno.remove(folder, { recursive: true });
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, outputs, summary, stdout: text(stdout) + text(stderr) };
}
