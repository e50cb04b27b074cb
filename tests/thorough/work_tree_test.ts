import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { cloneRemote, makeRepository, status } from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import { openStore } from "../../lib/history/store/open_store.ts";
import type { Change, Published } from "../../lib/history/store/store.ts";
import { systemClock } from "../../lib/io/clock.ts";
import { folderWorkspace } from "../../lib/io/workspace.ts";

const RECORD = "history/a.yml";

/** Publishes a record, and what git shows of the folder afterwards. */
async function publish(folder: string, text: string): Promise<Published> {
  const workspace = folderWorkspace(folder);
  const store = await openStore(folder, {
    workspace,
    lock: "readme",
    clock: systemClock,
    warn: () => {},
  });
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
