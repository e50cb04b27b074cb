import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { delay } from "@std/async/delay";
import { basename, join } from "node:path";
import { type GitHubServer, githubServer } from "../../helpers/github_server.ts";
import { keepMidnightOut } from "../../helpers/midnight.ts";
import { killGroup, output, runTask, spawnTask } from "../../helpers/program.ts";
import {
  cloneRemote,
  configText,
  pathsAt,
  remoteAndClone,
  tip,
} from "../../helpers/repositories.ts";
import { git, makeRemote, makeScratch, type Scratch } from "../../helpers/scratch.ts";
import { closedPort, httpServer } from "../../helpers/servers.ts";
import { CONFIG, writeTwoDays } from "../../helpers/status_rig.ts";
import { makeRig } from "../../helpers/rig.ts";
import { writeHistory } from "../../helpers/written_history.ts";

const DOWN = `http://127.0.0.1:${closedPort()}`;

/** A clone whose one site, Shop, is down: its issue is number 1. */
async function outage(scratch: Scratch, github: GitHubServer) {
  const rig = await makeRig(scratch, { github });
  await rig.update();
  rig.turn(503);
  assertEquals((await rig.update()).code, 0);
  return rig;
}

Deno.test("status and report show local data on a detached HEAD, and response-time refuses", async () => {
  await using scratch = await makeScratch();
  const { folder } = await remoteAndClone(scratch, CONFIG);
  await writeTwoDays(folder);
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message", "Write a history");
  await git(folder, "checkout", "--quiet", "--detach");
  for (const [task, shown] of [["status", "✘ Shop"], ["report", "# Uptime in"]] as const) {
    const ended = await runTask(task, { folder });
    assertEquals([ended.code, ended.stdout.includes(shown)], [0, true], ended.stderr);
    assertStringIncludes(ended.stderr, "no branch is checked out (HEAD is detached)");
  }
  const ended = await runTask("response-time", { folder });
  assertEquals([ended.code, await git(folder, "status", "--porcelain")], [1, ""]);
});

Deno.test("state shows pending rows, the next commit and executed effects, and writes nothing", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  await using github = await githubServer();
  github.state.hasIssues = false;
  const { remote, folder: clone } = await remoteAndClone(
    scratch,
    configText({ Shop: site.url, Broken: DOWN }),
  );
  for (let run = 0; run < 2; run++) {
    const { code } = await runTask("update", { folder: clone, env: github.env });
    assertEquals(code, 1);
  }
  const fresh = await cloneRemote(remote, join(scratch.path, "fresh"), "--depth=1");
  const before = await git(fresh, "for-each-ref", "refs/heads", "refs/remotes");

  const { code, stdout, stderr } = await runTask("state", { folder: fresh });
  assertEquals([code, stderr], [0, ""]);
  assertMatch(stdout, /^Run state +refs\/monitor\/pending\nHistory +branch main at origin$/m);
  assertMatch(stdout, /^Next commit +first run after \d{4}-\d\d-\d\d 00:00 UTC, or/m);
  assertMatch(stdout, /^Waiting +2 checks of 1 run$/m);
  assertMatch(
    stdout,
    /^ {2}✘ broken +down +– {2}1 check {2}connection refused \(127\.0\.0\.1:\d+\)$/m,
  );
  assertMatch(stdout, /^ {2}✔ shop +up +\d+ ms {2}1 check$/m);
  assertMatch(stdout, /^Sites\n {2}broken: failing in 2 runs since .* UTC$/m);
  assertMatch(
    stdout,
    /^ {2}open an issue for Broken \([\d-]+-broken\)\n {4}planned at .* UTC, failed: Cannot .*$/m,
  );
  assertMatch(stdout, /^ {2}start the workflow for static_site\n {4}executed at .* UTC$/m);

  const data = JSON.parse((await runTask("state", { folder: fresh, args: ["--json"] })).stdout);
  const waiting = data.waiting.map(({ slug }: { slug: string }) => slug).sort();
  assertEquals(waiting, ["broken", "shop"]);
  assertEquals([data.sites.broken.failing.runs, data.sites.shop.recent], [2, "uu"]);
  assertMatch(data.sites.broken.failing.since, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assertEquals([data.memory, data.outbox.length], ["refs/monitor/pending", 3]);
  assertEquals(await git(fresh, "for-each-ref", "refs/heads", "refs/remotes"), before);
  assertEquals(await tip(fresh), await tip(remote, "main"));
});

