import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { wrapGit } from "../helpers/git_wrapper.ts";
import { runTask } from "../helpers/program.ts";
import {
  cloneRemote,
  commitFile,
  incidentsAt,
  pathsAt,
  rowsAt,
  runStateAt,
  status,
  tip,
  writeHook,
} from "../helpers/repositories.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { rig, runsAt } from "../helpers/pending_rig.ts";

Deno.test("a run without a commit updates the clone to what others have pushed", async () => {
  await using scratch = await makeScratch();
  await using site = await rig(scratch);
  const { clone, remote, update } = site;
  await update(clone);
  const other = await cloneRemote(remote, join(scratch.path, "other"));
  await commitFile(other, "theirs", "1\n");
  await git(other, "push", "--quiet");
  await update(clone);
  assertEquals(await Deno.readTextFile(join(clone, "theirs")), "1\n");
  assertEquals([await tip(clone), await runsAt(remote)], [await tip(remote, "main"), [1, 1]]);
});

Deno.test("a push in between makes a run without a commit decide again", async () => {
  await using scratch = await makeScratch();
  await using site = await rig(scratch);
  const { clone, remote, update } = site;
  await update(clone);
  const seed = join(scratch.path, "seed");
  await git(seed, "pull", "--quiet");
  await commitFile(seed, "theirs", "1\n");
  const wrapped = await wrapGit(scratch.path);
  await wrapped.before(`if [ "$command" = push ]; then git -C '${seed}' push --quiet; fi`);
  const { code, stderr } = await runTask("update", { folder: clone, env: wrapped.env });
  assertEquals([code, stderr, await runsAt(remote)], [0, "", [1, 1]]);
  assertEquals((await wrapped.calls()).filter((call) => call === "push").length, 2);
});

Deno.test("a remote without atomic pushes gets the branch first, then the pending ref", async () => {
  await using scratch = await makeScratch();
  await using site = await rig(scratch);
  const { clone, remote, update } = site;
  await git(remote, "config", "receive.advertiseAtomic", "false");
  for (const [code, expected] of [[200, 1], [200, 2], [503, 3], [503, 4], [200, 5]]) {
    site.turn(code!);
    const { code: exit, stderr } = await update(clone);
    assertEquals([exit, stderr], [0, ""]);
    const rows = [...await rowsAt(remote, "main"), ...(await runStateAt(remote))!.rows];
    assertEquals(new Set(rows.map(({ run }) => run)).size, expected);
  }
  assertEquals((await rowsAt(remote, "main")).length, 5);
  assertEquals((await incidentsAt(remote, "main")).map(({ end }) => end !== undefined), [true]);
  assertEquals(await git(remote, "rev-list", "--count", "main"), "4");
});

const REFUSALS: Record<string, (remote: string) => Promise<unknown>> = {
  "by a hook for each ref": (remote) =>
    writeHook(remote, "update", 'case "$1" in refs/monitor/*) exit 1;; esac'),
  "by a hook for all": (remote) =>
    writeHook(
      remote,
      "pre-receive",
      'while read -r _ _ ref; do case "$ref" in refs/monitor/*) exit 1;; esac; done',
    ),
  "because it hides it": (remote) => git(remote, "config", "transfer.hideRefs", "refs/monitor"),
};

for (const [how, refuse] of Object.entries(REFUSALS)) {
  Deno.test(`if the remote refuses the ref ${how}, every run commits, with its run state on the branch`, async () => {
    await using scratch = await makeScratch();
    await using site = await rig(scratch);
    const { clone, remote, update } = site;
    await refuse(remote);
    for (const [index, code] of [200, 200, 503, 200].entries()) {
      site.turn(code);
      const { code: exit, stderr } = await update(clone);
      assertEquals([exit, stderr, await runsAt(remote)], [0, "", [index + 1, 0]]);
      assert((await pathsAt(remote, "main")).includes("history/state/memory.json"));
    }
    assertEquals((await incidentsAt(remote, "main")).map(({ end }) => end !== undefined), [true]);
    assertEquals([await tip(clone), await status(clone)], [await tip(remote, "main"), ""]);
    const { stdout } = await runTask("state", { folder: clone });
    assertMatch(stdout, /^Run state +history\/state\nHistory +branch main at origin$/m);
  });
}

Deno.test("run state is in the pending ref once a remote takes it, and the next commit removes it from the branch", async () => {
  await using scratch = await makeScratch();
  await using site = await rig(scratch);
  const { clone, remote, update } = site;
  await git(clone, "remote", "remove", "origin");
  site.turn(503);
  await update(clone);
  assert((await pathsAt(clone)).includes("history/state/memory.json"));
  await git(clone, "remote", "add", "origin", `file://${remote}`);
  await git(clone, "push", "--quiet", "--set-upstream", "origin", "main");
  for (let run = 2; run <= 4; run++) {
    const { code, stderr } = await update(clone);
    assertEquals([code, stderr], [0, ""]);
    assertEquals((await runStateAt(remote))?.sites["a"]?.failing?.runs, run);
  }
  site.turn(200);
  await update(clone);
  assert(!(await pathsAt(remote, "main")).some((path) => path.startsWith("history/state/")));
  assertEquals(await runsAt(remote), [5, 0]);
});

Deno.test("a deleted pending ref costs its pending checks, which is reported; open incidents continue", async () => {
  await using scratch = await makeScratch();
  await using site = await rig(scratch);
  const { clone, remote, update } = site;
  for (const code of [200, 503, 503]) {
    site.turn(code);
    await update(clone);
  }
  assertEquals(await runsAt(remote), [2, 1]);
  await git(remote, "update-ref", "-d", "refs/monitor/pending");
  const { code, stderr } = await update(clone);
  assertEquals(code, 0);
  assertMatch(
    stderr,
    /^warning: refs\/monitor\/pending is gone from the remote: checks after \d{4}-\d\d-\d\d \d\d:\d\d UTC that no commit holds are lost$/m,
  );
  assertEquals(await runsAt(remote), [3, 0]);
  assertEquals((await incidentsAt(remote, "main")).map(({ end }) => end), [undefined]);
  site.turn(200);
  const next = await update(clone);
  assertEquals([next.code, next.stderr], [0, ""]);
  assertEquals((await incidentsAt(remote, "main")).map(({ end }) => end !== undefined), [true]);
});

Deno.test("a branch reset by a person keeps the pending checks", async () => {
  await using scratch = await makeScratch();
  await using site = await rig(scratch);
  const { clone, remote, update } = site;
  const before = await tip(remote, "main");
  for (const code of [200, 503, 503]) {
    site.turn(code);
    await update(clone);
  }
  const seed = join(scratch.path, "seed");
  await git(seed, "commit", "--quiet", "--allow-empty", "--message", "Begin anew");
  await git(seed, "push", "--quiet", "--force");
  const fresh = await cloneRemote(remote, join(scratch.path, "fresh"));
  assertEquals(await update(fresh), { code: 0, stderr: "" });
  assertEquals(await runsAt(remote), [2, 0]);
  assertEquals((await incidentsAt(remote, "main")).length, 1);
  const old = await update(clone);
  assertEquals(old.code, 0);
  assertStringIncludes(old.stderr, "your branch main stays where it is");
  assertEquals(await runsAt(remote), [2, 1]);
  await git(remote, "merge-base", "--is-ancestor", before, "main");
});
