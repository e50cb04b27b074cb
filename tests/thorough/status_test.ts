import { assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import { githubServer } from "../helpers/github_server.ts";
import { killGroup } from "../helpers/incident_program.ts";
import { output, runTask, spawnTask } from "../helpers/program.ts";
import { cloneRemote, configText, tip } from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch, type Scratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { writeHistory } from "../helpers/written_history.ts";

const CONFIG = `slo: 99.9
sites:
  - { name: Shop, url: https://shop.example.com }
  - { name: "日本 | <b>", slug: ja, url: $ADDRESS, group: Far }
  - { name: New, url: https://new.example.com }
`;

/** Writes a history of two days up to now in which the shop is down since two hours, and returns now. */
async function writeTwoDays(folder: string): Promise<Temporal.Instant> {
  const now = Temporal.Now.instant();
  const ago = (minutes: number) => now.subtract({ minutes });
  await writeHistory(folder, [
    { slug: "shop", outages: [{ from: ago(125), error: "connection refused", issue: 12 }] },
    { slug: "ja" },
  ], { from: ago(2880), to: ago(5) });
  return now;
}

Deno.test(
  "status takes what is known from a clone of one commit, and without its remote",
  async () => {
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
    assertMatch(offline.stderr, /^warning: .*; going on from what is known here\n$/);
    assertMatch(offline.stdout, /^✘ Shop +down 2h/m);
    assertEquals(await git(clone, "for-each-ref"), refs);
    assertEquals(await git(clone, "status", "--porcelain"), "");
  },
);

Deno.test(
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

/** A clone whose one site, Shop, is down: its issue is number 1. */
async function outage(scratch: Scratch) {
  let code = 200;
  const site = httpServer(() => new Response(null, { status: code }));
  const github = await githubServer();
  const remote = await makeRemote(scratch.path, {
    ".monitorrc.yml": configText({ Shop: site.url }),
  });
  const folder = await cloneRemote(remote, join(scratch.path, "clone"));
  const { env } = github;
  for (const answer of [200, 503]) {
    code = answer;
    assertEquals((await runTask("update", { folder, env })).code, 0);
  }
  return {
    ...{ github, remote, folder, env },
    incidents: (args: string[] = [], given: Record<string, string> = env) =>
      runTask("incidents", { folder, args, env: given }),
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]();
      await github[Symbol.asyncDispose]();
    },
  };
}

Deno.test(
  "a run killed between reading and keeping loses nothing, and two at once keep all",
  async () => {
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
  },
);
