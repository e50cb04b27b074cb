import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { dirname, join } from "node:path";
import { type ProgramResult, runTask } from "../helpers/program.ts";
import {
  cloneRemote,
  configText,
  EVERY_RUN,
  makeRepository,
  rowsAt,
  status,
  tip,
} from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { some, thoroughly } from "../helpers/thorough.ts";

function update(folder: string): Promise<ProgramResult> {
  return runTask("update", { folder });
}

Deno.test("a lock that a killed git left behind stops no run: it is named, and the files follow when it is gone", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const config = { ".monitorrc.yml": configText({ A: site.url }, EVERY_RUN) };
  const local = await makeRepository(join(scratch.path, "local"), config);
  const clone = join(scratch.path, "clone");
  await git(scratch.path, "clone", "--quiet", await makeRemote(scratch.path, config), clone);
  for (const [folder, runs] of [[local, 1], [clone, 2]] as const) {
    assertEquals((await update(folder)).code, 0);
    const lock = join(folder, ".git", "index.lock");
    await Deno.writeTextFile(lock, "");
    for (let run = 0; run < runs; run++) {
      const { code, stderr } = await update(folder);
      assertEquals(code, 0);
      const cure = `${lock}': File exists (where no other git is at work here, remove that file)`;
      assertStringIncludes(stderr, cure);
    }
    await Deno.remove(lock);
    assertEquals(await update(folder).then(({ code, stderr }) => [code, stderr]), [0, ""]);
    assertEquals(await status(folder), "");
    assertEquals((await rowsAt(folder)).length, runs + 2);
  }
});

/** What a git that is killed may leave in a clone. */
const LOCKS = some([
  "index.lock",
  "refs/monitor/pending.lock",
  "refs/heads/main.lock",
  "refs/remotes/origin/main.lock",
  "refs/worktree/monitor/moving.lock",
  "packed-refs.lock",
  "HEAD.lock",
], 3);

/** Makes a lock file, as old as is said. */
async function makeLock(path: string, age: Temporal.DurationLike): Promise<string> {
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, "");
  const made = Temporal.Now.instant().subtract(age).epochMilliseconds / 1000;
  await Deno.utime(path, made, made);
  return path;
}

async function exists(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}

/** A clone of a remote of its own, on which another clone has been faster. */
async function cloneBehind(folder: string, url: string): Promise<[remote: string, clone: string]> {
  await Deno.mkdir(folder);
  const config = configText({ A: url }, EVERY_RUN);
  const remote = await makeRemote(folder, { ".monitorrc.yml": config });
  const clone = await cloneRemote(remote, join(folder, "clone"));
  const other = await cloneRemote(remote, join(folder, "other"));
  assertEquals([(await update(clone)).code, (await update(other)).code], [0, 0]);
  return [remote, clone];
}

thoroughly(
  "whatever lock is left in a clone, the results get to the remote; one on a ref is removed after ten minutes, one on the index never",
  async () => {
    await using scratch = await makeScratch();
    await using site = httpServer(() => new Response("ok"));
    await Promise.all(LOCKS.map(async (name, index) => {
      const [remote, clone] = await cloneBehind(join(scratch.path, `${index}`), site.url);
      const lock = await makeLock(join(clone, ".git", name), { minutes: 9 });
      const { code, stderr } = await update(clone);
      assertEquals([code, await exists(lock)], [0, true], name + stderr);
      assert(stderr === "" || stderr.includes(lock), stderr);
      assertEquals((await rowsAt(remote, "main")).length, 3, name);

      await makeLock(lock, { minutes: 11 });
      const isOfIndex = name === "index.lock";
      const later = await update(clone);
      assertEquals([later.code, later.stderr === ""], [0, !isOfIndex], name + later.stderr);
      assertEquals(
        [(await rowsAt(remote, "main")).length, await exists(lock)],
        [4, isOfIndex],
        name,
      );
      if (isOfIndex) {
        await Deno.remove(lock);
        assertEquals(await update(clone).then((next) => [next.code, next.stderr]), [0, ""]);
      }
      assertEquals([await status(clone), await tip(clone)], ["", await tip(remote, "main")], name);
      assertEquals(await git(clone, "for-each-ref", "refs/monitor/build", "refs/worktree"), "");
    }));
  },
);

thoroughly(
  "without a remote a lock on the branch itself is named, and removed after ten minutes",
  async () => {
    await using scratch = await makeScratch();
    await using site = httpServer(() => new Response("ok"));
    const config = { ".monitorrc.yml": configText({ A: site.url }) };
    const folder = await makeRepository(join(scratch.path, "local"), config);
    const path = join(folder, ".git", "refs/heads/main.lock");
    await makeLock(path, { minutes: 1 });
    const held = await update(folder);
    assertEquals(held.code, 1);
    assertStringIncludes(
      held.stderr,
      `${path}': File exists (where no other git is at work here, remove that file)`,
    );
    await makeLock(path, { minutes: 11 });
    assertEquals(await update(folder).then(({ code, stderr }) => [code, stderr]), [0, ""]);
    assertEquals([(await rowsAt(folder)).length, await status(folder)], [1, ""]);
  },
);
