import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { folderWorkspace } from "../../lib/io/workspace.ts";
import { openStore } from "../../lib/history/store/open_store.ts";
import {
  BRANCH,
  bytesOf,
  CONFIGURED,
  dayGraph,
  drawnOf,
  graphIn,
  graphsProcess,
  keep,
  LOCK,
  makeClone,
  makeFolder,
} from "../helpers/kept_graphs.ts";
import { cloneRemote, pathsAt, status, tip, writeHook } from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import { StillClock } from "../helpers/still_clock.ts";

/** The names of the blobs that the graphs' branch holds at a remote, by path. */
async function blobsAt(remote: string): Promise<string[]> {
  return (await git(remote, "ls-tree", "-r", BRANCH)).split("\n");
}

Deno.test("graphs are published as the only commit of a branch, and the user's own branch stays unchanged", async () => {
  await using scratch = await makeScratch();
  const { remote, clone } = await makeClone(scratch);
  const before = await tip(remote, "main");
  const kept = await keep(clone, drawnOf({ shop: 1, 'ünï "x"': 2 }));
  assertEquals(kept, {
    written: 2,
    removed: 0,
    published: true,
    place: "monitor-graphs at origin",
    notes: [],
  });
  assertEquals(await pathsAt(remote, BRANCH), [dayGraph("shop"), dayGraph('ünï "x"')]);
  assertEquals(
    await git(remote, "log", "--format=%an %ae %s|%P", BRANCH),
    "Jo jo@example.com Draw graphs [skip ci]|",
  );
  const workspace = folderWorkspace(clone);
  assertEquals(await workspace.readBytes(dayGraph("shop")), bytesOf(1));
  const blob = await git(clone, "hash-object", "--no-filters", dayGraph("shop"));
  assert((await blobsAt(remote))[0]!.includes(blob));
  assertEquals([await tip(remote, "main"), await tip(clone), await status(clone)], [
    before,
    before,
    "",
  ]);
});

Deno.test("graphs that are published already are not pushed again, and those that differ replace the commit", async () => {
  await using scratch = await makeScratch();
  const { remote, clone } = await makeClone(scratch);
  await keep(clone, drawnOf({ shop: 1, blog: 1 }));
  const first = await tip(remote, BRANCH);
  const again = await keep(clone, drawnOf({ shop: 1, blog: 1 }));
  assertEquals([again.written, again.published, await tip(remote, BRANCH)], [0, false, first]);
  const { written, removed, published } = await keep(clone, drawnOf({ shop: 2 }));
  assertEquals({ written, removed, published }, { written: 1, removed: 1, published: true });
  assertEquals(await git(remote, "rev-list", "--count", BRANCH), "1");
  assertEquals(await pathsAt(remote, BRANCH), [dayGraph("shop")]);
  assertEquals(await graphIn(clone, "blog"), undefined);
});

Deno.test("graphs are published from a clone of depth 1, which stays shallow", async () => {
  await using scratch = await makeScratch();
  const remote = await makeRemote(scratch.path, CONFIGURED);
  const seed = join(scratch.path, "seed");
  await git(seed, "commit", "--quiet", "--allow-empty", "--message", "Second");
  await git(seed, "push", "--quiet", "origin", "main");
  for (const published of [true, false]) {
    const clone = await cloneRemote(remote, join(scratch.path, `${published}`), "--depth=1");
    const kept = await keep(clone, drawnOf({ shop: 1 }));
    assertEquals([kept.written, kept.published], [1, published]);
    assertEquals(await git(clone, "rev-list", "--count", "HEAD"), "1");
    assertEquals(await git(clone, "rev-parse", "--is-shallow-repository"), "true");
  }
});

Deno.test("graphs are only written as files without a repository or without git", async () => {
  await using scratch = await makeScratch();
  const places = new Map<string, string>();
  for (const [name, branch] of [["apart", BRANCH], ["beside", "same"]]) {
    const folder = await makeFolder(scratch.path, name!);
    const run = { folder, contents: { shop: 1 }, branch };
    const withGit = await graphsProcess(run);
    places.set(`${name}, no repository`, JSON.parse(withGit.stdout).place);
    const none = await graphsProcess({ ...run, contents: { shop: 2, gone: 1 } }, {
      PATH: "/nowhere",
    });
    const { place, written, published } = JSON.parse(none.stdout);
    assertEquals([written, published], [2, false]);
    places.set(`${name}, no git`, place);
    const { removed } = await keep(folder, drawnOf({ shop: 2 }), { branch });
    assertEquals(removed, 1);
    assertEquals(await graphIn(folder), bytesOf(2));
  }
  assertEquals(Object.fromEntries(places), {
    "apart, no repository": "files only, the folder is not in a git repository",
    "apart, no git": "files only, git is not installed",
    "beside, no repository": "files only, the folder is not in a git repository",
    "beside, no git": "files only, git is not installed",
  });
});

Deno.test("on a detached HEAD graphs are only written as files, and a message names the cure", async () => {
  await using scratch = await makeScratch();
  const { remote, clone } = await makeClone(scratch);
  const workspace = folderWorkspace(clone);
  const store = await openStore(clone, {
    workspace,
    lock: LOCK,
    clock: new StillClock(),
    warn() {},
  });
  await git(clone, "checkout", "--quiet", "--detach");
  const { written, refused } = await keep(clone, drawnOf({ shop: 1 }), { store });
  assertEquals(written, 1);
  assertStringIncludes(refused?.message ?? "", "HEAD is detached");
  assertEquals(await git(remote, "for-each-ref", "--format=%(refname)"), "refs/heads/main");
});

Deno.test("the user's uncommitted work stays untouched when graphs are published to their own branch", async () => {
  await using scratch = await makeScratch();
  const { clone } = await makeClone(scratch);
  await Deno.writeTextFile(join(clone, LOCK), "edited\n");
  await Deno.writeTextFile(join(clone, "staged.md"), "staged\n");
  await git(clone, "add", "staged.md");
  await writeHook(join(clone, ".git"), "pre-push", "exit 1");
  const index = await Deno.readFile(join(clone, ".git", "index"));
  const { published } = await keep(clone, drawnOf({ shop: 1 }));
  assert(published);
  assertEquals(await Deno.readFile(join(clone, ".git", "index")), index);
  assertEquals(await status(clone), ` M ${LOCK}\nA  staged.md`);
});
