import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { join } from "node:path";
import { init } from "../../commands/init.ts";
import { githubServer } from "../helpers/github_server.ts";
import { cleanEnvironment, PROJECT, recordedIo, runTask } from "../helpers/program.ts";
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
import { findTool, testWith } from "../helpers/tools.ts";
import { writeHistory } from "../helpers/written_history.ts";
import { AddressError, firstSite, withDistinctNames } from "../../lib/config/first_site.ts";
import { parseConfig } from "../../lib/config/parse.ts";
import { WORKFLOWS } from "../../lib/config/workflows.ts";
import { systemClock } from "../../lib/io/clock.ts";
import { readEnvironment } from "../../lib/io/environment.ts";
import { Log } from "../../lib/io/log.ts";
import { Secrets } from "../../lib/io/secrets/secrets.ts";
import { folderWorkspace } from "../../lib/io/workspace.ts";
import { Options, UsageError } from "../../lib/text/arguments.ts";
import { SCHEMA_ADDRESS } from "../../lib/version.ts";
import { firstConfig } from "../../templates/first_config.ts";

function read(folder: string): Promise<string> {
  return Deno.readTextFile(join(folder, ".monitorrc.yml"));
}

async function sitesOf(text: string) {
  const { config, problems } = await parseConfig(text);
  assertEquals(problems.filter(({ severity }) => severity !== "notice"), []);
  return config!.sites.map(({ name, url, check }) => [name, url, check]);
}

Deno.test("init writes a configuration of the addresses given, without asking", async () => {
  await using scratch = await makeScratch();
  const args = ["www.example.com", "https://example.com/health", "db.example.com:5432", "$ADDRESS"]
    .flatMap((address) => ["--url", address]);
  const { code, stdout, stderr } = await runTask("init", { folder: scratch.path, args });
  assertEquals([code, stderr], [0, ""]);
  assertStringIncludes(stdout, "\nNext:\n  check example.com ");
  const text = await read(scratch.path);
  assertEquals(text.split("\n")[0], `# yaml-language-server: $schema=${SCHEMA_ADDRESS}`);
  assertEquals(await sitesOf(text), [
    ["example.com", "https://www.example.com", "http"],
    ["example.com/health", "https://example.com/health", "http"],
    ["db.example.com:5432", "db.example.com", "tcp-ping"],
    ["ADDRESS", "$ADDRESS", "http"],
  ]);
  const validated = await runTask("validate", { folder: scratch.path });
  assertEquals(validated.code, 0);
});

