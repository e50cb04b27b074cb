import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { runProcess, runTask } from "../../helpers/program.ts";
import {
  cloneRemote,
  commitFile,
  configText,
  EVERY_RUN,
  makeRepository,
  pathsAt,
  remoteAndClone,
  rowsAt,
  rowsIn,
  status,
  tip,
  writeHook,
} from "../../helpers/repositories.ts";
import { git, makeRemote, makeScratch, type Scratch } from "../../helpers/scratch.ts";
import { succeed } from "../../helpers/rig.ts";
import { httpServer } from "../../helpers/servers.ts";

/** A repository with a remote and one without, each with files of their user. */
async function repositories(scratch: Scratch, url: string): Promise<string[]> {
  const files = {
    ".monitorrc.yml": configText({ A: url }, EVERY_RUN),
    "mine": "1\n",
    "staged": "1\n",
  };
  const remote = await makeRemote(scratch.path, files);
  return [
    await cloneRemote(remote, join(scratch.path, "clone")),
    await makeRepository(join(scratch.path, "alone"), files),
  ];
}

Deno.test("update in a shallow clone pushes one commit and leaves the clone as shallow as it was", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const remote = await makeRemote(scratch.path, {
    ".monitorrc.yml": configText({ A: site.url }, EVERY_RUN),
  });
  await commitFile(join(scratch.path, "seed"), "more", "");
  await git(join(scratch.path, "seed"), "push", "--quiet", "origin", "main");
  const clone = await cloneRemote(remote, join(scratch.path, "clone"), "--depth=1");
  const boundary = await Deno.readTextFile(join(clone, ".git", "shallow"));
  for (const [count, commits] of [[1, "2"], [2, "3"]] as const) {
    await succeed("update", clone);
    assertEquals(await Deno.readTextFile(join(clone, ".git", "shallow")), boundary);
    assertEquals(await git(clone, "rev-list", "--count", "HEAD"), commits);
    assertEquals(await tip(clone), await tip(remote, "main"));
    assertEquals(await status(clone), "");
    assertEquals((await rowsAt(remote, "main")).length, count);
  }
});

Deno.test("update publishes no commit of the user: it builds on the remote's, and leaves the local branch", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const { remote, folder: clone } = await remoteAndClone(
    scratch,
    configText({ A: site.url }, EVERY_RUN),
  );
  await commitFile(clone, "private", "secret\n");
  const mine = await tip(clone);
  for (const count of [1, 2]) {
    const { code, stderr } = await runTask("update", { folder: clone });
    assertEquals(code, 0, stderr);
    assertStringIncludes(
      stderr,
      "your branch main stays where it is: it has commits that origin does not have",
    );
    assertEquals([await tip(clone), await status(clone)], [mine, ""]);
    assertEquals((await rowsAt(remote, "main")).length, count);
    assert(!(await pathsAt(remote, "main")).includes("private"));
  }
});

Deno.test("update on a detached HEAD records nothing and says what to do", async () => {
  await using scratch = await makeScratch();
  // A first attempt may be made before git has answered.
  await using site = httpServer(() => new Response("ok"));
  const { remote, folder: clone } = await remoteAndClone(
    scratch,
    configText({ A: site.url }, EVERY_RUN),
  );
  await git(clone, "checkout", "--quiet", "--detach");
  const before = [await tip(remote, "main"), await git(remote, "for-each-ref"), ""];
  const { code, stdout, stderr } = await runTask("update", { folder: clone });
  assertEquals([code, stdout], [1, ""]);
  assertEquals([await tip(clone), await git(remote, "for-each-ref"), await status(clone)], before);
  assertMatch(stderr, /^error: Cannot record anything: no branch is checked out .* check one out/);
});

Deno.test("a folder that the task may not write in is refused before anything is checked", async () => {
  await using scratch = await makeScratch();
  let asked = 0;
  await using site = httpServer(() => {
    asked++;
    return new Response("ok");
  });
  const here = join(scratch.path, "here");
  const elsewhere = join(scratch.path, "elsewhere");
  const comma = join(scratch.path, "a,b");
  for (const folder of [here, elsewhere, comma, join(here, "sub")]) {
    await Deno.mkdir(folder);
    await Deno.writeTextFile(join(folder, ".monitorrc.yml"), configText({ A: site.url }));
  }
  const refused = async (folder: string, args: readonly string[], message: string) => {
    const { code, stdout, stderr } = await runProcess("update", { folder, args });
    assertEquals([code, stdout, stderr], [2, "", `error: Cannot write in ${message}\n`]);
  };
  const cure = "a task may write only in the folder it is run from; run it in that folder";
  await refused(here, ["--root", elsewhere], `${elsewhere}: ${cure}`);
  await refused(here, ["--root", "../elsewhere"], `${elsewhere}: ${cure}`);
  await refused(
    comma,
    [],
    `${comma}: a comma in the name of a folder ends a permission of Deno; rename the folder, or work in a copy`,
  );
  assertEquals(asked, 0);
  for (const [args, made] of [[["--root", "sub"], "sub/history"], [[], "history"]] as const) {
    const { code, stderr } = await runProcess("update", { folder: here, args });
    assertEquals(code, 0, stderr);
    assert((await Deno.stat(join(here, made))).isDirectory);
  }
});

