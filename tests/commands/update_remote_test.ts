import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { type ProgramResult, runTask } from "../helpers/program.ts";
import {
  cloneRemote,
  commitFile,
  configText,
  EVERY_RUN,
  makeRepository,
  pathsAt,
  rowsAt,
  rowsIn,
  status,
  tip,
  writeHook,
} from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch, type Scratch } from "../helpers/scratch.ts";
import { closedPort, httpServer } from "../helpers/servers.ts";
import { thoroughly } from "../helpers/thorough.ts";

function update(folder: string, env?: Record<string, string>): Promise<ProgramResult> {
  return runTask("update", { folder, env });
}

async function remoteAndClone(scratch: Scratch, url: string): Promise<[string, string]> {
  const remote = await makeRemote(scratch.path, {
    ".monitorrc.yml": configText({ A: url }, EVERY_RUN),
  });
  return [remote, await cloneRemote(remote, join(scratch.path, "clone"))];
}

Deno.test("update publishes no commit of the user: it builds on the remote's, and leaves the local branch", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const [remote, clone] = await remoteAndClone(scratch, site.url);
  await commitFile(clone, "private", "secret\n");
  const mine = await tip(clone);
  for (const count of [1, 2]) {
    const { code, stderr } = await update(clone);
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

thoroughly("update brings a branch along that is behind the remote", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const [remote, clone] = await remoteAndClone(scratch, site.url);
  const other = await cloneRemote(remote, join(scratch.path, "other"));
  await commitFile(other, "theirs", "1\n");
  await commitFile(other, ".monitorrc.yml", configText({ A: site.url }, `${EVERY_RUN}owner: me\n`));
  await git(other, "push", "--quiet");
  await update(other);
  await Deno.writeTextFile(join(clone, "mine"), "mine\n");
  await Deno.utime(join(clone, ".monitorrc.yml"), 0, 0);
  const { code, stderr } = await update(clone);
  assertEquals([code, stderr], [0, ""]);
  assertEquals(await tip(clone), await tip(remote, "main"));
  assertEquals(await Deno.readTextFile(join(clone, "theirs")), "1\n");
  assertEquals(await status(clone), "?? mine");
  assertEquals((await rowsAt(clone)).length, 2);
});

thoroughly(
  "update leaves a branch behind where the user's edits are in the way of the remote's",
  async () => {
    await using scratch = await makeScratch();
    await using site = httpServer(() => new Response("ok"));
    const [remote, clone] = await remoteAndClone(scratch, site.url);
    const other = await cloneRemote(remote, join(scratch.path, "other"));
    await commitFile(other, "shared", "theirs\n");
    await git(other, "push", "--quiet");
    const before = await tip(clone);
    await Deno.writeTextFile(join(clone, "shared"), "mine\n");
    const { code, stderr } = await update(clone);
    assertEquals(code, 0, stderr);
    assertStringIncludes(
      stderr,
      "main stays where it is: Untracked working tree file 'shared' would be overwritten",
    );
    assertEquals([await tip(clone), await status(clone)], [before, "?? shared"]);
    assertEquals(await Deno.readTextFile(join(clone, "shared")), "mine\n");
    assertEquals((await rowsAt(remote, "main")).length, 1);
  },
);

Deno.test("update on a detached HEAD checks nothing and says what to do", async () => {
  await using scratch = await makeScratch();
  let requests = 0;
  await using site = httpServer(() => new Response(`${requests++}`));
  const [, clone] = await remoteAndClone(scratch, site.url);
  await git(clone, "checkout", "--quiet", "--detach");
  const { code, stdout, stderr } = await update(clone);
  assertEquals([code, stdout, requests], [1, "", 0]);
  assertMatch(stderr, /^error: Cannot record anything: no branch is checked out .* check one out/);
});

thoroughly(
  "where the remote can't be reached, update says in every way that nothing was recorded, and leaves the clone as it was",
  async () => {
    await using scratch = await makeScratch();
    await using site = httpServer(() => new Response("ok"));
    const [remote] = await remoteAndClone(scratch, site.url);
    const urls = [join(scratch.path, "gone.git"), `http://127.0.0.1:${closedPort()}/remote.git`];
    const why = "The results were not recorded: Cannot fetch from origin: ";
    await Promise.all(urls.map(async (url, index) => {
      const clone = await cloneRemote(remote, join(scratch.path, `clone ${index}`));
      await git(clone, "remote", "set-url", "origin", url);
      const before = await tip(clone);
      const args = ["--json"];
      const env = { GITHUB_ACTIONS: "true" };
      const { code, stdout, stderr } = await runTask("update", { folder: clone, args, env });
      assertEquals(code, 1);
      const said = stderr.trimEnd().split("\n");
      assertMatch(
        said[0]!,
        /^::warning::Cannot fetch from origin: .*; going on from what is known here$/,
      );
      assertStringIncludes(said.at(-1)!, `::error::${why}`);
      const { sites, commit, place, failure } = JSON.parse(stdout);
      assertEquals([sites[0].state, commit, place], ["up", null, null]);
      assertStringIncludes(failure, why);
      const summary = await Deno.readTextFile(join(clone, ".git", "monitor", "summary.md"));
      assertMatch(summary, /^- The results were not recorded: Cannot fetch from origin: .+$/m);
      assertEquals([await tip(clone), await status(clone)], [before, ""]);
    }));
  },
);

thoroughly(
  "update fails at once where the remote refuses, and shows what the remote says",
  async () => {
    await using scratch = await makeScratch();
    await using site = httpServer(() => new Response("ok"));
    const [remote, clone] = await remoteAndClone(scratch, site.url);
    const pushes = join(scratch.path, "pushes");
    const words = "error: GH006: Protected branch update failed for refs/heads/main.";
    await writeHook(remote, "pre-receive", `echo push >> '${pushes}'; echo '${words}' >&2; exit 1`);
    const before = await tip(clone);
    const { code, stderr } = await update(clone);
    assertEquals(code, 1, stderr);
    assertMatch(
      stderr,
      /^error: The results were not recorded: Cannot push to main at origin: the remote refused .*pre-receive/m,
    );
    assertStringIncludes(stderr, "GH006: Protected branch update failed for refs/heads/main.");
    // Both at once, then the branch alone.
    assertEquals(await Deno.readTextFile(pushes), "push\n".repeat(2));
    assertEquals([await tip(clone), await tip(remote, "main")], [before, before]);
    assertEquals(await status(clone), "");
  },
);

thoroughly(
  "update fails at once where the branch of the remote is protected, and its checks wait",
  async () => {
    await using scratch = await makeScratch();
    await using site = httpServer(() => new Response("ok"));
    const [remote, clone] = await remoteAndClone(scratch, site.url);
    await writeHook(remote, "update", 'test "$1" != refs/heads/main');
    const { code, stderr } = await update(clone);
    assertEquals(code, 1, stderr);
    assertMatch(
      stderr,
      /^error: The results were not recorded: Cannot push to main at origin: the remote refused \(hook declined.*; they wait in refs\/monitor\/pending at origin$/m,
    );

    await Deno.remove(join(remote, "hooks", "update"));
    const { code: later } = await update(clone);
    assertEquals([later, (await rowsAt(remote, "main")).length], [0, 2]);
  },
);

thoroughly("update writes files and says so where git is not on the PATH", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const folder = await makeRepository(join(scratch.path, "repository"), {
    ".monitorrc.yml": configText({ A: site.url }),
  });
  for (const onGitHub of ["false", "true"]) {
    const env = { PATH: scratch.path, GITHUB_ACTIONS: onGitHub };
    const { code, stdout, stderr } = await update(folder, env);
    assertEquals(code, 0, stderr);
    assertStringIncludes(stdout + stderr, "git is not on the PATH");
  }
  assertEquals((await rowsIn(folder)).length, 2);
  assertEquals(await git(folder, "rev-list", "--count", "HEAD"), "1");
});
