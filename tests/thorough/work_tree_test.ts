import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { cloneRemote, makeRepository, status, tip } from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import { RepositoryError } from "../../lib/git/repository.ts";
import { openStore } from "../../lib/history/store/open_store.ts";
import type { Change, Published, Store } from "../../lib/history/store/store.ts";
import { systemClock } from "../../lib/io/clock.ts";
import { folderWorkspace } from "../../lib/io/workspace.ts";

const RECORD = "history/a.yml";

function open(folder: string): Promise<Store> {
  return openStore(folder, {
    workspace: folderWorkspace(folder),
    lock: "readme",
    clock: systemClock,
    warn: () => {},
  });
}

/** Publishes a record, and returns git's view of the folder afterwards. */
async function publish(folder: string, text: string): Promise<Published> {
  const store = await open(folder);
  const change: Change = {
    run: "9f3c01ab",
    time: Temporal.Now.instant(),
    files: new Map([[RECORD, text], ["history/checks/2026-11-21.csv", text]]),
    message: "Check 1 site",
    author: { name: "Jo", email: "jo@example.com" },
  };
  return await store.publish(() => Promise.resolve(change));
}

Deno.test("files that a killed run left one commit behind follow with the next run", async () => {
  await using scratch = await makeScratch();
  const remote = await makeRemote(scratch.path, { readme: "" });
  const clone = await cloneRemote(remote, join(scratch.path, "clone"));
  const local = await makeRepository(join(scratch.path, "local"), { readme: "" });
  for (const folder of [clone, local]) {
    await publish(folder, "1\n");
    await publish(folder, "2\n");
    // The branch has moved, index and files have not.
    await git(folder, "reset", "--quiet", "--hard", "HEAD~1");
    await git(folder, "update-ref", "refs/heads/main", "HEAD@{1}");
    const { notes } = await publish(folder, "3\n");
    assertEquals([notes, await status(folder)], [[], ""]);
    assertEquals(await Deno.readTextFile(join(folder, RECORD)), "3\n");
  }
});

Deno.test("files that killed runs left several commits behind follow with the next run, even if it commits nothing", async () => {
  await using scratch = await makeScratch();
  const remote = await makeRemote(scratch.path, { readme: "" });
  const other = await cloneRemote(remote, join(scratch.path, "other"));
  const clone = await cloneRemote(remote, join(scratch.path, "clone"));
  const jump = async () => {
    await git(clone, "fetch", "--quiet", "origin");
    await git(clone, "update-ref", "-m", "monitor: record checks", "refs/heads/main", "FETCH_HEAD");
  };
  await publish(clone, "1\n");
  for (const text of ["2\n", "3\n", "4\n"]) {
    await publish(other, text);
    if (text !== "3\n") await jump();
  }
  const store = await open(clone);
  const { notes } = await store.publish(() => Promise.resolve(undefined));
  assertEquals([notes, await status(clone)], [[], ""]);
  assertEquals(await Deno.readTextFile(join(clone, RECORD)), "4\n");

  // What the user has staged stays.
  await publish(other, "5\n");
  await jump();
  await Deno.writeTextFile(join(clone, "mine"), "mine\n");
  await git(clone, "add", "mine");
  await (await open(clone)).publish(() => Promise.resolve(undefined));
  assertMatch(await status(clone), /^A {2}mine$/m);
});

/** Obstacles to the files of a commit: a preparation, and the reason that is reported. */
const OBSTACLES: Record<string, [(folder: string) => Promise<unknown>, RegExp]> = {
  "an edited record": [
    (folder) => Deno.writeTextFile(join(folder, RECORD), "mine\n"),
    /Entry 'history\/a\.yml' not uptodate/,
  ],
  "a file in place of a folder": [
    async (folder) => {
      await Deno.remove(join(folder, "history"), { recursive: true });
      await Deno.writeTextFile(join(folder, "history"), "mine\n");
    },
    /history/,
  ],
  "a staged edit": [
    async (folder) => {
      await Deno.writeTextFile(join(folder, RECORD), "mine\n");
      await git(folder, "add", RECORD);
    },
    /history\/a\.yml/,
  ],
  "a lock that a killed git left behind": [
    (folder) => Deno.writeTextFile(join(folder, ".git", "index.lock"), ""),
    /index\.lock': File exists.*if no other git is running here, remove that file/,
  ],
};

Deno.test("files of the user in the way of a commit stay: a remote gets it all the same, without one it is an error", async () => {
  await using scratch = await makeScratch();
  await Promise.all(
    Object.entries(OBSTACLES).map(async ([name, [prepare, reason]], index) => {
      const own = join(scratch.path, `${index}`);
      await Deno.mkdir(own);
      const remote = await makeRemote(own, { readme: "" });
      const clone = await cloneRemote(remote, join(own, "clone"));
      const local = await makeRepository(join(own, "local"), { readme: "" });
      for (const folder of [clone, local]) {
        await publish(folder, "1\n");
        assertEquals([await status(folder), await tip(folder, `HEAD:${RECORD}`)], [
          "",
          await tip(folder, "HEAD:history/checks/2026-11-21.csv"),
        ]);
        await prepare(folder);
      }
      const [before, edited] = [await tip(local), await status(local)];
      const { notes: [note = ""] } = await publish(clone, "2\n");
      assertStringIncludes(note, "your branch main stays where it is: ", name);
      assertMatch(note, reason);
      assertEquals(await git(remote, "show", `main:${RECORD}`), "2");
      const error = await assertRejects(() => publish(local, "2\n"), RepositoryError);
      assertMatch(error.message, reason);
      assertEquals([await tip(local), await status(local)], [before, edited], name);
    }),
  );
});
