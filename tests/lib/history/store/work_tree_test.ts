import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { cloneRemote, commitFile, status, tip } from "../../../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../../../helpers/scratch.ts";
import { openStore } from "../../../../lib/history/store/open_store.ts";
import type { Change, Published } from "../../../../lib/history/store/store.ts";
import { systemClock } from "../../../../lib/io/clock.ts";
import { folderWorkspace } from "../../../../lib/io/workspace.ts";

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

Deno.test("a work tree follows commits of others, and keeps edits and commits of its user", async () => {
  await using scratch = await makeScratch();
  const remote = await makeRemote(scratch.path, { readme: "", mine: "1\n" });
  const clone = await cloneRemote(remote, join(scratch.path, "clone"));
  const other = await cloneRemote(remote, join(scratch.path, "other"));
  await commitFile(other, "theirs", "1\n");
  await git(other, "push", "--quiet");
  await Deno.writeTextFile(join(clone, "mine"), "edited\n");
  await Deno.utime(join(clone, "readme"), 0, 0);
  assertEquals((await publish(clone, "1\n")).notes, []);
  assertEquals([await tip(clone), await status(clone)], [await tip(remote, "main"), " M mine"]);
  assertEquals(await Deno.readTextFile(join(clone, "theirs")), "1\n");
  await commitFile(clone, "private", "1\n");
  const own = await tip(clone);
  const { notes } = await publish(clone, "2\n");
  assertEquals(notes, [
    "your branch main stays where it is: it has commits that origin does not have",
  ]);
  assertEquals([await tip(clone), await status(clone)], [own, " M mine"]);
  assertEquals(await git(remote, "ls-tree", "--name-only", "main", "private"), "");
});
