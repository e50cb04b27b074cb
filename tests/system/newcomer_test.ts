import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { WORKFLOW_KEYS, workflowPath } from "../../lib/config/workflows.ts";
import { blocksOf, readDoc } from "../helpers/docs.ts";
import { CACHE } from "../helpers/clean_environment.ts";
import { cleanEnvironment, output, PROJECT } from "../helpers/program.ts";
import { pathsAt } from "../helpers/repositories.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { listenTo } from "../helpers/printed_lines.ts";

/** Starts command lines of the docs in a shell, in a group of their own; `tools` gets Deno. */
async function typeLines(
  lines: string,
  { folder, tools }: { folder: string; tools: string },
): Promise<Deno.ChildProcess> {
  await Deno.mkdir(tools);
  await Deno.symlink(Deno.execPath(), join(tools, "deno"));
  const identity = Object.entries({ NAME: "Jo", EMAIL: "jo@example.com" }).flatMap(
    ([name, value]) => ["AUTHOR", "COMMITTER"].map((role) => [`GIT_${role}_${name}`, value]),
  );
  return new Deno.Command("/bin/bash", {
    args: ["-e", "-c", lines],
    cwd: folder,
    clearEnv: true,
    env: {
      ...cleanEnvironment(),
      ...Object.fromEntries(identity),
      DENO_DIR: CACHE,
      XDG_CACHE_HOME: join(tools, "cache"),
      PATH: `${tools}:/usr/local/bin:/usr/bin:/bin`,
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    detached: true,
  }).spawn();
}

/** The command lines of the docs for a start on one's own machine. */
async function firstStep(): Promise<string> {
  const text = await readDoc("docs/getting-started.md");
  const section = text.split(/^## /m).find((one) => one.startsWith("On your machine\n"))!;
  // The clone is this one.
  return blocksOf(section, "sh").join("").replace(/^git clone .*\n/, "")
    .replace("$PWD/bin", join(PROJECT, "bin"));
}

Deno.test("the first step of the docs ends with a page that is served", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const remote = join(scratch.path, "status.git");
  await git(scratch.path, "init", "--quiet", "--bare", "--initial-branch", "main", remote);
  const folder = join(scratch.path, "monitor-action");
  await Deno.mkdir(folder);
  const lines = (await firstStep())
    .replace("https://github.com/OWNER/status.git", "../status.git")
    .replaceAll("https://example.com", site.url)
    .replace("monitor serve", "monitor serve --port 0");
  const child = await typeLines(lines, { folder, tools: join(scratch.path, "tools") });
  const printed = listenTo(child.stdout, child.stderr);
  const [, address] = await printed.waitFor(/^Serving (http:\S+\/) .*$/m);
  const { host } = new URL(site.url);
  assertStringIncludes(await (await fetch(address!)).text(), host);
  // Ctrl-C on a terminal reaches the whole group.
  Deno.kill(-child.pid, "SIGINT");
  await printed.waitFor(/^Stopped\.$/m);
  await child.status;
  const paths = await pathsAt(remote, "main");
  const written = ["README.md", `history/${host.replace(":", "-")}.yml`];
  for (const path of [...WORKFLOW_KEYS.map(workflowPath), ...written]) {
    assert(paths.includes(path), `${path} in ${paths}\n${printed.all()}`);
  }
});

Deno.test("the commands of the README work from a clone", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const folder = join(scratch.path, "monitor-action");
  await Deno.mkdir(folder);
  const readme = await readDoc("README.md");
  const [, commands] = blocksOf(readme, "sh");
  const lines = commands!.replace("$PWD/bin", join(PROJECT, "bin"))
    .replaceAll("https://example.com", site.url);
  // The line for workflows without a release.
  const unreleased = "monitor init https://example.com --action monitor-action/monitor-action@main";
  assertStringIncludes(readme, unreleased);
  const further = [
    "git init --quiet ../other && cd ../other",
    unreleased.replace("https://example.com", site.url),
    "grep --count monitor-action/monitor-action@main .github/workflows/uptime.yml",
  ];
  const { code, stdout, stderr } = await output(
    await typeLines(`${lines}\n${further.join("\n")}`, {
      folder,
      tools: join(scratch.path, "tools"),
    }),
  );
  assertEquals(code, 0, stdout + stderr);
  assertStringIncludes(stdout, "1 up");
  assertStringIncludes(stdout, "Nothing needs to be changed");
  assert(stdout.endsWith("\n1\n"), stdout);
});

Deno.test("the command of a clone is installed in a home folder without programs", async () => {
  await using scratch = await makeScratch();
  const text = await readDoc("docs/getting-started.md");
  const [, section] = text.split(/^### /m).filter((one) => /^(?:npm package|Clone)\n/.test(one));
  // The clone is this one.
  const lines = blocksOf(section!, "sh").join("")
    .replace(/^git clone .*$/m, `ln -s '${PROJECT}' monitor-action\nHOME="$PWD/home"`);
  const { code, stdout, stderr } = await output(
    await typeLines(lines, { folder: scratch.path, tools: join(scratch.path, "tools") }),
  );
  assertEquals(code, 0, stdout + stderr);
  assertStringIncludes(stdout, "monitor init");
});

Deno.test("the steps for users of Upptime replace its workflows and keep its history", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const remote = join(scratch.path, "status.git");
  const folder = join(scratch.path, "status");
  await git(scratch.path, "init", "--quiet", "--bare", "--initial-branch", "main", remote);
  await git(scratch.path, "clone", "--quiet", remote, folder);
  const record = "url: x\nstatus: up\ncode: 200\nresponseTime: 1\n" +
    "lastUpdated: 2026-11-20T10:00:00.000Z\nstartTime: 2025-01-01T00:00:00.000Z\n" +
    "generator: Upptime <https://github.com/upptime/upptime>\n";
  const files = {
    ".upptimerc.yml":
      `owner: acme\nrepo: status\ncanaries: []\nsites:\n  - { name: POP3, url: "${site.url}" }\n`,
    ".github/workflows/uptime.yml":
      "name: Uptime CI\nsteps:\n  - uses: upptime/uptime-monitor@v1\n",
    ".github/workflows/updates.yml": "name: Updates CI\nsteps:\n  - uses: upptime/updates@master\n",
    "history/pop-3.yml": record,
    "history/gone.yml": record,
  };
  await Deno.mkdir(join(folder, ".github", "workflows"), { recursive: true });
  await Deno.mkdir(join(folder, "history"));
  for (const [path, text] of Object.entries(files)) {
    await Deno.writeTextFile(join(folder, path), text);
  }
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message", "Upptime");
  await git(folder, "push", "--quiet", "origin", "main");
  const [monitor] = (await firstStep()).split("\n\n");
  const [steps] = blocksOf(await readDoc("docs/upptime.md"), "sh");
  const { code, stderr } = await output(
    await typeLines(`${monitor}\n${steps}`, { folder, tools: join(scratch.path, "tools") }),
  );
  assertEquals(code, 0, stderr);
  const paths = await pathsAt(remote, "main");
  assertEquals(
    paths.filter((path) => path.startsWith(".github/")).sort(),
    WORKFLOW_KEYS.map(workflowPath).sort(),
  );
  assert(paths.includes("history/gone.yml"));
  const rows = await git(remote, "show", "main:history/checks/2026-11-20.csv");
  assertStringIncludes(rows, ",pop-3,up,200,1,1,,upptime,");
});
