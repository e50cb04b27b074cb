import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { basename, join } from "node:path";
import { killGroup } from "../helpers/incident_program.ts";
import { githubServer } from "../helpers/github_server.ts";
import { output, runTask, spawnTask } from "../helpers/program.ts";
import { cloneRemote, configText, pathsAt, tip } from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch, type Scratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { thoroughly } from "../helpers/thorough.ts";

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

Deno.test("incidents brings timelines along and shows them; without a token, with one that is not accepted, and without the remote it shows what was last known", async () => {
  await using scratch = await makeScratch();
  await using scene = await outage(scratch);
  const { github, remote, folder, env, incidents } = scene;
  await github.person("acme").comment(1, "**Identified:** a cable\x1b[31m\n\nWe go there.");
  const before = await tip(remote, "main");
  const dry = await incidents(["--dry-run"]);
  assertEquals([dry.code, dry.stderr], [0, ""]);
  assertMatch(dry.stdout, /^--- history\/incidents\/[\d-]+-shop\.yml\n[^]*phase: identified/m);
  assertEquals(await tip(remote, "main"), before);

  const list = await incidents();
  assertEquals([list.code, list.stderr], [0, ""]);
  assertMatch(
    list.stdout,
    /^open\n✘ Shop {2}down: answered 503 Service Unavailable.* {2}\d\d-\d\d \d\d:\d\d {2}\d+s {2}1 update {2}#1$/m,
  );
  assertStringIncludes(list.stdout, "\n1 incident is open, none ended in the last 14 days.");
  assertEquals(
    await git(remote, "log", "-1", "--format=%an: %s", "main"),
    "Monitor Action: Bring along the timeline of 1 incident [skip ci]",
  );
  // The folder has what the remote has.
  const [path] = (await pathsAt(remote, "main")).filter((one) => one.includes("/incidents/"));
  assertStringIncludes(await Deno.readTextFile(join(folder, path!)), "phase: identified");
  const id = basename(path!, ".yml");

  for (const word of ["shop", "Shop", "1", "#1", id]) {
    const one = await incidents([word], {});
    assertEquals(one.code, 0);
    assertMatch(
      one.stderr,
      /^warning: Timelines are as they were last read: there is no token; set HOST_PAT or GITHUB_TOKEN$/m,
    );
    assertMatch(
      one.stdout,
      /^✘ Shop is down: answered 503[^]*^timeline\n.* UTC {2}Identified\n {2}a cable \[31m\n\n {2}We go there\.$/m,
    );
    assertStringIncludes(one.stdout, "issue        ");
  }
  await Deno.rename(remote, `${remote}.gone`);
  const offline = await incidents(["--json"], { ...env, HOST_PAT: "ghp_expired" });
  assertEquals(offline.code, 0);
  const data = JSON.parse(offline.stdout);
  assertStringIncludes(data.stale, "the token is not accepted (Bad credentials)");
  assertEquals(
    data.incidents.map(({ kind, issue, end }: Record<string, unknown>) => [kind, issue, end]),
    [
      ["down", 1, null],
    ],
  );
  assertEquals(data.incidents[0].updates[0].phase, "identified");
  const wrong = await incidents(["blog"], {});
  assertEquals(wrong.code, 2);
  assertMatch(wrong.stderr, /^error: Cannot find an incident "blog": give an id/m);
  assertEquals(github.violations, []);
});

thoroughly(
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

thoroughly(
  "incidents works where there is nothing yet: no configuration, no history, no git, no remote, no token",
  async () => {
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
    await github.person("acme").open({
      title: "Slow",
      body: "Very.",
      labels: ["incident", "shop"],
    });
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
  },
);
