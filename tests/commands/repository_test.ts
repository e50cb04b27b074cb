import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { githubServer } from "../helpers/github_server.ts";
import { runTask } from "../helpers/program.ts";
import {
  cloneRemote,
  commitFile,
  configText,
  makeRepository,
  pathsAt,
  status,
  tip,
  writeHook,
} from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch, type Scratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { writeHistory } from "../helpers/written_history.ts";

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
  await commitFile(folder, ".monitorrc.yml", `${CONFIG}action: acme/mirror@main\n`);
  assertEquals(await action(), "acme/mirror@main");
  assertEquals(asked.length, 1);
  await commitFile(folder, ".monitorrc.yml", `${CONFIG}action: acme/mirror\n`);
  assertEquals(await action(), "acme/mirror@v1.42.10");
  assertEquals(asked[1], "/repos/acme/mirror/releases token t0ken");
});

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

const SHOP_CONFIG = configText({ Shop: "http://127.0.0.1:1", Forum: "http://127.0.0.1:2" });

const MARKED =
  "# Acme\r\n\r\nUp: <!--live status-->\r\n\r\n<!--start: status pages-->\r\n<!--end: status pages-->\r\n\r\nEnd";

/** A clone of a remote in which two sites were checked, one of which is down. */
async function clone(scratch: Scratch, files: Readonly<Record<string, string>>): Promise<string> {
  const remote = await makeRemote(scratch.path, { ".monitorrc.yml": SHOP_CONFIG, ...files });
  const folder = await cloneRemote(remote, join(scratch.path, "clone"));
  const to = Temporal.Now.instant().subtract({ minutes: 2 });
  const outages = [{ from: to.subtract({ minutes: 20 }) }];
  const span = { from: to.subtract({ hours: 5 }), to };
  await writeHistory(folder, [{ slug: "shop" }, { slug: "forum", outages }], span);
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message", "Check");
  await git(folder, "push", "--quiet");
  return folder;
}

async function readme(folder: string, args: string[] = [], env = {}) {
  return await runTask("readme", { folder, args, env });
}

Deno.test("the README of the branch tells how all sites are, in a commit of its own; run again it stays, and so do the user's edits", async () => {
  await using scratch = await makeScratch();
  const folder = await clone(scratch, { "README.md": MARKED });
  const before = await tip(folder);
  const planned = await readme(folder, ["--dry-run"]);
  assertStringIncludes(planned.stdout, "--- README.md\n# Acme");
  assertEquals([await tip(folder), await status(folder)], [before, ""]);

  const first = await readme(folder, ["--json"]);
  assertEquals(first.code, 0, first.stderr);
  const { file, changed, overall, commit } = JSON.parse(first.stdout);
  assertEquals([file, changed, overall], ["README.md", true, "partialOutage"]);
  assertEquals([commit, await status(folder)], [
    await tip(join(scratch.path, "remote.git"), "main"),
    "",
  ]);
  assertEquals(
    await git(folder, "log", "-1", "--format=%s"),
    "Update the summary in the README [skip ci]",
  );
  const text = await Deno.readTextFile(join(folder, "README.md"));
  assertStringIncludes(text, "Up: <!--live status--> **🟧 Partial outage**\r\n");
  assertMatch(text, /^\| \[Shop\]\(http:\/\/127\.0\.0\.1:1\/\) \| 🟩&nbsp;Operational \| /m);
  assertMatch(text, /^\| \[Forum\]\(http:\/\/127\.0\.0\.1:2\/\) \| 🟥&nbsp;Down \| /m);
  assert(text.startsWith("# Acme\r\n\r\n") && text.endsWith("-->\r\n\r\nEnd"));
  assert(!/(?<!\r)\n/.test(text));

  await Deno.writeTextFile(join(folder, "README.md"), `${text} mine`);
  const second = await readme(folder);
  assertEquals([second.code, second.stdout], [
    0,
    "Summary of 2 sites in README.md: nothing new.\n",
  ]);
  assertEquals(await tip(folder), commit);
  assertEquals(await status(folder), " M README.md");
});