Deno.test("a repository that git can't read is refused, and not treated as a plain folder", async () => {
  await using scratch = await makeScratch();
  let asked = 0;
  await using site = httpServer(() => {
    asked++;
    return new Response("ok");
  });
  const folder = await makeRepository(join(scratch.path, "work"), {
    ".monitorrc.yml": configText({ A: site.url }),
  });
  await Deno.writeTextFile(join(folder, ".git", "config"), "[core\n");
  const { code, stderr } = await runTask("update", { folder });
  assertEquals([code, asked], [1, 0]);
  assertMatch(stderr, /^error: Cannot use the repository: bad config line 1 in file .*config/);
});

Deno.test("a folder that the repository ignores keeps its history as plain files, and says why", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const top = await makeRepository(join(scratch.path, "work"), { ".gitignore": "private/\n" });
  await git(top, "checkout", "--quiet", "--detach");
  const folder = join(top, "private");
  await Deno.mkdir(folder);
  await Deno.writeTextFile(join(folder, ".monitorrc.yml"), configText({ A: site.url }));
  const before = await tip(top);
  const { code, stdout, stderr } = await runTask("update", { folder });
  assertEquals([code, stderr], [0, ""]);
  assertStringIncludes(stdout, "Recorded: files only, the repository ignores this folder.");
  assertEquals([await tip(top), await status(top), (await rowsIn(folder)).length], [before, "", 1]);
});

Deno.test("a file named history is kept, and reported as an obstacle", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const files = { ".monitorrc.yml": configText({ A: site.url }), "history": "of our town\n" };
  const remote = await makeRemote(scratch.path, files);
  const folders = [
    await cloneRemote(remote, join(scratch.path, "clone")),
    await makeRepository(join(scratch.path, "alone"), files),
  ];
  for (const folder of folders) {
    const before = await tip(folder);
    const { code, stderr } = await runTask("update", { folder });
    assertEquals(code, 1, stderr);
    assertMatch(
      stderr,
      /Cannot commit files into history\/: the branch has a file, link or submodule of that name; rename or remove it/,
    );
    assertEquals([await tip(folder), await status(folder)], [before, ""]);
    assertEquals(await Deno.readTextFile(join(folder, "history")), "of our town\n");
  }
  assertEquals(await git(remote, "show", "main:history"), "of our town");
});

Deno.test("update touches nothing that the user has edited, staged or not added", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  for (const folder of await repositories(scratch, site.url)) {
    await Deno.writeTextFile(join(folder, "mine"), "edited\n");
    await Deno.writeTextFile(join(folder, "staged"), "staged\n");
    await git(folder, "add", "staged");
    await Deno.writeTextFile(join(folder, "staged"), "staged and edited\n");
    await Deno.writeTextFile(join(folder, "new"), "new\n");
    const before = [await status(folder), await git(folder, "diff"), await git(folder, "ls-files")];
    assertEquals(before[0], " M mine\nMM staged\n?? new");
    await succeed("update", folder);
    assertEquals(await status(folder), before[0]);
    assertEquals((await rowsAt(folder)).length, 1);
    assertEquals(await git(folder, "diff"), before[1]);
    assertEquals(await git(folder, "show", ":staged"), "staged");
    assertEquals(await Deno.readTextFile(join(folder, "new")), "new\n");
    assert(!(await pathsAt(folder)).includes("new"));
    const changed = await git(folder, "diff", "--name-only", "HEAD~1", "HEAD");
    assert(changed.split("\n").every((path) => /^(?:history|api)\//.test(path)), changed);
  }
});

Deno.test("update runs no hook of the repository and signs nothing, whatever its settings ask for", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const mark = join(scratch.path, "mark");
  const hooks = [
    "pre-commit",
    "prepare-commit-msg",
    "commit-msg",
    "post-commit",
    "pre-push",
    "post-checkout",
    "post-index-change",
    "reference-transaction",
  ];
  for (const folder of await repositories(scratch, site.url)) {
    for (const hook of hooks) {
      await writeHook(join(folder, ".git"), hook, `echo ${hook} >> '${mark}'; exit 1`);
    }
    await Deno.writeTextFile(
      join(folder, "signer"),
      `#!/bin/sh\necho sign >> '${mark}'\nexit 1\n`,
      { mode: 0o755 },
    );
    const settings = {
      "commit.gpgSign": "true",
      "push.gpgSign": "true",
      "tag.gpgSign": "true",
      "gpg.program": join(folder, "signer"),
      "core.fsmonitor": join(folder, "signer"),
      "push.followTags": "true",
    };
    for (const [name, value] of Object.entries(settings)) {
      await git(folder, "config", name, value);
    }
    await succeed("update", folder);
    assertEquals((await rowsAt(folder)).length, 1);
    assert(!(await git(folder, "cat-file", "commit", "HEAD")).includes("gpgsig"));
    const marks = await Deno.readTextFile(mark).catch(() => "none");
    assertEquals(marks, "none");
  }
});