Deno.test("incidents reads timelines, and shows the stored ones without token or remote, or with a refused token", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  await using scene = await outage(scratch, github);
  const { remote, folder } = scene;
  const { env } = github;
  const incidents = (args: string[] = [], given: Record<string, string> = env) =>
    runTask("incidents", { folder, args, env: given });
  await github.person("acme").comment(1, "**Identified:** a cable\x1b[31m\n\nWe go there.");
  const list = await incidents();
  assertEquals([list.code, list.stderr], [0, ""]);
  assertMatch(
    list.stdout,
    /^open\n✘ Shop {2}down: answered 503 Service Unavailable.* {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}\d+s {2}1 update {2}#1$/m,
  );
  assertStringIncludes(list.stdout, "\n1 incident is open, 0 ended in the last 14 days, ");
  assertEquals(
    await git(remote, "log", "-1", "--format=%an: %s", "main"),
    "Monitor Action: Bring along the timeline of 1 incident [skip ci]",
  );
  // The folder has the remote's state.
  const [path] = (await pathsAt(remote, "main")).filter((one) => one.includes("/incidents/"));
  assertStringIncludes(await Deno.readTextFile(join(folder, path!)), "phase: identified");
  const id = basename(path!, ".yml");

  for (const word of ["Shop", "#1", id]) {
    const one = await incidents([word], {});
    assertEquals(one.code, 0);
    assertMatch(
      one.stderr,
      /^warning: Timelines are as last read: no token is set; set HOST_PAT or GITHUB_TOKEN$/m,
    );
    assertMatch(
      one.stdout,
      /^✘ down: answered 503[^]*^timeline\n.* UTC {2}identified\n {2}a cable \[31m\n\n {2}We go there\.$/m,
    );
    assertStringIncludes(one.stdout, "\nissue ");
  }
  await Deno.rename(remote, `${remote}.gone`);
  const offline = await incidents(["--json"], { ...env, HOST_PAT: "ghp_expired" });
  assertEquals(offline.code, 0);
  const data = JSON.parse(offline.stdout);
  assertStringIncludes(data.stale, "the token is not accepted (Bad credentials)");
  assertEquals(
    data.incidents.map(({ kind, issue, end }: Record<string, unknown>) => [kind, issue, end]),
    [["down", 1, null]],
  );
  assertEquals(data.incidents[0].updates[0].phase, "identified");
  const wrong = await incidents(["blog"], {});
  assertEquals(wrong.code, 2);
  assertMatch(wrong.stderr, /^error: Cannot find an incident "blog": give an id/m);
  assertEquals(github.violations, []);
});

