import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { type ProgramResult, runTask } from "./program.ts";
import { makeRepository } from "./repositories.ts";
import { git, makeScratch, type Scratch } from "./scratch.ts";
import { parseIncident } from "../../lib/history/incident.ts";

export interface Asked {
  config?: string;
  args?: readonly string[];
  env?: Record<string, string>;
}

/** Runs `update` in a new folder outside of git; `grown` are the files it leaves there. */
export async function update(
  { config, args = [], env = {} }: Asked,
): Promise<ProgramResult & { grown: string[] }> {
  await using scratch = await makeScratch();
  if (config !== undefined) await scratch.write(".monitorrc.yml", config);
  const result = await runTask("update", { folder: scratch.path, args, env });
  const names = (await Array.fromAsync(Deno.readDir(scratch.path))).map(({ name }) => name);
  const grown = names.filter((name) => name !== ".monitorrc.yml").sort();
  return { ...result, stderr: result.stderr.replaceAll(scratch.path, "FOLDER"), grown };
}

export async function updateOf(
  config: unknown,
  env: Record<string, string> = {},
  args: string[] = [],
) {
  await using scratch = await makeScratch();
  await scratch.write(".monitorrc.yml", JSON.stringify(config));
  const result = await runTask("update", { folder: scratch.path, env, args });
  const history = await Array.fromAsync(Deno.readDir(`${scratch.path}/history`)).catch(() => []);
  return {
    ...result,
    records: history.map(({ name }) => name).filter((name) => /yml$/.test(name)),
  };
}

export const PLATFORM = { GITHUB_ACTIONS: "true", SECRETS_CONTEXT: '{"KEY": "s3cr&t"}' };

export function repository(scratch: Scratch, config: string): Promise<string> {
  return makeRepository(join(scratch.path, "repository"), { ".monitorrc.yml": config });
}

/** Files of the work tree with their texts, and the branches; a fetch may move remote-tracking refs. */
export async function contents(folder: string) {
  const files: Record<string, string> = {};
  for await (const { name, isFile } of Deno.readDir(folder)) {
    if (isFile) files[name] = await Deno.readTextFile(join(folder, name));
  }
  const isRepository = await Deno.stat(join(folder, ".git")).then(() => true, () => false);
  if (!isRepository) return { files };
  const refs = await git(folder, "for-each-ref", "refs/heads");
  return { files, refs, status: await git(folder, "status", "--porcelain") };
}

export async function dryRun(folder: string): Promise<string> {
  const before = await contents(folder);
  const { code, stdout, stderr } = await runTask("update", { folder, args: ["--dry-run"] });
  assertEquals([code, stderr], [0, ""], stdout);
  assertEquals(await contents(folder), before);
  return stdout;
}

export interface Ran {
  stdout: string;
  /** True for each incident that has ended, by the slug of its site. */
  ended: Record<string, boolean>;
}

/** Runs in a folder, with the configuration given from now on. */
export async function run(
  folder: string,
  config: string,
  args: readonly string[] = [],
): Promise<Ran> {
  await Deno.writeTextFile(join(folder, ".monitorrc.yml"), config);
  const { code, stdout, stderr } = await runTask("update", { folder, args });
  assertEquals(code, 0, stderr);
  const ended: Ran["ended"] = {};
  const incidents = join(folder, "history", "incidents");
  for await (const { name } of Deno.readDir(incidents)) {
    const { slug, end } = parseIncident(await Deno.readTextFile(join(incidents, name)))!;
    ended[slug] = end !== undefined;
  }
  return { stdout, ended };
}
