import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { systemClock } from "../../lib/io/clock.ts";
import { folderWorkspace } from "../../lib/io/workspace.ts";
import { openStore } from "../../lib/history/store/open_store.ts";
import type { Store } from "../../lib/history/store/store.ts";
import { IncidentLife } from "../helpers/incident_life.ts";
import { type GitHubServer, githubServer } from "../helpers/github_server.ts";
import {
  cloneRemote,
  makeRepository,
  runStateAt,
  tip,
  writeHook,
} from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import { readAlong, writtenOn } from "../helpers/timelines.ts";

/** A remote with an open incident of Shop, whose issue is number 1. */
async function outageAt(folder: string, server: GitHubServer) {
  const remote = await makeRemote(folder, { ".monitorrc.yml": "" });
  const clone = await cloneRemote(remote, join(folder, "clone"));
  const life = await IncidentLife.inClone(server, clone);
  await life.run(0, "up");
  await life.run(5, "down");
  const another = async (name: string) => storeOf(await cloneRemote(remote, join(folder, name)));
  return { remote, life, another };
}

function storeOf(folder: string): Promise<Store> {
  const workspace = folderWorkspace(folder);
  return openStore(folder, { workspace, lock: ".monitorrc.yml", clock: systemClock, warn() {} });
}

const commits = (folder: string) => git(folder, "rev-list", "--count", "main");

Deno.test("the slower of two readers reads again, so that it replaces nothing newer", async () => {
  await using scratch = await makeScratch();
  await using server = await githubServer();
  const { remote, another } = await outageAt(scratch.path, server);
  const owner = server.person("acme");
  await owner.comment(1, "One");
  const [slow, fast] = [await another("slow"), await another("fast")];
  const [requested, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isFirst = true;
  server.onRequest = async ({ path }, stage) => {
    if (!isFirst || stage !== "done" || !path.endsWith("/issues/comments")) return;
    isFirst = false;
    requested.resolve();
    await gone.promise;
  };
  const first = readAlong(slow, server);
  await requested.promise;
  await owner.comment(1, "Two");
  const second = await readAlong(fast, server);
  assertEquals(Object.values(writtenOn(second)), [["One", "Two"]]);
  gone.resolve();
  assertEquals(Object.values(writtenOn(await first)), [["One", "Two"]]);
  assertEquals(Object.values(writtenOn(await readAlong(await another("later"), undefined))), [
    ["One", "Two"],
  ]);
  assert((await runStateAt(remote))?.timelines?.since !== undefined);
  assertEquals(server.violations, []);
});

Deno.test("a concurrent run of update loses no timeline, and its rows and run state stay", async () => {
  await using scratch = await makeScratch();
  await using server = await githubServer();
  const { remote, life, another } = await outageAt(scratch.path, server);
  await server.person("acme").comment(1, "Investigating: we look");
  const store = await another("reader");
  let isFirst = true;
  server.onRequest = async ({ path }, stage) => {
    if (!isFirst || stage !== "done" || !path.endsWith("/issues/comments")) return;
    isFirst = false;
    await life.run(5, "down");
  };
  const read = await readAlong(store, server);
  assertEquals(Object.values(writtenOn(read)), [["investigating: we look"]]);
  const memory = await runStateAt(remote);
  assertEquals([memory?.rows.length, memory?.outbox.length], [1, 3]);
  await life.run(5, "up");
  const { incidents } = await readAlong(await another("later"), undefined);
  assertEquals(
    [...incidents.values()].map(({ end, updates }) => [end === undefined, updates.length]),
    [[false, 1]],
  );
  // The run that ended it kept the timeline.
  assertEquals((await runStateAt(remote))?.timelines, memory?.timelines);
});

Deno.test("a change of the run state alone adds no commit to the branch, nor to a repository without a remote", async () => {
  await using scratch = await makeScratch();
  await using server = await githubServer();
  const { remote, another } = await outageAt(scratch.path, server);
  const store = await another("reader");
  const before = await tip(remote, "main");
  await readAlong(store, server);
  assertEquals(await tip(remote, "main"), before);
  const pending = await tip(remote, "refs/monitor/pending");
  await readAlong(await another("again"), server);
  assertEquals(await tip(remote, "refs/monitor/pending"), pending);

  const folder = await makeRepository(join(scratch.path, "alone"), { ".monitorrc.yml": "" });
  const life = await IncidentLife.inClone(server, folder);
  await life.run(0, "up");
  await life.run(5, "down");
  const count = await commits(folder);
  await readAlong(await storeOf(folder), server);
  assertEquals(await commits(folder), count);
  await server.person("acme").comment(1, "One");
  for (let run = 0; run < 2; run++) await readAlong(await storeOf(folder), server);
  assertEquals(Number(await commits(folder)), Number(count) + 1);
  assertEquals(Object.values(writtenOn(await readAlong(await storeOf(folder), undefined))), [[
    "One",
  ]]);
});

Deno.test("if the branch rejects commits, timelines wait in the pending ref, and a later update commits them", async () => {
  await using scratch = await makeScratch();
  await using server = await githubServer();
  const { remote, life, another } = await outageAt(scratch.path, server);
  await server.person("acme").comment(1, "One");
  const hook = (code: number) =>
    writeHook(remote, "update", `case $1 in refs/heads/*) exit ${code};; esac`);
  await hook(1);
  const before = await tip(remote, "main");
  const { failure, incidents } = await readAlong(await another("reader"), server);
  assert(failure !== undefined);
  assertEquals(Object.values(writtenOn({ incidents })), [["One"]]);
  assertEquals(await tip(remote, "main"), before);
  assertEquals((await runStateAt(remote))?.files?.size, 1);
  await server.person("acme").comment(1, "Two");
  await readAlong(await another("second"), server);
  await hook(0);
  await life.run(5, "up");
  const later = await readAlong(await another("later"), undefined);
  assertEquals(Object.values(writtenOn(later)), [["One", "Two"]]);
  assertEquals([...later.incidents.values()][0]!.end !== undefined, true);
});
