import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { githubServer } from "../helpers/github_server.ts";
import { runTask } from "../helpers/program.ts";
import { cloneRemote, configText, ONCE_A_DAY, tip } from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import { closedPort, httpServer } from "../helpers/servers.ts";
import { thoroughly } from "../helpers/thorough.ts";

const DOWN = `http://127.0.0.1:${closedPort()}`;

Deno.test("state shows what waits, when it is committed and what was carried out, and writes nothing", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  await using github = await githubServer();
  github.state.hasIssues = false;
  const remote = await makeRemote(scratch.path, {
    ".monitorrc.yml": configText({ Shop: site.url, Broken: DOWN }, ONCE_A_DAY),
  });
  const clone = await cloneRemote(remote, join(scratch.path, "clone"));
  for (let run = 0; run < 3; run++) {
    const { code } = await runTask("update", { folder: clone, env: github.env });
    assertEquals(code, 1);
  }
  const fresh = await cloneRemote(remote, join(scratch.path, "fresh"), "--depth=1");
  const before = await git(fresh, "for-each-ref");

  const { code, stdout, stderr } = await runTask("state", { folder: fresh });
  assertEquals([code, stderr], [0, ""]);
  assertMatch(stdout, /^Memory +refs\/monitor\/pending\. History: commits on main at origin$/m);
  assertMatch(stdout, /^Next commit +with the first run after \d{4}-\d\d-\d\d 00:00 UTC, or/m);
  assertMatch(stdout, /^Waiting +4 checks of 2 runs$/m);
  assertMatch(
    stdout,
    /^ {2}✘ broken +down +– {2}2 checks {2}connection refused \(127\.0\.0\.1:\d+\)$/m,
  );
  assertMatch(stdout, /^ {2}✔ shop +up +\d+ ms {2}2 checks$/m);
  assertMatch(stdout, /^Remembered\n {2}broken: failing in 3 runs since .* UTC$/m);
  assertMatch(
    stdout,
    /^ {2}open an issue for Broken \([\d-]+-broken\)\n {4}waits since .* UTC; it failed last time: Cannot .*$/m,
  );
  assertMatch(stdout, /^ {2}start the workflow for static_site\n {4}carried out at .* UTC$/m);

  const data = JSON.parse((await runTask("state", { folder: fresh, args: ["--json"] })).stdout);
  assertEquals(data.waiting.map(({ slug }: { slug: string }) => slug).sort(), [
    "broken",
    "broken",
    "shop",
    "shop",
  ]);
  assertEquals([data.sites.broken.failing.runs, data.sites.shop.recent], [3, "uuu"]);
  assertMatch(data.sites.broken.failing.since, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assertEquals([data.memory, data.outbox.length], ["refs/monitor/pending", 3]);
  assertEquals(await git(fresh, "for-each-ref"), before);
  assertEquals(await tip(fresh), await tip(remote, "main"));
});

thoroughly("state needs no configuration, no remote and no run before it", async () => {
  await using scratch = await makeScratch();
  const empty = await runTask("state", { folder: scratch.path });
  assertEquals([empty.code, empty.stderr], [0, ""]);
  assertEquals(
    empty.stdout,
    "Nothing is remembered yet. History: files only, there is no git repository here.\n",
  );
  assertEquals(
    JSON.parse((await runTask("state", { folder: scratch.path, args: ["--json"] })).stdout).memory,
    null,
  );
  await scratch.write(".monitorrc.yml", configText({ Broken: DOWN }));
  await runTask("update", { folder: scratch.path });
  await Deno.remove(join(scratch.path, ".monitorrc.yml"));
  const { stdout } = await runTask("state", { folder: scratch.path });
  assertMatch(stdout, /^Memory +history\/state\. History: files only/m);
  assertStringIncludes(stdout, "Waiting      no checks");
});

thoroughly(
  "a memory that can't be read is named, costs nothing else, and is written anew",
  async () => {
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
  },
);

Deno.test("state shows the checks that wait also where the rest of the memory can't be read", async () => {
  await using scratch = await makeScratch();
  await Deno.mkdir(join(scratch.path, "history/state"), { recursive: true });
  await scratch.write("history/state/memory.json", "torn");
  await scratch.write(
    "history/state/checks.csv",
    "time,run,slug,state,code,ms,attempts\n2026-11-21T10:05:03.120Z,9f3c01ab,shop,up,200,80,1\n",
  );
  const { stdout } = await runTask("state", { folder: scratch.path });
  assertMatch(stdout, /^Nothing is remembered yet\. .*\nYet 1 check of 1 run waits:$/m);
  assertMatch(stdout, /^ {2}✔ shop +up +80 ms {2}1 check$/m);
});
