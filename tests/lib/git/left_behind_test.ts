import { assertEquals, assertMatch } from "@std/assert";
import { dirname, join } from "node:path";
import { findStaleLock } from "../../../lib/git/left_behind.ts";
import { makeCommits } from "../../../lib/git/objects.ts";
import { openRepository, type Repository } from "../../../lib/git/repository.ts";
import { makeRepository } from "../../helpers/repositories.ts";
import { git, makeScratch, type Scratch } from "../../helpers/scratch.ts";

async function opened(scratch: Scratch): Promise<Repository> {
  const folder = await makeRepository(join(scratch.path, "clone"), { file: "" });
  return await openRepository(folder) as Repository;
}

function commit(repository: Repository): Promise<string[]> {
  const author = { name: "Jo", email: "jo@example.com" };
  const time = Temporal.Instant.from("2026-11-21T10:00:00Z");
  const made = { files: new Map([["file", "text"]]), message: "Make" };
  return makeCommits(repository, [made], { author, time, id: "0000beef" });
}

/** Leftovers of runs that were killed while they made commits: a lock, an empty folder, a ref and a packed one. */
async function leaveBuilds({ buildFolder }: Repository, clone: string): Promise<void> {
  await git(clone, "update-ref", "refs/monitor/build/11111111/0", "HEAD");
  await git(clone, "pack-refs", "--all");
  await git(clone, "update-ref", "refs/monitor/build/22222222/0", "HEAD");
  await Deno.mkdir(join(buildFolder, "33333333"), { recursive: true });
  await Deno.writeTextFile(join(buildFolder, "11111111.lock"), "");
  await Deno.mkdir(join(buildFolder, "44444444"));
  await Deno.writeTextFile(join(buildFolder, "44444444/0.lock"), "");
}

async function leftBuilds({ buildFolder }: Repository, clone: string): Promise<string[]> {
  const refs = await git(clone, "for-each-ref", "--format=%(refname)", "refs/monitor/build");
  const names: string[] = [];
  try {
    for await (const { name } of Deno.readDir(buildFolder)) names.push(name);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return [...refs.split("\n").filter((ref) => ref !== ""), ...names.sort()];
}

Deno.test("the next commit removes the refs and locks of runs that were killed while they made commits", async () => {
  await using scratch = await makeScratch();
  const repository = await opened(scratch);
  await leaveBuilds(repository, repository.top);
  const [name] = await commit(repository);
  assertMatch(name!, /^[0-9a-f]{40}$/);
  assertEquals(await leftBuilds(repository, repository.top), []);
});

Deno.test("refs of a run that is making commits stay, and commits are made beside it", async () => {
  await using scratch = await makeScratch();
  const repository = await opened(scratch);
  await leaveBuilds(repository, repository.top);
  const before = await leftBuilds(repository, repository.top);
  await Deno.mkdir(repository.ownFolder, { recursive: true });
  const path = join(repository.ownFolder, "build.lock");
  {
    using other = await Deno.open(path, { write: true, create: true });
    await other.lock(false);
    assertEquals((await commit(repository)).length, 1);
    assertEquals(await leftBuilds(repository, repository.top), before);
  }
  const both = await Promise.all([commit(repository), commit(repository)]);
  assertEquals([both[0], await leftBuilds(repository, repository.top)], [both[1], []]);
});

Deno.test("commits are made where git's own files can't be written", async () => {
  await using scratch = await makeScratch();
  const repository = await opened(scratch);
  const ownFolder = join(repository.top, "file", "monitor");
  assertEquals((await commit({ ...repository, ownFolder })).length, 1);
});

Deno.test("a lock that a killed git has left is named with the command that removes it, also in another work tree", async () => {
  await using scratch = await makeScratch();
  const repository = await opened(scratch);
  assertEquals(await findStaleLock(repository), undefined);
  const lock = join(repository.top, ".git/packed-refs.lock");
  await git(
    repository.top,
    "worktree",
    "add",
    "-q",
    "-b",
    "other",
    join(scratch.path, "it's a tree"),
  );
  await Deno.writeTextFile(lock, "");
  const other = await openRepository(join(scratch.path, "it's a tree")) as Repository;
  for (const one of [repository, other]) {
    assertEquals(
      await findStaleLock(one),
      `A git that was killed has left ${lock} behind, so that git can delete no branch; if no other git is running here: rm ${lock}`,
    );
  }
  await Deno.stat(lock);
  const quoted = join(scratch.path, "it's a tree", "packed-refs.lock");
  await Deno.writeTextFile(quoted, "");
  assertMatch(
    (await findStaleLock({ packedRefsLock: quoted }))!,
    /: rm '\/.*\/it'\\''s a tree\/packed-refs\.lock'$/,
  );
});

Deno.test("a lock that git holds for a moment is not named", async () => {
  await using scratch = await makeScratch();
  const repository = await opened(scratch);
  await Deno.mkdir(dirname(repository.packedRefsLock), { recursive: true });
  await Deno.writeTextFile(repository.packedRefsLock, "");
  const finding = findStaleLock(repository);
  await Deno.remove(repository.packedRefsLock);
  assertEquals(await finding, undefined);
});
