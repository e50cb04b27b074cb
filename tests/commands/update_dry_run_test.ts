import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { wrapGit } from "../helpers/git_wrapper.ts";
import { runProcess, runTask } from "../helpers/program.ts";
import {
  cloneRemote,
  commitFile,
  configText,
  EVERY_RUN,
  makeRepository,
} from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { thoroughly } from "../helpers/thorough.ts";

/** Every file of a folder with its text, but for the objects of git: those nobody sees. */
async function contents(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory && name !== "objects") Object.assign(found, await contents(path));
    else if (!isDirectory) {
      found[path] = new TextDecoder("latin1").decode(await Deno.readFile(path));
    }
  }
  return found;
}

async function dryRun(folder: string): Promise<string> {
  const before = await contents(folder);
  const { code, stdout, stderr } = await runTask("update", { folder, args: ["--dry-run"] });
  assertEquals([code, stderr], [0, ""], stdout);
  assertEquals(await contents(folder), before);
  return stdout;
}

Deno.test("--dry-run decides from the newest state of the remote and moves neither ref nor file, in full and shallow clones", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const config = configText({ A: site.url }, EVERY_RUN);
  const remote = await makeRemote(scratch.path, { ".monitorrc.yml": config });
  const other = await cloneRemote(remote, join(scratch.path, "other"));
  const clones = [
    await cloneRemote(remote, join(scratch.path, "clone")),
    await cloneRemote(remote, join(scratch.path, "shallow"), "--depth=1"),
  ];
  assertEquals((await runTask("update", { folder: other })).code, 0);
  const record = await git(remote, "show", "main:history/a.yml");
  const start = /^startTime: .*$/m.exec(record)![0];
  for (const clone of clones) {
    for (let run = 0; run < 2; run++) assertStringIncludes(await dryRun(clone), start);
  }
});

thoroughly(
  "--dry-run works where the remote has no branch, and where there is no remote",
  async () => {
    await using scratch = await makeScratch();
    await using site = httpServer(() => new Response("ok"));
    const config = { ".monitorrc.yml": configText({ A: site.url }) };
    const remote = await makeRemote(scratch.path, config);
    const clone = await cloneRemote(remote, join(scratch.path, "clone"));
    await git(clone, "checkout", "--quiet", "-b", "other");
    for (const folder of [clone, await makeRepository(join(scratch.path, "alone"), config)]) {
      assertStringIncludes(await dryRun(folder), "--- history/a.yml\n");
    }
  },
);

thoroughly("--dry-run leaves to the next run what a killed one left half done", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const folder = await makeRepository(join(scratch.path, "alone"), {
    ".monitorrc.yml": configText({ A: site.url }),
  });
  const wrapper = await wrapGit(scratch.path);
  await wrapper.before('if [ "$command" = checkout-index ]; then kill -9 0; fi');
  const { env } = wrapper;
  await runProcess("update", { folder, env });
  assert((await git(folder, "for-each-ref", "--format=%(refname)")).includes("monitor"));
  await dryRun(folder);
  const { code, stderr } = await runTask("update", { folder });
  assertEquals([code, stderr, await git(folder, "status", "--porcelain")], [0, "", ""]);
});

thoroughly("--dry-run of a remote that can't be reached says what it goes on from", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const remote = await makeRemote(scratch.path, { "readme": "" });
  const clone = await cloneRemote(remote, join(scratch.path, "clone"));
  await commitFile(clone, ".monitorrc.yml", configText({ A: site.url }));
  await git(clone, "remote", "set-url", "origin", join(scratch.path, "gone.git"));
  const { code, stderr } = await runTask("update", { folder: clone, args: ["--dry-run"] });
  assertEquals(code, 0);
  assertStringIncludes(stderr, "going on from what is known here");
});
