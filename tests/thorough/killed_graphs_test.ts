import { assert, assertEquals } from "@std/assert";
import { bytesOf, dayGraph, graphIn, graphsProcess, makeClone } from "../helpers/kept_graphs.ts";
import { wrapGit } from "../helpers/git_wrapper.ts";
import { pathsAt, status } from "../helpers/repositories.ts";
import { git, makeScratch } from "../helpers/scratch.ts";

/** The git commands before which a run is killed, by the branch that it publishes to. */
const KILLS: [branch: string, command: string][] = [
  ["monitor-graphs", "push"],
  ["same", "read-tree"],
  ["monitor-graphs", "ls-remote"],
  ["monitor-graphs", "fast-import"],
  ["same", "push"],
];

Deno.test("a run that is killed on the way leaves nothing that the next one does not finish", async () => {
  for (const [branch, command] of KILLS) {
    await using scratch = await makeScratch();
    const { remote, clone: folder } = await makeClone(scratch);
    const wrapped = await wrapGit(scratch.path);
    await wrapped.killBefore(1, [command]);
    const run = { folder, branch, contents: { shop: 1 } };
    const killed = await graphsProcess(run, wrapped.env);
    assert(killed.code !== 0, `${branch} ${command}`);
    await wrapped.before("");
    const { code, stderr } = await graphsProcess({ ...run, run: "0badcafe" }, wrapped.env);
    assertEquals([code, stderr], [0, ""], `${branch} ${command}`);
    const holder = branch === "same" ? "main" : branch;
    assert((await pathsAt(remote, holder)).includes(dayGraph("shop")));
    assertEquals(await graphIn(folder), bytesOf(1));
    assertEquals(await status(folder), "", `${branch} ${command}`);
    assertEquals(await git(folder, "for-each-ref", "refs/monitor"), "");
  }
});
