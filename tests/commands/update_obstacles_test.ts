import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { type ProgramResult, runTask } from "../helpers/program.ts";
import {
  cloneRemote,
  commitFile,
  configText,
  EVERY_RUN,
  makeRepository,
  rowsAt,
  rowsIn,
  status,
  tip,
} from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch, type Scratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";

function update(folder: string): Promise<ProgramResult> {
  return runTask("update", { folder });
}

/** A repository without a remote, and a clone of a remote. */
async function repositories(scratch: Scratch, url: string): Promise<string[]> {
  const config = { ".monitorrc.yml": configText({ A: url }, EVERY_RUN) };
  const remote = await makeRemote(scratch.path, config);
  return [
    await makeRepository(join(scratch.path, "alone"), config),
    await cloneRemote(remote, join(scratch.path, "clone")),
  ];
}

for (const put of ["history", "history/checks", "history/a.yml/x"]) {
  Deno.test(`what a user has at ${put}, in the way of our files, is left alone, and said`, async () => {
    await using scratch = await makeScratch();
    await using site = httpServer(() => new Response("ok"));
    const remote = await makeRemote(scratch.path, {
      ".monitorrc.yml": configText({ A: site.url }),
    });
    const clone = await cloneRemote(remote, join(scratch.path, "clone"));
    await Deno.mkdir(join(clone, put, ".."), { recursive: true });
    await Deno.writeTextFile(join(clone, put), "mine\n");
    const { code, stderr } = await update(clone);
    assertEquals(code, 0, stderr);
    assertStringIncludes(stderr, "your edits were left alone in history/");
    assertEquals(await Deno.readTextFile(join(clone, put)), "mine\n");
  });
}

/** Runs twice while `block` keeps the files back, and once more after `free`. */
async function blockedRuns(
  folder: string,
  block: () => Promise<unknown>,
  free: () => Promise<unknown>,
): Promise<void> {
  await block();
  for (let run = 1; run <= 2; run++) {
    const { code, stdout, stderr } = await update(folder);
    assertEquals(code, 0, stdout + stderr);
    assertStringIncludes(stderr, "warning: your files stay as they were: ");
    assertEquals((await rowsAt(folder)).length, run);
  }
  await free();
  const { code, stderr } = await update(folder);
  assertEquals([code, stderr], [0, ""]);
  assertEquals([(await rowsAt(folder)).length, await status(folder)], [3, ""]);
  assertEquals((await rowsIn(folder)).length, 3);
}

for (const filtered of ["history/**", "history/checks/**"]) {
  Deno.test(`where a filter that git must run fails for ${filtered}, the commit lands, and the files follow once it works`, async () => {
    await using scratch = await makeScratch();
    await using site = httpServer(() => new Response("ok"));
    for (const folder of await repositories(scratch, site.url)) {
      await commitFile(folder, ".gitattributes", `${filtered} filter=vault\n`);
      if (folder.endsWith("clone")) await git(folder, "push", "--quiet");
      const set = (smudge: string) => git(folder, "config", "filter.vault.smudge", smudge);
      await git(folder, "config", "filter.vault.clean", "/bin/cat");
      await git(folder, "config", "filter.vault.required", "true");
      await blockedRuns(folder, () => set("no-such-driver"), () => set("/bin/cat"));
      if (folder.endsWith("clone")) {
        assertEquals(await tip(folder), await tip(join(scratch.path, "remote.git"), "main"));
      }
    }
  });
}
