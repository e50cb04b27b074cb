import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { folderWorkspace } from "../../../lib/doors/workspace.ts";
import { bytesOf, dayGraph, drawnOf, keep, LOCK } from "../../helpers/kept_graphs.ts";
import { cloneRemote, pathsAt, status, tip } from "../../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../../helpers/scratch.ts";

const BRANCH = "monitor-graphs";
const CONFIG = { [LOCK]: "sites: []\n" };

/** The names of the blobs that the graphs' branch holds at a remote, by path. */
async function blobsAt(remote: string): Promise<string[]> {
  return (await git(remote, "ls-tree", "-r", BRANCH)).split("\n");
}

Deno.test("graphs are published as the only commit of a branch, and the user's own branch knows nothing of them", async () => {
  await using scratch = await makeScratch();
  const remote = await makeRemote(scratch.path, CONFIG);
  const clone = await cloneRemote(remote, join(scratch.path, "clone"));
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
  const remote = await makeRemote(scratch.path, CONFIG);
  const clone = await cloneRemote(remote, join(scratch.path, "clone"));
  await keep(clone, drawnOf({ shop: 1, blog: 1 }));
  const first = await tip(remote, BRANCH);
  const again = await keep(clone, drawnOf({ shop: 1, blog: 1 }));
  assertEquals([again.written, again.published, await tip(remote, BRANCH)], [0, false, first]);
  const { written, removed, published } = await keep(clone, drawnOf({ shop: 2 }));
  assertEquals({ written, removed, published }, { written: 1, removed: 1, published: true });
  assertEquals(await git(remote, "rev-list", "--count", BRANCH), "1");
  assertEquals(await pathsAt(remote, BRANCH), [dayGraph("shop")]);
  assertEquals(await folderWorkspace(clone).readBytes(dayGraph("blog")), undefined);
});

Deno.test("a clone of depth 1 publishes graphs, sees what is there, and stays as shallow as it was", async () => {
  await using scratch = await makeScratch();
  const remote = await makeRemote(scratch.path, CONFIG);
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
