import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { wrapGit } from "../helpers/git_wrapper.ts";
import {
  BRANCH,
  bytesOf,
  dayGraph,
  drawnOf,
  graphIn,
  graphsProcess,
  keep,
  LOCK,
  makeClone,
  makeFolder,
} from "../helpers/kept_graphs.ts";
import { cloneRemote, commitFile, pathsAt, tip, writeHook } from "../helpers/repositories.ts";
import { git, makeScratch } from "../helpers/scratch.ts";

/** The refusal of graphs, which are in the workspace all the same. */
async function refusalOf(clone: string, branch = BRANCH): Promise<string> {
  const { published, written, refused } = await keep(clone, drawnOf({ shop: 1 }), { branch });
  assertEquals([written, published], [1, false]);
  assertEquals(await graphIn(clone), bytesOf(1));
  assert(refused !== undefined);
  return refused.message;
}

Deno.test("folders of one repository each have a part of the graphs' branch, and keep that of the others", async () => {
  await using scratch = await makeScratch();
  const { remote, clone } = await makeClone(scratch);
  const folders = [clone, await makeFolder(clone, "ops [eu]"), await makeFolder(clone, "graphs")];
  for (const folder of folders) await keep(folder, drawnOf({ shop: 1, blog: 1 }));
  await keep(folders[1]!, drawnOf({ shop: 2 }));
  assertEquals(await pathsAt(remote, BRANCH), [
    dayGraph("blog"),
    `graphs/${dayGraph("blog")}`,
    `graphs/${dayGraph("shop")}`,
    dayGraph("shop"),
    `ops [eu]/${dayGraph("shop")}`,
  ]);
  assertEquals(await git(remote, "rev-list", "--count", BRANCH), "1");
});

Deno.test("graphs of sites that were not drawn stay published, except those of sites no longer configured", async () => {
  await using scratch = await makeScratch();
  const { remote, clone } = await makeClone(scratch);
  const { files } = drawnOf({ shop: 1, blog: 1, gone: 1 });
  await keep(clone, { files });
  const { files: some } = drawnOf({ shop: 2 });
  await keep(clone, { files: some });
  assertEquals((await pathsAt(remote, BRANCH)).length, 3);
  await keep(clone, { files: some, configured: new Set(["shop", "blog"]) });
  assertEquals(await pathsAt(remote, BRANCH), [dayGraph("blog"), dayGraph("shop")]);
});

Deno.test("graphs of several folders that are published at the same moment all come through", async () => {
  await using scratch = await makeScratch();
  const { remote } = await makeClone(scratch);
  const names = Array.from({ length: 8 }, (_, index) => `part${index}`);
  const folders = await Promise.all(names.map(async (name) => {
    const clone = await cloneRemote(remote, join(scratch.path, `clone-${name}`), "--depth=1");
    return await makeFolder(clone, name);
  }));
  const kept = await Promise.all(folders.map((folder) => keep(folder, drawnOf({ shop: 1 }))));
  assertEquals(kept.map(({ published }) => published), names.map(() => true));
  assertEquals(await pathsAt(remote, BRANCH), names.map((name) => `${name}/${dayGraph("shop")}`));
  assertEquals(await git(remote, "rev-list", "--count", BRANCH), "1");
});

Deno.test("graphs that others replace before the push are published on top of theirs", async () => {
  await using scratch = await makeScratch();
  const { remote, clone } = await makeClone(scratch);
  const other = await makeFolder(await cloneRemote(remote, join(scratch.path, "other")), "ops");
  await keep(other, drawnOf({ shop: 1 }));
  const theirs = await tip(remote, BRANCH);
  await keep(other, drawnOf({ shop: 2 }));
  const newer = await tip(remote, BRANCH);
  await git(remote, "update-ref", `refs/heads/${BRANCH}`, theirs);
  const wrapped = await wrapGit(scratch.path);
  await wrapped.before(
    `[ $command = push ] && [ "$(grep -c push "$calls")" = 1 ] && git -C '${remote}' update-ref refs/heads/${BRANCH} ${newer}`,
  );
  const { code, stderr } = await graphsProcess(
    { folder: clone, contents: { shop: 3 } },
    wrapped.env,
  );
  assertEquals([code, stderr], [0, ""]);
  assertEquals((await wrapped.calls()).filter((call) => call === "push").length, 2);
  assertEquals(await pathsAt(remote, BRANCH), [dayGraph("shop"), `ops/${dayGraph("shop")}`]);
  const own = await git(remote, "rev-parse", `${BRANCH}:ops`);
  assertEquals(own, await git(remote, "rev-parse", `${newer}:ops`));
});

