import { assert } from "@std/assert";
import { join } from "node:path";
import { PROJECT } from "./program.ts";
import { git } from "./scratch.ts";
import { importStream } from "./upptime_repository.ts";

const CORPUS = join(PROJECT, "..", "shared", "corpus");

/** True if real configurations and histories of other monitors are next to the project; they are not part of it. */
export const hasCorpus = await Deno.stat(CORPUS).then(() => true, () => false);

/** Real configurations of Upptime, by the names of their files. */
export async function realConfigs(): Promise<[name: string, text: string][]> {
  const folder = join(CORPUS, "configs");
  const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
  return await Promise.all(
    names.map(async (name): Promise<[string, string]> => [
      name,
      await Deno.readTextFile(join(folder, name)),
    ]),
  );
}

/** Makes a folder a repository with a real Upptime history, and `{folder}.api` with its published data. */
export async function unpackHistory(number: string, folder: string): Promise<void> {
  const packed = await Deno.open(join(CORPUS, "histories", `${number}.fast-export.gz`));
  await Deno.mkdir(folder, { recursive: true });
  await git(folder, "init", "--quiet", "--initial-branch", "master");
  await importStream(folder, packed.readable.pipeThrough(new DecompressionStream("gzip")));
  await git(folder, "reset", "--quiet", "--hard");
  await Deno.mkdir(`${folder}.api`, { recursive: true });
  const archive = join(CORPUS, "histories", `${number}.api.tar.gz`);
  const { success } = await new Deno.Command("/bin/tar", {
    args: ["xzf", archive, "-C", `${folder}.api`],
    env: { PATH: "/usr/bin:/bin" },
  }).output();
  assert(success, archive);
}
