import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { runTask } from "../helpers/program.ts";
import { cloneRemote, commitFile, configText, EVERY_RUN } from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";

async function packsIn(folder: string): Promise<number> {
  const files = await Array.fromAsync(Deno.readDir(join(folder, ".git", "objects", "pack")));
  return files.filter(({ name }) => name.endsWith(".pack")).length;
}

Deno.test("a clone in which many runs were made is packed as its user has set it, with and without a remote", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const remote = await makeRemote(scratch.path, {
    ".monitorrc.yml": configText({ A: site.url }, EVERY_RUN),
  });
  for (
    const [name, limit, packs] of [["kept", "0", 3], ["packed", "1", 2], ["alone", "1", 1]] as const
  ) {
    const clone = await cloneRemote(remote, join(scratch.path, name));
    for (const file of ["one", "two"]) {
      await commitFile(clone, file, "1\n");
      await git(clone, "repack", "--quiet", "-d");
    }
    await git(clone, "config", "gc.autoPackLimit", limit);
    await git(clone, "config", "gc.autoDetach", "false");
    if (name === "alone") await git(clone, "remote", "remove", "origin");
    assertEquals(await packsIn(clone), 3);
    const { code } = await runTask("update", { folder: clone });
    // What waits beside the branch is in a pack of its own: no ref of the clone holds it yet.
    assertEquals([code, await packsIn(clone)], [0, packs], name);
    await git(clone, "fsck", "--strict");
  }
});
