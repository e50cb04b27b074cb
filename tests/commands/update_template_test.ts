import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { runTask } from "../helpers/program.ts";
import {
  cloneRemote,
  commitFile,
  pathsAt,
  status,
  tip,
  writeHook,
} from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch, type Scratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { thoroughly } from "../helpers/thorough.ts";

const CONFIG = "sites: [{ name: A, url: https://a.example }]\n";
const UPTIME = ".github/workflows/uptime.yml";
const SITE = ".github/workflows/site.yml";

async function cloned(scratch: Scratch, config = CONFIG, name = ".monitorrc.yml") {
  const remote = await makeRemote(scratch.path, { [name]: config });
  const folder = await cloneRemote(remote, join(scratch.path, "clone"));
  const run = (args: string[] = [], env: Record<string, string> = {}) =>
    runTask("update-template", { folder, args, env });
  const at = (path: string) => git(remote, "cat-file", "blob", `main:${path}`);
  return { remote, folder, run, at };
}

/** Commits a file as its user does, and pushes it. */
async function pushFile(folder: string, name: string, text: string): Promise<void> {
  await commitFile(folder, name, text);
  await git(folder, "push", "--quiet", "origin", "main");
}

Deno.test("update-template writes the six workflows in a commit of their own, once", async () => {
  await using scratch = await makeScratch();
  const { remote, folder, run, at } = await cloned(scratch);
  const first = await run([], { ACTION_REPOSITORY: "acme/fork" });
  assertEquals([first.code, first.stderr], [0, ""]);
  assertMatch(
    first.stdout,
    /^Workflows at acme\/fork@v1\.41\.0: 6 files written in [0-9a-f]{7}: commits on main at origin\.$/m,
  );
  assertEquals(
    await git(remote, "show", "--format=%s", "--name-only", "main"),
    [
      "Bring the workflows up to date [skip ci]",
      "",
      ...["graphs", "response-time", "setup", "site", "summary", "uptime"].map((name) =>
        `.github/workflows/${name}.yml`
      ),
    ].join("\n"),
  );
  assertEquals([await status(folder), await tip(folder)], ["", await tip(remote, "main")]);
  assertStringIncludes(await at(UPTIME), "uses: acme/fork@v1.41.0\n");

  const second = await run([], { GITHUB_ACTION_REPOSITORY: "acme/fork" });
  assertMatch(second.stdout, /nothing new\.$/m);
  assertEquals(await git(remote, "rev-list", "--count", "main"), "2");
});

Deno.test("update-template keeps lines of one's own, leaves alone what was changed elsewhere or made by others, and says how", async () => {
  await using scratch = await makeScratch();
  const { folder, run, at } = await cloned(scratch);
  await run();
  const uptime = await at(UPTIME) + "\n";
  await pushFile(folder, UPTIME, uptime.replace("timeout-minutes: 10", "timeout-minutes: 20"));
  const site = await at(SITE) + "\n";
  const own = '      - run: echo "mine"\n';
  await pushFile(folder, SITE, site.replace("      # monitor: keep before\n", `$&${own}`));
  const summary = "on: push\njobs: {}\n";
  await pushFile(folder, ".github/workflows/summary.yml", summary);
  await pushFile(folder, ".github/workflows/mine.yml", "on: push\njobs: {}\n");
  const upptimes = "steps:\n  - uses: upptime/updates@master\n";
  await pushFile(folder, ".github/workflows/updates.yml", upptimes);
  await pushFile(folder, ".github/workflows/uptime.yaml", "on: push\njobs: {}\n");
  await pushFile(folder, ".monitorrc.yml", `${CONFIG}runner: self-hosted\n`);

  const { code, stdout, stderr } = await run();
  assertEquals(code, 0);
  assertMatch(stdout, /4 files written, 2 left alone in /);
  assertMatch(
    stderr,
    /uptime\.yml was changed by hand .* move your lines between "# monitor: keep"/,
  );
  assertStringIncludes(stderr, "\n-    timeout-minutes: 20\n");
  assertMatch(stderr, /summary\.yml was not made by this program/);
  for (const name of ["updates.yml", "uptime.yaml"]) {
    assertStringIncludes(stderr, `${name} is no longer needed`);
  }
  assertStringIncludes(await at(UPTIME), "timeout-minutes: 20");
  assertStringIncludes(await at(SITE), own);
  assertStringIncludes(await at(SITE), "runs-on: self-hosted");
  assertEquals(await at(".github/workflows/mine.yml"), "on: push\njobs: {}");

  const preview = JSON.parse((await run(["--force", "--dry-run", "--json"])).stdout);
  const fates = preview.workflows.map(({ fate }: { fate: string }) => fate);
  assertEquals(fates, ["replaced", "same", "same", "same", "replaced", "same"]);
  assertStringIncludes(await at(UPTIME), "timeout-minutes: 20");
  assertMatch((await run(["--force"])).stdout, /2 files written in /);
  assertStringIncludes(await at(UPTIME), "timeout-minutes: 10");
});

Deno.test("a workflow whose runs-on was edited by hand gets the next schedule, and keeps its runs-on", async () => {
  await using scratch = await makeScratch();
  const { folder, run, at } = await cloned(scratch);
  await run();
  const own = "runs-on: [self-hosted, linux] # has the client certificate";
  const uptime = await at(UPTIME) + "\n";
  await pushFile(folder, UPTIME, uptime.replace("runs-on: ubuntu-latest", own));
  await pushFile(
    folder,
    ".monitorrc.yml",
    `${CONFIG}workflowSchedule: { uptime: "*/15 * * * *" }\n`,
  );
  const { code, stdout, stderr } = await run();
  assertEquals([code, stderr], [0, ""]);
  assertMatch(stdout, /1 file written in /);
  assertStringIncludes(await at(UPTIME), own);
  assertStringIncludes(await at(UPTIME), '- cron: "*/15 * * * *"');
  assertMatch((await run()).stdout, /nothing new\.$/m);
});