Deno.test("incidents works without configuration, history, git, remote and token", async () => {
  await keepMidnightOut();
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const { path: folder } = scratch;
  const run = (env: Record<string, string> = {}, ...args: string[]) =>
    runTask("incidents", { folder, args, env });
  assertEquals((await run()).stdout, "No incidents yet.\n");
  await scratch.write(".monitorrc.yml", configText({ Shop: "https://shop.example" }));
  for (const env of [{}, github.env]) {
    const { code, stdout, stderr } = await run(env);
    assertEquals([code, stdout, stderr], [0, "No incidents yet.\n", ""]);
  }
  await github.person("acme").open({ title: "Slow", body: "Very.", labels: ["incident", "shop"] });
  const found = await run(github.env);
  assertMatch(found.stdout, /^◆ Shop {2}Slow/m);
  assertMatch((await run()).stdout, /^◆ Shop {2}Slow/m);
  const day = Temporal.Now.instant().toString().slice(0, 10);
  assertStringIncludes(
    await scratch.read(`history/incidents/${day}-issue-1.yml`),
    "kind: manual",
  );
  const json = await run({}, "--json", "1");
  assertEquals(JSON.parse(json.stdout).incidents[0].text, "Very.");
  await git(folder, "init", "--quiet");
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message", "Begin");
  await github.person("acme").comment(1, "Resolved: fast again");
  // GitHub's times are whole seconds, and an incident without any length counts as called off.
  await delay(1_000);
  await github.person("acme").close(1);
  const local = await run(github.env);
  assertEquals([local.code, local.stderr], [0, ""]);
  assertMatch(local.stdout, /^last 14 days\n✔ Shop {2}Slow.* 1 update {2}#1$/m);
  assertEquals(await git(folder, "rev-list", "--count", "HEAD"), "2");
  await git(folder, "checkout", "--quiet", "--detach");
  const detached = await run(github.env);
  assertEquals(detached.code, 0);
  assertMatch(detached.stderr, /no branch is checked out/);
  assert(detached.stdout.includes("Slow"));
});

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
  await using github = await githubServer();
  await using scene = await outage(scratch, github);
  const { remote, folder } = scene;
  const { env } = github;
  const incidents = (args: string[] = [], given: Record<string, string> = env) =>
    runTask("incidents", { folder, args, env: given });
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

const ONE_UPTIME = `graphs: { svg: true }
status-website: { name: Acme status }
sites:
  - { name: Shop, url: https://shop.example.com, maxResponseTime: 500 }
`;

Deno.test("an uptime has one value in badges, statistics, summary, graphs, README, page and status, however late each is made", async () => {
  await using scratch = await makeScratch();
  await scratch.write(".monitorrc.yml", ONE_UPTIME);
  await scratch.write(
    "README.md",
    "<!-- monitor:summary:start -->\n<!-- monitor:summary:end -->\n",
  );
  // The last check is 25 minutes old and found an outage: each minute in which it counted on would change the day's uptime.
  const now = Temporal.Now.instant();
  const ago = (minutes: number) => now.subtract({ minutes });
  await writeHistory(scratch.path, [{ slug: "shop", outages: [{ from: ago(125) }] }], {
    from: ago(10 * 1440),
    to: ago(25),
  });
  const run = async (task: string, ...args: string[]) => {
    const { code, stdout, stderr } = await runTask(task, { folder: scratch.path, args });
    assertEquals([code, stderr], [0, ""], stdout);
    return stdout;
  };
  // 100 minutes and a second of a day, 1 - 6001 / 86400; of a week 1 - 6001 / 604800.
  const [day, week] = ["93.05%", "99.01%"];
  for (const task of ["site", "response-time", "graphs", "readme"]) {
    await run(task, ...task === "readme" ? ["--add-markers"] : []);
  }
  const read = (path: string) => scratch.read(path);
  const badge = async (window: string) =>
    JSON.parse(await read(`api/shop/uptime-${window}.json`)).message;
  assertEquals([await badge("day"), await badge("week")], [day, week]);
  const { windows } = JSON.parse(await read("api/shop/statistics.json"));
  assertEquals([windows.day.uptime, windows.day.down], [0.930544, 6001]);
  const [summary] = JSON.parse(await read("history/summary.json"));
  assertEquals([summary.uptimeDay, summary.uptimeWeek], [day, week]);
  assertStringIncludes(await read("graphs/shop/response-time-day.svg"), day);
  const readme = (await read("README.md")).replaceAll("\\", "");
  assert(readme.includes(day) && readme.includes(week), readme);
  const page = await read("site/status-page/export/index.html");
  assert(page.includes(day) && page.includes(week));
  const { sites } = JSON.parse(await run("status", "--json"));
  assertEquals([sites[0].windows.day.uptime, sites[0].windows.day.down], [0.930544, 6001]);
  assertStringIncludes(await run("status"), day);
});