Deno.test("the examples in comments are right when their # is taken away", async () => {
  const text = firstConfig([{ name: "A", url: "https://example.com" }]);
  const examples = text.split("\n").filter((line) => /^ *#(?=[^ ])/.test(line));
  assert(examples.length > 4);
  const { config, problems } = await parseConfig(
    text.replaceAll(/^( *)#(?=[^ ]| {2,}[-\w])/gm, "$1"),
  );
  assertEquals(problems.filter(({ severity }) => severity !== "notice"), []);
  assertEquals(config!.sites[0]!.maxResponseTime, 2000);
  assertEquals(config!.notifications.length, 1);
  assertEquals(config!.workflowSchedule.uptime, "*/15 * * * *");
});

Deno.test("init writes workflows, README and .gitattributes too, and run again changes nothing", async () => {
  await using scratch = await makeScratch();
  const args = ["--url", "https://example.com"];
  const first = await runTask("init", { folder: scratch.path, args });
  assertStringIncludes(
    first.stdout,
    "Wrote .monitorrc.yml, README.md, .gitattributes and 6 files in .github/workflows/.\n",
  );
  const before = await contents(scratch.path);
  assertEquals([...before.keys()], [
    ".gitattributes",
    ...Object.values(WORKFLOWS).map(({ file }) => `.github/workflows/${file}`).sort(),
    ".monitorrc.yml",
    "README.md",
  ]);
  const again = await runTask("init", { folder: scratch.path, args });
  const note = "There is a .monitorrc.yml already: --url changes nothing in it";
  assertEquals([again.code, again.stderr], [0, `warning: ${note}\n`]);
  const planned = await runTask("init", { folder: scratch.path, args: ["--dry-run"] });
  assertEquals(planned.stdout, "Nothing is missing.\n");
  const updated = await runTask("update-template", { folder: scratch.path });
  assertEquals([updated.code, updated.stderr], [0, ""]);
  assertEquals(await contents(scratch.path), before);
});

Deno.test("init keeps all that is there, and adds only what is missing", async () => {
  await using scratch = await makeScratch();
  const config = "status-website: { name: Größe }\nsites:\n  - { name: A, url: a.example }\n";
  await scratch.write(".upptimerc.yml", config);
  await scratch.write("readme.md", "# Mine\r\n\r\nAs it was");
  await scratch.write(".gitattributes", "*.png filter=lfs");
  await folderWorkspace(scratch.path).write(".github/workflows/uptime.yml", "mine");
  const { code, stdout } = await runTask("init", { folder: scratch.path });
  assertEquals(code, 0);
  assertStringIncludes(stdout, "Added what was missing to readme.md and .gitattributes.\n");
  const after = await contents(scratch.path);
  assertEquals(after.get(".upptimerc.yml"), config);
  assertEquals(after.get(".github/workflows/uptime.yml"), "mine");
  assertStringIncludes(after.get(".github/workflows/setup.yml")!, '[".upptimerc.yml"]');
  assert(after.get("readme.md")!.startsWith("# Mine\r\n\r\nAs it was\r\n\r\n"));
  assertStringIncludes(after.get("readme.md")!, "<!-- monitor: summary -->\r\n");
  assert(after.get(".gitattributes")!.startsWith("*.png filter=lfs\n#"));
  assertEquals(after.has(".monitorrc.yml"), false);
});

Deno.test("init leaves a README alone that is a link, and writes the rest", async () => {
  await using scratch = await makeScratch();
  await Deno.symlink("elsewhere.md", join(scratch.path, "README.md"));
  const args = ["--url", "https://example.com"];
  const { code, stdout } = await runTask("init", { folder: scratch.path, args });
  assertEquals(code, 0);
  assertStringIncludes(stdout, "and 6 files in .github/workflows/.\nLeft README.md as it is.\n");
  assertEquals(await Deno.readLink(join(scratch.path, "README.md")), "elsewhere.md");
});

Deno.test("in a folder of a repository init writes no workflows, and promises nothing of them", async () => {
  await using scratch = await makeScratch();
  const folder = join(await makeRepository(scratch.path, { "a.txt": "" }), "inner");
  await Deno.mkdir(folder);
  const { code, stdout } = await runTask("init", { folder, args: ["--url", "a.example"] });
  assertEquals(code, 0);
  assertStringIncludes(stdout, "Wrote .monitorrc.yml, README.md and .gitattributes.\n");
  assert(!stdout.includes("Setup CI"));
});

Deno.test("init says what is in the way of a file", async () => {
  await using scratch = await makeScratch();
  await scratch.write(".github", "");
  const args = ["--url", "https://example.com"];
  const { code, stderr } = await runTask("init", { folder: scratch.path, args });
  assertEquals([code, stderr], [
    1,
    "error: Cannot write .github/workflows/uptime.yml: .github is a file; move it away\n",
  ]);
});

Deno.test("init says what is wrong with a configuration of which nothing can be used, and writes nothing", async () => {
  await using scratch = await makeScratch();
  await scratch.write(".monitorrc.yml", "mine");
  const { code, stderr } = await runTask("init", { folder: scratch.path });
  assertEquals(code, 2);
  assertStringIncludes(stderr, ".monitorrc.yml:1:1");
  assertEquals([...await contents(scratch.path)], [[".monitorrc.yml", "mine"]]);
});

/** Texts of all files of a folder, by path. */
async function contents(folder: string): Promise<Map<string, string>> {
  const files = await folderWorkspace(folder).readAll(".", () => true);
  const texts = [...files].map(([path, bytes]): [string, string] => [
    path.replace("./", ""),
    new TextDecoder().decode(bytes),
  ]);
  return new Map(texts.sort(([one], [other]) => one < other ? -1 : 1));
}

function alreadyThere(name: string): string {
  return `Cannot begin anew: there is a ${name} already, and it stays as it is`;
}

async function refusal({ path }: Scratch): Promise<string> {
  const args = ["--url", "https://example.com"];
  const { code, stdout, stderr } = await runTask("init", { folder: path, args });
  assertEquals([code, stdout], [2, ""]);
  return stderr;
}

Deno.test("init leaves alone whatever else has the name of the configuration", async () => {
  await using folder = await makeScratch();
  await Deno.mkdir(join(folder.path, ".monitorrc.yml"));
  assertEquals(await refusal(folder), `error: ${alreadyThere(".monitorrc.yml")}\n`);
  await using link = await makeScratch();
  await Deno.symlink("elsewhere.yml", join(link.path, ".monitorrc.yml"));
  assertEquals(await refusal(link), `error: ${alreadyThere(".monitorrc.yml")}\n`);
  assertEquals((await Array.fromAsync(Deno.readDir(link.path))).length, 1);
});

Deno.test("init writes the file that --config names, and tells it as data with --json", async () => {
  await using scratch = await makeScratch();
  const args = ["--config", "sub/my own.yml", "--json", "--url", "example.com"];
  const { code, stdout } = await runTask("init", { folder: scratch.path, args });
  const { file, written, sites, text } = JSON.parse(stdout);
  assertEquals([code, file, written], [0, "sub/my own.yml", true]);
  assertEquals(sites, [{ name: "example.com", url: "https://example.com" }]);
  assertEquals(await scratch.read("sub/my own.yml"), text);
  assertEquals((await Array.fromAsync(Deno.readDir(scratch.path))).length, 1);
  const again = await runTask("init", { folder: scratch.path, args });
  assertEquals([again.code, again.stdout], [2, ""]);
});

Deno.test("init takes any address that can be told from, and each site gets a name of its own", async () => {
  const long = "x".repeat(120);
  const cases: [address: string, name: string, url: string, check: string][] = [
    ["müller.de", "müller.de", "https://müller.de", "http"],
    ["localhost", "localhost", "https://localhost", "http"],
    ["db:5432", "db:5432", "db", "tcp-ping"],
    ["[::1]:6379", "[::1]:6379", "::1", "tcp-ping"],
    ["example.com:8080", "example.com:8080", "http://example.com:8080", "http"],
    ["example.com:8443/x", "example.com:8443/x", "https://example.com:8443/x", "http"],
    ["example.com/5432", "example.com/5432", "https://example.com/5432", "http"],
    ["example.com:5432", "example.com:5432 (2)", "example.com", "tcp-ping"],
    [`example.org/${long}`, "example.org", `https://example.org/${long}`, "http"],
    [`example.org/${long}?2`, "example.org (2)", `https://example.org/${long}?2`, "http"],
    ["https://$USER:$PASS@a.example/", "a.example", "https://$USER:$PASS@a.example/", "http"],
  ];
  const sites = withDistinctNames(cases.map(([address]) => firstSite(address)));
  assertEquals(await sitesOf(firstConfig(sites)), cases.map(([, ...site]) => site));
  for (const address of ["", "website", "ftp://a.example", "a.example:0", "https://", "me@a.b"]) {
    assertThrows(() => firstSite(address), AddressError, "Cannot tell what to monitor from");
  }
});

Deno.test("init writes no password, and does not repeat the one it was given", async () => {
  await using scratch = await makeScratch();
  for (const address of ["https://me:hunter22@example.com/", "https://hunter22@example.com"]) {
    const { code, stdout, stderr } = await runTask("init", {
      folder: scratch.path,
      args: ["--url", address],
    });
    assertEquals([code, stdout], [2, ""]);
    assertEquals(
      stderr,
      "error: Cannot write a password into the repository: give https://$USER:$PASS@example.com and keep both as secrets\n",
    );
  }
  assertEquals(await Array.fromAsync(Deno.readDir(scratch.path)), []);
});

Deno.test("init asks again where an answer can't be used, and writes what names of any kind say", async () => {
  await using scratch = await makeScratch();
  const answers = [
    "nothing",
    "a.example",
    "...",
    "b.example",
    "#1: 'B' \x1b[31m",
    "c.example",
    "#1: 'b' [31M",
  ];
  answers.push("a.example:5432", "", "");
  const { asked, code } = await initAnswered(scratch, answers);
  assertEquals(code, 0);
  assertEquals(asked, [
    "What shall be monitored? An address such as https://example.com:",
    "What shall be monitored? An address such as https://example.com:",
    "What is it called? [a.example]",
    "What shall be monitored? An address such as https://example.com:",
    "What is it called? [b.example]",
    "And what else? (enter: that is all)",
    "What is it called? [c.example]",
    "And what else? (enter: that is all)",
    "What is it called? [a.example:5432]",
    "And what else? (enter: that is all)",
  ]);
  assertEquals(await sitesOf(await read(scratch.path)), [
    ["#1: 'B' [31m", "https://b.example", "http"],
    ["a.example:5432", "a.example", "tcp-ping"],
  ]);
});

Deno.test("init writes nothing where nobody answers", async () => {
  await using scratch = await makeScratch();
  await assertRejects(() => initAnswered(scratch, []), UsageError, "Nothing was written");
  assertEquals(await Array.fromAsync(Deno.readDir(scratch.path)), []);
});

/** Runs `init` with a person who gives these answers, and notes what they were asked. */
async function initAnswered({ path }: Scratch, answers: string[]) {
  const asked: string[] = [];
  const secrets = new Secrets();
  const io = recordedIo();
  const quiet = {
    ...io,
    secrets,
    onGitHub: false,
    terminal: false,
    level: "quiet" as const,
    dataOnly: false,
  };
  const code = await init({
    root: path,
    words: [],
    options: new Options(new Map()),
    dryRun: false,
    json: false,
    environment: { ...readEnvironment(io), interactive: true },
    secrets,
    clock: systemClock,
    stdin: io.stdin,
    ask(question, fallback) {
      asked.push(fallback === undefined ? question : `${question} [${fallback}]`);
      return answers.shift() || fallback;
    },
    log: new Log(quiet),
  });
  return { asked, code };
}

Deno.test("--url is for init alone", async () => {
  await using scratch = await makeScratch();
  const { code, stderr } = await runTask("validate", {
    folder: scratch.path,
    args: ["--url", "https://example.com"],
  });
  assertEquals([code, stderr], [2, "error: Cannot use --url with validate: it is for init\n"]);
});

Deno.test("init says what to give it where there is no terminal, and what an address is", async () => {
  await using scratch = await makeScratch();
  const cases: [args: string[], message: string][] = [
    [
      [],
      "Cannot ask what to monitor, there is no terminal: say it as in init --url https://example.com",
    ],
    [
      ["--url", "two words"],
      'Cannot tell what to monitor from "two words": expected an address such as https://example.com or db.example.com:5432',
    ],
    [["--url="], "Cannot use --url: it needs a value"],
  ];
  for (const [args, message] of cases) {
    const { code, stderr } = await runTask("init", { folder: scratch.path, args });
    assertEquals([code, stderr], [2, `error: ${message}\n`]);
  }
  assertEquals(await Array.fromAsync(Deno.readDir(scratch.path)), []);
});

Deno.test("init --dry-run shows the file and writes nothing", async () => {
  await using scratch = await makeScratch();
  const { code, stdout } = await runTask("init", {
    folder: scratch.path,
    args: ["--dry-run", "--url", "https://example.com"],
  });
  assertEquals(code, 0);
  const shown = stdout.split(/^--- (.+)\n/m);
  assertEquals(await sitesOf(shown[2]!), [["example.com", "https://example.com", "http"]]);
  assertEquals(shown.filter((_, index) => index % 2 === 1).length, 9);
  assertEquals(await Array.fromAsync(Deno.readDir(scratch.path)), []);
});

Deno.test("names and addresses of any kind make a configuration that says just them", async () => {
  const sites = [
    "a: b",
    "#x",
    "- y",
    "'",
    '"',
    "{z}",
    "*a",
    "&b",
    "!c",
    "| d",
    "@e",
    "null",
    "007",
    "é\u2028",
  ]
    .map((text) => ({
      name: text,
      url: `https://example.com/?q=${encodeURIComponent(text)}#${text}`,
    }));
  const { config } = await parseConfig(firstConfig(sites));
  assertEquals(config!.sites.map(({ url }) => url), sites.map(({ url }) => url.trim()));
  assertEquals(config!.sites[0]!.name, "a: b");
  assertEquals(config!.sites[12]!.name, "007");
});

testWith(["script"], {
  name: "on a terminal, init asks for addresses and names until an answer is empty",
  async fn() {
    await using scratch = await makeScratch();
    const task = `'${Deno.execPath()}' task --quiet --config '${join(PROJECT, "deno.json")}' init`;
    const child = new Deno.Command(findTool("script")!, {
      args: ["-qec", task, "/dev/null"],
      cwd: scratch.path,
      clearEnv: true,
      env: { ...cleanEnvironment(), INIT_CWD: scratch.path, SHELL: "/bin/sh", TERM: "xterm" },
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
      signal: AbortSignal.timeout(30_000),
    }).spawn();
    const answers = ["not an address", "example.com", "Shop", "https://example.org", "", ""];
    const writer = child.stdin.getWriter();
    let said = "";
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      said += chunk;
      // Each question is answered once it is drawn.
      if (!chunk.endsWith("\x1b[?2026l")) continue;
      await writer.write(new TextEncoder().encode(`${answers.shift() ?? ""}\n`));
    }
    await writer.close();
    const { code } = await child.status;
    assertEquals(code, 0, said);
    assertStringIncludes(said, 'Cannot tell what to monitor from "not an address"');
    assertEquals(await sitesOf(await read(scratch.path)), [
      ["Shop", "https://example.com", "http"],
      ["example.org", "https://example.org", "http"],
    ]);
  },
});

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

Deno.test("init in a repository of Upptime names the fresh start instead of the jobs", async () => {
  await using scratch = await makeScratch();
  const files = upptimeFiles("https://example.com");
  const folder = join(scratch.path, "status");
  await makeFolders(folder, files);
  await makeRepository(folder, files);
  const { code, stdout } = await runTask("init", { folder });
  assertEquals(code, 0);
  assert(stdout.includes("update --fresh"), stdout);
  assert(!stdout.includes("does the rest"), stdout);
});