Deno.test("a repository of Upptime's is brought up to date by its own configuration", async () => {
  await using scratch = await makeScratch();
  const { folder, run, at } = await cloned(scratch, CONFIG, ".upptimerc.yml");
  const { code, stderr } = await run();
  assertEquals([code, stderr, await status(folder)], [0, "", ""]);
  assertStringIncludes(await at(".github/workflows/setup.yml"), 'paths: [".upptimerc.yml"]');
});

Deno.test("where the token may not write workflows, the files are printed with the cure, and Setup CI goes on", async () => {
  await using scratch = await makeScratch();
  const { remote, folder, run } = await cloned(scratch);
  const words =
    "refusing to allow a GitHub App to create or update workflow \\`.github/workflows/graphs.yml\\` without \\`workflows\\` permission";
  await writeHook(remote, "pre-receive", `echo "${words}" >&2; exit 1`);
  const { code, stdout, stderr } = await run();
  assertEquals(code, 0);
  assertMatch(
    stderr,
    /^warning: The workflows stay as they were: .*refusing to allow a GitHub App/,
  );
  assertMatch(stderr, /with the scopes repo and workflow .* save it as the secret HOST_PAT/);
  assertStringIncludes(stdout, `--- ${UPTIME}\n# Generated by Monitor Action from .monitorrc.yml`);
  assertMatch(stdout, /6 files to write\. Nothing was written\.$/m);
  assertEquals([await pathsAt(remote, "main"), await status(folder)], [[".monitorrc.yml"], ""]);

  await writeHook(remote, "pre-receive", `echo "this branch is protected" >&2; exit 1`);
  const other = await run();
  assertEquals(other.code, 1);
  assertMatch(other.stderr, /^error: Cannot push to main at origin: .*protected/m);
});

Deno.test("update-template takes the newest release of its major version, unless a version or a commit is held", async () => {
  await using scratch = await makeScratch();
  const asked: (string | null)[] = [];
  const releases = [
    { tag_name: "v2.0.0", draft: false, prerelease: false },
    { tag_name: "v1.43.0", draft: false, prerelease: true },
    { tag_name: "v1.42.10", draft: false, prerelease: false },
    { tag_name: "v1.42.9", draft: false, prerelease: false },
    { tag_name: "nightly; rm", draft: false, prerelease: false },
  ];
  await using api = httpServer((request) => {
    asked.push(`${new URL(request.url).pathname} ${request.headers.get("authorization")}`);
    return Response.json(releases);
  });
  const { folder, run } = await cloned(scratch);
  const env = { GITHUB_API_URL: api.url.replace(/\/$/, ""), HOST_PAT: "t0ken" };
  const action = async () => JSON.parse((await run(["--dry-run", "--json"], env)).stdout).action;
  const ours = "monitor-action/monitor-action";
  assertEquals(await action(), `${ours}@v1.42.10`);
  assertEquals(asked, [`/repos/${ours}/releases token t0ken`]);
  for (
    const [held, expected] of [["1.40.0", "v1.40.0"], [
      "a".repeat(40),
      `${"a".repeat(40)} # v1.41.0, held by actionVersion`,
    ]]
  ) {
    await commitFile(folder, ".monitorrc.yml", `${CONFIG}actionVersion: ${held}\n`);
    assertEquals(await action(), `${ours}@${expected}`);
  }
  assertEquals(asked.length, 1);
});

thoroughly(
  "where GitHub does not tell of releases, the program's own version is taken",
  async () => {
    await using scratch = await makeScratch();
    await using api = httpServer(() => new Response("{}", { status: 404 }));
    const { run } = await cloned(scratch);
    const env = { GITHUB_API_URL: api.url.replace(/\/$/, ""), HOST_PAT: "t0ken" };
    const { code, stdout, stderr } = await run([], env);
    assertEquals([code, stderr], [0, ""]);
    assertMatch(stdout, /^Workflows at monitor-action\/monitor-action@v1\.41\.0: 6 files written/m);
  },
);

Deno.test("nothing is written where the configuration says of workflows what can't be read, nor in a folder of a repository", async () => {
  await using scratch = await makeScratch();
  const { remote, folder, run } = await cloned(scratch, `${CONFIG}secrets: [A, "B C"]\n`);
  const wrong = await run();
  assertEquals(wrong.code, 2);
  assertMatch(wrong.stderr, /secrets.*the name of a secret, such as API_TOKEN/);
  assertMatch(wrong.stderr, /Cannot make workflows/);
  const inner = join(folder, "inner");
  await Deno.mkdir(inner);
  await Deno.writeTextFile(join(inner, ".monitorrc.yml"), CONFIG);
  const { code, stderr } = await runTask("update-template", { folder: inner });
  assertEquals(code, 2);
  assertMatch(stderr, /they stand at the top of a repository, and this is its folder inner\//);
  assertEquals(await pathsAt(remote, "main"), [".monitorrc.yml"]);
});

thoroughly("update-template writes files where there is no repository", async () => {
  await using scratch = await makeScratch();
  await scratch.write(".monitorrc.yml", CONFIG);
  const { code } = await runTask("update-template", { folder: scratch.path });
  assert((await scratch.read(UPTIME)).includes("name: Uptime CI"));
  assertEquals(code, 0);
});
