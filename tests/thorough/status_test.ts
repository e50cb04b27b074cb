import { assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import { killGroup } from "../helpers/incident_program.ts";
import { output, runTask, spawnTask } from "../helpers/program.ts";
import { cloneRemote, configText, tip } from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { CONFIG, outage, writeTwoDays } from "../helpers/status_rig.ts";

Deno.test("status shows all stored data in a clone of depth 1, also without its remote", async () => {
  await using scratch = await makeScratch();
  const remote = await makeRemote(scratch.path, { ".monitorrc.yml": CONFIG });
  const first = await cloneRemote(remote, join(scratch.path, "first"));
  await writeTwoDays(first);
  await git(first, "add", "--all");
  await git(first, "commit", "--quiet", "--message", "Keep");
  await git(first, "push", "--quiet", "origin", "main");
  const clone = await cloneRemote(remote, join(scratch.path, "clone"), "--depth=1");
  const refs = await git(clone, "for-each-ref");
  const online = await runTask("status", { folder: clone });
  assertEquals([online.code, online.stderr], [0, ""]);
  assertMatch(online.stdout, /^✘ Shop +down 2h/m);
  await Deno.rename(remote, `${remote}.gone`);
  const offline = await runTask("status", { folder: clone });
  assertEquals(offline.code, 0);
  assertMatch(offline.stderr, /^warning: .*; using what was fetched before\n$/);
  assertMatch(offline.stdout, /^✘ Shop +down 2h/m);
  assertEquals(await git(clone, "for-each-ref"), refs);
  assertEquals(await git(clone, "status", "--porcelain"), "");
});

Deno.test("an unreadable run state is reported, loses nothing else, and is rewritten", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  await scratch.write(".monitorrc.yml", configText({ A: site.url }));
  await runTask("update", { folder: scratch.path });
  const path = "history/state/memory.json";
  const good = JSON.parse(await scratch.read(path));
  for (const torn of ["", '{ "run": "9f3c01ab", ', '{ "run": 7 }', "\u0000", "[]"]) {
    await scratch.write(path, torn);
    const state = await runTask("state", { folder: scratch.path });
    assertEquals([state.code, state.stderr], [
      0,
      "warning: history/state/memory.json can't be read\n",
    ]);
    const { code, stderr } = await runTask("update", { folder: scratch.path });
    assertEquals([code, stderr], [
      0,
      "warning: history/state/memory.json can't be read and is written anew\n",
    ]);
    assertEquals(Object.keys(JSON.parse(await scratch.read(path))), Object.keys(good));
  }
});

Deno.test("a run killed between reading and storing loses nothing, and two concurrent runs keep everything", async () => {
  await using scratch = await makeScratch();
  await using scene = await outage(scratch);
  const { github, remote, folder, env, incidents } = scene;
  await github.person("acme").comment(1, "One");
  const before = await tip(remote, "main");
  let pid = 0;
  github.onRequest = ({ path }, stage) => {
    if (stage !== "done" || !path.endsWith("/issues/comments")) return;
    killGroup(pid);
    return false;
  };
  const killed = spawnTask("incidents", { folder, env });
  pid = killed.pid;
  assertEquals((await output(killed)).code, 137);
  github.onRequest = () => {};
  assertEquals(await tip(remote, "main"), before);
  const other = await cloneRemote(remote, join(scratch.path, "other"));
  const both = await Promise.all([incidents(), runTask("incidents", { folder: other, env })]);
  assertEquals(both.map(({ code, stderr }) => [code, stderr]), [[0, ""], [0, ""]]);
  assertEquals(await git(remote, "rev-list", "--count", `${before}..main`), "1");
  assertMatch(both[0]!.stdout, /1 update/);
  assertMatch(both[1]!.stdout, /1 update/);
});