Deno.test("without a README or its markers nothing is written and the cure is named; --add-markers is it", async () => {
  await using scratch = await makeScratch();
  const folder = await clone(scratch, {});
  const before = await tip(folder);
  const none = await readme(folder);
  assertEquals([none.code, await tip(folder)], [2, before]);
  assertStringIncludes(none.stderr, "README.md is missing; --add-markers creates it");
  assertStringIncludes(none.stderr, "\n<!-- monitor: summary -->\n<!-- /monitor: summary -->\n");

  await Deno.writeTextFile(join(folder, "README.md"), MARKED);
  const ahead = await readme(folder, ["--add-markers"]);
  assertEquals([ahead.code, await tip(folder)], [2, before]);
  assertStringIncludes(ahead.stderr, "README.md is not committed as a regular file");
  await Deno.remove(join(folder, "README.md"));
  await Deno.mkdir(join(folder, ".github/workflows"), { recursive: true });
  await commitFile(folder, ".github/workflows/uptime.yml", "on: push\n");
  await git(folder, "push", "--quiet");

  const made = await readme(folder, ["--add-markers"]);
  assertEquals(made.code, 0, made.stderr);
  assert((await pathsAt(folder)).includes("README.md"));
  const text = await Deno.readTextFile(join(folder, "README.md"));
  assertMatch(text, /^# Status$/m);
  assertStringIncludes(
    text,
    "**Status:** <!-- monitor: live status --> **🟧 Partial outage**\n",
  );
  assertStringIncludes(text, "[`.monitorrc.yml`](.monitorrc.yml)");
  assertEquals(text.match(/workflows\/[^/]+\/badge\.svg/g), ["workflows/uptime.yml/badge.svg"]);
  assertStringIncludes((await readme(folder, ["--add-markers"])).stdout, "nothing new");
});

Deno.test("a README that is a link stays one", async () => {
  await using scratch = await makeScratch();
  const folder = await clone(scratch, { "acme.md": "# Acme\n" });
  await Deno.symlink("acme.md", join(folder, "README.md"));
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message", "Link");
  const before = await tip(folder);
  const { code, stderr } = await readme(folder, ["--add-markers"]);
  assertEquals([code, await tip(folder)], [2, before]);
  assertStringIncludes(stderr, "README.md is not committed as a regular file");
});

Deno.test("in a folder of a repository, files follow with no more than the task may do", async () => {
  await using scratch = await makeScratch();
  const folder = await clone(scratch, {});
  const inner = join(folder, "ops", "status");
  await Deno.mkdir(inner, { recursive: true });
  await commitFile(inner, ".monitorrc.yml", SHOP_CONFIG);
  await commitFile(inner, "README.md", "<!-- monitor: summary -->\n<!-- /monitor: summary -->\n");
  await git(folder, "push", "--quiet");
  const { code, stdout, stderr } = await readme(inner);
  assertEquals([code, stderr, await status(folder)], [0, "", ""]);
  assertStringIncludes(stdout, "README.md: written in");
});

Deno.test("the empty parts of the About box are filled in, and nothing is replaced", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const top = "status-website: { name: Acme, cname: status.acme.example }\nissues: false\n";
  const folder = join(scratch.path, "plain");
  await Deno.mkdir(folder);
  const config = join(folder, ".monitorrc.yml");
  await Deno.writeTextFile(config, SHOP_CONFIG.replace("sites:", `${top}sites:`));
  await Deno.writeTextFile(join(folder, "readme.md"), "<!-- monitor: live status -->");
  const refused = await readme(folder, [], github.env);
  assertEquals(refused.code, 0, refused.stderr);
  assertStringIncludes(
    refused.stderr,
    'Cannot change the "About" box of the repository in acme/status: the account of the token may not write there; give it the role Admin',
  );
  assertStringIncludes(
    refused.stderr,
    "set skipDescriptionUpdate, skipHomepageUpdate and skipTopicsUpdate to true",
  );
  assertStringIncludes(
    refused.stderr,
    "readme.md has no place for the summary: --add-markers makes one, or put <!-- monitor: summary --> and <!-- /monitor: summary --> where it belongs",
  );
  assertEquals(
    await Deno.readTextFile(join(folder, "readme.md")),
    "<!-- monitor: live status --> <strong>⬜ No data yet</strong>",
  );

  const env = { ...github.env, HOST_PAT: github.account("acme").token };
  const planned = await readme(folder, ["--dry-run"], env);
  assertStringIncludes(planned.stdout, "The repository would get what it lacked: description (");
  const { stdout } = await readme(folder, ["--json"], env);
  const about = {
    description: "Uptime monitor and status page of Acme",
    homepage: "https://status.acme.example",
    topics: ["uptime-monitor", "status-page", "monitor-action"],
  };
  assertEquals(JSON.parse(stdout).about, about);
  assertEquals(await github.about(), about);

  github.requests.length = 0;
  await Deno.writeTextFile(
    config,
    (await Deno.readTextFile(config)).replace("name: Acme", "name: Other"),
  );
  await readme(folder, [], env);
  assertEquals(github.asked, ["GET /repos/acme/status"]);
  assertEquals([await github.about(), github.violations], [about, []]);
});

const WRITING = ["update", "response-time", "graphs", "site", "readme"];

const REFUSAL =
  /^error: Nothing was changed, because this folder holds what Upptime recorded of \d+ sites? and nothing of ours: "update --fresh" .*"import upptime"\n$/;

