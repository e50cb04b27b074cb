import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { runTask } from "../../helpers/program.ts";
import { cloneRemote, incidentsAt, runStateAt, status, tip } from "../../helpers/repositories.ts";
import { git, makeScratch } from "../../helpers/scratch.ts";
import { rig, runsAt } from "../../helpers/pending_rig.ts";

Deno.test("checks without a change stay in the pending ref, and a change commits them all", async () => {
  await using scratch = await makeScratch();
  await using site = await rig(scratch);
  const { clone, remote } = site;
  await runTask("update", { folder: clone });
  const first = await tip(remote, "main");
  for (let number = 1; number <= 2; number++) {
    const { stdout, stderr } = await runTask("update", { folder: clone });
    assertEquals(stderr, "");
    const checks = number === 1 ? "1 check waits" : "2 checks wait";
    assertStringIncludes(
      stdout,
      `1 up. ${checks} in refs/monitor/pending at origin for the commit at 00:00 UTC.`,
    );
    assertEquals([await tip(remote, "main"), await runsAt(remote)], [first, [1, number]]);
  }
  site.turn(503);
  assertStringIncludes((await runTask("update", { folder: clone })).stdout, "Recorded in ");
  assertEquals(await runsAt(remote), [4, 0]);
  assertEquals((await incidentsAt(remote, "main")).map(({ end }) => end), [undefined]);
  assertEquals(await git(remote, "rev-list", "--count", "main"), "3");
  assertEquals([await tip(clone), await status(clone)], [await tip(remote, "main"), ""]);
  assertEquals((await runStateAt(remote))!.outbox, []);
});

Deno.test("a fetch that fails in a fresh clone is not reported as lost checks", async () => {
  await using scratch = await makeScratch();
  await using site = await rig(scratch);
  const { clone, remote, update } = site;
  await update(clone);
  await update(clone);
  const fresh = await cloneRemote(remote, join(scratch.path, "fresh"), "--depth=1");
  await git(fresh, "remote", "set-url", "origin", join(scratch.path, "nowhere"));
  const { stderr } = await runTask("update", { folder: fresh, args: ["--dry-run"] });
  assertMatch(
    stderr,
    /^warning: Cannot fetch from origin: .*; using what was fetched before\n$/,
  );
});

Deno.test("a site that asks not to be checked for a while is committed at once, and the next run leaves it alone", async () => {
  await using scratch = await makeScratch();
  await using site = await rig(scratch);
  const { clone } = site;
  await runTask("update", { folder: clone });
  site.turn(429);
  assertStringIncludes((await runTask("update", { folder: clone })).stdout, "Recorded in ");
  assertEquals(site.asked(), 2);
  const { stdout } = await runTask("update", { folder: clone });
  assertStringIncludes(stdout, "it asked not to be checked before");
  assertEquals(site.asked(), 2);
});