Deno.test("a remote that refuses the branch is quoted with the cure, and the graphs stay in the workspace", async () => {
  await using scratch = await makeScratch();
  const { remote, clone } = await makeClone(scratch);
  await writeHook(remote, "pre-receive", "echo 'GH006: Protected branch' >&2; exit 1");
  assertEquals(
    await refusalOf(clone),
    "Cannot publish graphs to monitor-graphs at origin: the remote refused (pre-receive hook declined): GH006: Protected branch; let this token replace that branch there, or set graphs.branch to another name, or to same",
  );
});

Deno.test("graphs never replace the monitored branch, whichever of its names is configured", async () => {
  await using scratch = await makeScratch();
  const { remote, clone } = await makeClone(scratch);
  await git(clone, "checkout", "--quiet", "-b", "here", "--track", "origin/main");
  const before = await git(remote, "for-each-ref");
  for (const branch of ["main", "here", "Main"]) {
    const message = await refusalOf(clone, branch);
    assertStringIncludes(message, `Cannot publish graphs to ${branch}: it is the monitored branch`);
    await Deno.remove(join(clone, "graphs"), { recursive: true });
  }
  assertEquals(await git(remote, "for-each-ref"), before);
});

Deno.test("graphs never replace a branch with other people's content, and the error names the cure", async () => {
  const foreign = {
    "with a file of theirs": async (seed: string) => {
      await git(seed, "checkout", "--quiet", "--orphan", BRANCH);
      await commitFile(seed, "notes.md", "mine");
      return `holds ${LOCK}, which would be lost; set graphs.branch to another name, or to same, or delete it if nobody needs it: git push origin --delete monitor-graphs`;
    },
    "with commits of theirs": async (seed: string) => {
      await git(seed, "fetch", "--quiet", "origin", BRANCH);
      await git(seed, "checkout", "--quiet", "-b", BRANCH, "FETCH_HEAD");
      await git(seed, "commit", "--quiet", "--allow-empty", "--message", "Mine");
      return "holds commits of others, which would be lost";
    },
  };
  for (const [name, make] of Object.entries(foreign)) {
    await using scratch = await makeScratch();
    const { remote, clone } = await makeClone(scratch);
    if (name === "with commits of theirs") await keep(clone, drawnOf({ shop: 2 }));
    const expected = await make(join(scratch.path, "seed"));
    await git(join(scratch.path, "seed"), "push", "--quiet", "origin", BRANCH);
    const before = await tip(remote, BRANCH);
    const shallow = await cloneRemote(
      remote,
      join(scratch.path, "shallow"),
      "--depth=1",
      "--no-single-branch",
    );
    assertStringIncludes(await refusalOf(shallow), expected, name);
    assertEquals(await tip(remote, BRANCH), before);
  }
});

Deno.test("a remote without a branch is not given that of the graphs for its main one", async () => {
  await using scratch = await makeScratch();
  const remote = join(scratch.path, "remote.git");
  await git(scratch.path, "init", "--quiet", "--bare", remote);
  await cloneRemote(remote, join(scratch.path, "clone"));
  const clone = await makeFolder(scratch.path, "clone");
  assertStringIncludes(await refusalOf(clone), "push yours first: git push -u origin ");
  assertEquals(await git(remote, "for-each-ref"), "");
});