/** Files of a repository in which Upptime monitored a shop and a blog, of which only the shop is configured. */
function upptimeFiles(url: string): Record<string, string> {
  const record = (address: string, generator = true) =>
    `url: ${address}\nstatus: down\ncode: 0\nresponseTime: 81\nlastUpdated: 2023-08-08T23:03:29.660Z\n` +
    // Early versions wrote times that no parser of ISO 8601 reads.
    `startTime: ${
      generator ? "2022-04-11T07:37:56.000Z" : "Mon Apr 11 2022 07:37:56 GMT+0000 (UTC)"
    }\n` +
    (generator ? "generator: Upptime <https://github.com/upptime/upptime>\n" : "");
  const badge = `{"schemaVersion":1,"label":"response time","message":"81 ms","color":"green"}`;
  const entry = (slug: string) => ({
    name: slug,
    url,
    slug,
    status: "up",
    uptime: "99.12%",
    uptimeDay: "1.00%",
  });
  return {
    ".upptimerc.yml": configText({ Shop: url }),
    "README.md": "# Status\n\n<!--start: status pages-->\nold\n<!--end: status pages-->\n",
    "history/shop.yml": record(url),
    "history/blog.yml": record("https://blog.example", false),
    "history/summary.json": JSON.stringify([entry("shop"), entry("blog")], null, 2),
    "history/LICENSE": "theirs\n",
    "api/shop/uptime.json": badge,
    "api/blog/response-time.json": badge,
    "api/blog/uptime-day.json": badge,
    "graphs/blog/response-time.png": "a picture",
  };
}

async function contentsOf(folder: string): Promise<Map<string, string>> {
  const names = (await git(folder, "ls-files", "-z")).split("\0").filter((name) => name !== "");
  return new Map(
    await Promise.all(names.map(async (name): Promise<[string, string]> => [
      name,
      [...await Deno.readFile(join(folder, name))].join(),
    ])),
  );
}

async function makeFolders(folder: string, files: Record<string, string>): Promise<void> {
  for (const path of Object.keys(files)) {
    await Deno.mkdir(join(folder, path, ".."), { recursive: true });
  }
}

Deno.test("every command that writes stops in a repository that holds Upptime's history alone, and changes nothing", async () => {
  await using scratch = await makeScratch();
  let requests = 0;
  await using site = httpServer(() => new Response(`${++requests}`));
  const files = upptimeFiles(site.url);
  const folder = join(scratch.path, "status");
  await makeFolders(folder, files);
  await makeRepository(folder, files);
  const before = [await tip(folder), await contentsOf(folder)];
  for (const command of [...WRITING, "update-template", "incidents"]) {
    const { code, stdout, stderr } = await runTask(command, { folder });
    assertEquals([command, code, stdout], [command, 2, ""]);
    assertMatch(stderr, REFUSAL);
  }
  assertEquals([await status(folder), await tip(folder), await contentsOf(folder)], [
    "",
    ...before,
  ]);
  assertEquals(requests, 0);
});

Deno.test("a fresh start keeps every file of Upptime but those of the configured sites' own records", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const files = upptimeFiles(site.url);
  const folder = join(scratch.path, "status");
  await makeFolders(folder, files);
  await makeRepository(folder, files);
  const before = await contentsOf(folder);
  const first = await runTask("update", { folder, args: ["--fresh"] });
  assertEquals([first.code, first.stderr], [0, ""]);
  for (const command of WRITING.slice(1)) {
    assertEquals([command, (await runTask(command, { folder })).code], [command, 0]);
  }
  const after = await contentsOf(folder);
  const changed = [...before].filter(([path, text]) => after.get(path) !== text).map(([path]) =>
    path
  );
  assertEquals(changed.sort(), [
    "README.md",
    "api/shop/uptime.json",
    "history/shop.yml",
    "history/summary.json",
  ]);
  const record = await Deno.readTextFile(join(folder, "history/shop.yml"));
  assert(!record.includes("2022-04-11"), record);
  assert(!(await Deno.readTextFile(join(folder, "history/summary.json"))).includes("99.12%"));
  assertEquals(
    await Array.fromAsync(Deno.readDir(join(folder, "history/incidents"))).catch(() => []),
    [],
  );
});

Deno.test("init in a repository that was Upptime's names the fresh start instead of the jobs", async () => {
  await using scratch = await makeScratch();
  const files = upptimeFiles("https://example.com");
  const folder = join(scratch.path, "status");
  await makeFolders(folder, files);
  await makeRepository(folder, files);
  const { code, stdout } = await runTask("init", { folder });
  assertEquals(code, 2);
  assertMatch(stdout, /^This is a repository of Upptime, with the history of \d sites?;/);
  assert(stdout.includes("update --fresh"), stdout);
  await Deno.rename(join(folder, ".upptimerc.yml"), join(folder, ".monitorrc.yml"));
  const moved = await runTask("init", { folder });
  assertEquals(moved.code, 0);
  assert(moved.stdout.includes("monitor update --fresh"), moved.stdout);
  assert(!moved.stdout.includes("does the rest"), moved.stdout);
});
