import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { runTask } from "../helpers/program.ts";
import {
  cloneRemote,
  commitFile,
  configText,
  EVERY_RUN,
  incidentsAt,
  makeRepository,
  pathsAt,
  rowsAt,
  rowsIn,
  status,
  tip,
} from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import { closedPort, httpServer } from "../helpers/servers.ts";
import { thoroughly } from "../helpers/thorough.ts";

/** Runs `update`; fails where it fails. */
async function update(folder: string): Promise<string> {
  const { code, stdout, stderr } = await runTask("update", { folder });
  assertEquals(code, 0, stdout + stderr);
  return stdout + stderr;
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
    await update(clone);
    assertEquals(await Deno.readTextFile(join(clone, ".git", "shallow")), boundary);
    assertEquals(await git(clone, "rev-list", "--count", "HEAD"), commits);
    assertEquals(await tip(clone), await tip(remote, "main"));
    assertEquals(await status(clone), "");
    assertEquals((await rowsAt(remote, "main")).length, count);
  }
});

thoroughly(
  "update in a full clone pushes one commit, and no object of the history gets lost",
  async () => {
    await using scratch = await makeScratch();
    const down = `http://127.0.0.1:${closedPort()}`;
    const remote = await makeRemote(scratch.path, { ".monitorrc.yml": configText({ A: down }) });
    const clone = await cloneRemote(remote, join(scratch.path, "clone"));
    const begin = await tip(clone);
    await update(clone);
    assertEquals(await git(clone, "rev-parse", "--is-shallow-repository"), "false");
    assertEquals(await tip(remote, "main~1"), begin);
    assertEquals(await tip(clone), await tip(remote, "main"));
    assertEquals(await status(clone), "");
    await git(clone, "fsck", "--strict");
    const [row] = await rowsAt(remote, "main");
    assertEquals([row?.slug, row?.state], ["a", "down"]);
    const [incident] = await incidentsAt(remote, "main");
    assertEquals([incident?.slug, incident?.kind, incident?.end], ["a", "down", undefined]);
    assertEquals(await git(clone, "for-each-ref", "refs/monitor", "refs/worktree"), "");
  },
);

thoroughly("update makes the first commit of a repository that has none", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  await git(scratch.path, "init", "--quiet");
  await scratch.write(".monitorrc.yml", configText({ A: site.url }, EVERY_RUN));
  for (const count of [1, 2]) {
    await update(scratch.path);
    assertEquals(await git(scratch.path, "rev-list", "--count", "main"), String(count));
    assertEquals((await rowsAt(scratch.path)).length, count);
    assertEquals(await status(scratch.path), "?? .monitorrc.yml");
  }
  assert(!(await pathsAt(scratch.path)).includes(".monitorrc.yml"));
});

thoroughly("update makes the first commit of an empty remote", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const remote = join(scratch.path, "remote.git");
  await git(scratch.path, "init", "--quiet", "--bare", remote);
  const clone = await cloneRemote(remote, join(scratch.path, "clone"));
  await scratch.write("clone/.monitorrc.yml", configText({ A: site.url }, EVERY_RUN));
  for (const count of [1, 2]) {
    await update(clone);
    assertEquals((await rowsAt(remote, "main")).length, count);
    assertEquals(await tip(clone), await tip(remote, "main"));
    assertEquals(await status(clone), "?? .monitorrc.yml");
  }
});

thoroughly(
  "update commits locally, and says so, where the remote does not have the branch",
  async () => {
    await using scratch = await makeScratch();
    await using site = httpServer(() => new Response("ok"));
    const remote = join(scratch.path, "remote.git");
    await git(scratch.path, "init", "--quiet", "--bare", remote);
    const clone = await cloneRemote(remote, join(scratch.path, "clone"));
    await commitFile(clone, ".monitorrc.yml", configText({ A: site.url }, EVERY_RUN));
    for (const count of [1, 2]) {
      const said = await update(clone);
      assertStringIncludes(
        said,
        "origin has no branch main yet, so this stays here until you push it: git push -u origin main",
      );
      assertStringIncludes(said, "History: commits on main, which origin does not have yet.");
      assertMatch(
        said,
        /Recorded in [0-9a-f]{7}: commits on main, which origin does not have yet\.$/m,
      );
      assertEquals((await rowsAt(clone)).length, count);
      assertEquals(await status(clone), "");
    }
    assertEquals(await git(remote, "for-each-ref"), "");
  },
);

Deno.test("update commits locally, and says so, where there is no remote", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const folder = await makeRepository(join(scratch.path, "repository"), {
    ".monitorrc.yml": configText({ A: site.url }, EVERY_RUN),
  });
  const said = await update(folder);
  assertStringIncludes(said, "History: commits on main, there is no remote.");
  assertMatch(said, /Recorded in [0-9a-f]{7}: commits on main/);
  assertEquals((await rowsAt(folder)).length, 1);
  assertEquals(await status(folder), "");
});

thoroughly("update outside of git writes files, and says so", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  await scratch.write(".monitorrc.yml", configText({ A: site.url }, EVERY_RUN));
  for (const count of [1, 2]) {
    const said = await update(scratch.path);
    assertStringIncludes(said, "files only, there is no git repository here");
    assertEquals((await rowsIn(scratch.path)).length, count);
  }
  assertMatch(await scratch.read("history/a.yml"), /^status: up$/m);
});

Deno.test("update in a folder that its repository ignores writes files there and commits nothing", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  await makeRepository(scratch.path, { ".gitignore": "/scratch/\n" });
  await Deno.mkdir(join(scratch.path, "scratch"));
  await scratch.write("scratch/.monitorrc.yml", configText({ A: site.url }, EVERY_RUN));
  assertStringIncludes(await update(join(scratch.path, "scratch")), "files only");
  assertMatch(await scratch.read("scratch/history/a.yml"), /^status: up$/m);
  assertEquals(await git(scratch.path, "rev-list", "--count", "HEAD"), "1");
});

thoroughly("update in a sub-folder of a repository keeps the history in that folder", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const remote = await makeRemote(scratch.path, { "readme": "" });
  const clone = await cloneRemote(remote, join(scratch.path, "clone"));
  const folder = join(clone, "mein Mönitor");
  await Deno.mkdir(folder);
  await commitFile(clone, "mein Mönitor/.monitorrc.yml", configText({ A: site.url }, EVERY_RUN));
  await git(clone, "push", "--quiet");
  for (const count of [1, 2]) {
    await update(folder);
    assertEquals((await rowsAt(remote, "main", "mein Mönitor/")).length, count);
    assertEquals(await status(clone), "");
  }
  const paths = await pathsAt(remote, "main");
  assert(paths.every((path) => path === "readme" || path.startsWith("mein Mönitor/")), `${paths}`);
});

thoroughly(
  "update pushes to a remote of another name, and to the branch that ours follows",
  async () => {
    await using scratch = await makeScratch();
    await using site = httpServer(() => new Response("ok"));
    const remote = await makeRemote(scratch.path, {
      ".monitorrc.yml": configText({ A: site.url }, EVERY_RUN),
    });
    const clone = await cloneRemote(remote, join(scratch.path, "clone"));
    await git(clone, "remote", "rename", "origin", "up/stream");
    await git(clone, "branch", "--quiet", "--move", "work/Ünï");
    assertStringIncludes(await update(clone), "commits on main at up/stream");
    assertEquals(await tip(clone), await tip(remote, "main"));
    assertEquals(await git(clone, "symbolic-ref", "HEAD"), "refs/heads/work/Ünï");
    assertEquals(await status(clone), "");
  },
);
