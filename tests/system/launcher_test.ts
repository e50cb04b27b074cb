import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { bundleManifest } from "../../tools/bundle_manifest.ts";
import manifest from "../../deno.json" with { type: "json" };
import { CACHE } from "../helpers/clean_environment.ts";
import { cleanEnvironment, output, PROJECT } from "../helpers/program.ts";
import { git, makeScratch, type Scratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { listenTo } from "../helpers/printed_lines.ts";

/** A program that prints its arguments and environment, and exits as its last argument says. */
const PROGRAM = `
const granted = async (name) => (await Deno.permissions.query({ name })).state === "granted";
console.log(JSON.stringify({
  args: Deno.args,
  pid: Deno.pid,
  input: await new Response(Deno.stdin.readable).text(),
  net: await granted("net"),
  command: Deno.env.get("MONITOR_COMMAND"),
}));
const end = Deno.args.at(-1);
if (end === "wait") {
  for (const name of ["SIGTERM", "SIGINT"]) {
    Deno.addSignalListener(name, () => { console.log(name); Deno.exit(7); });
  }
  console.log("ready");
  setInterval(() => {}, 1000);
} else if (end === "signal") Deno.kill(Deno.pid, "SIGTERM");
else if (end === "above") {
  const path = Deno.args.find((arg) => arg.startsWith("--root=")).slice("--root=".length) + "/..";
  console.log((await Deno.permissions.query({ name: "write", path })).state);
}
else Deno.exit(Number(end) || 0);
`;

/** A project of the launcher and a bundle that is only `PROGRAM`. */
async function makeProject(scratch: Scratch): Promise<string> {
  const project = join(scratch.path, "a project");
  await Deno.mkdir(join(project, "dist", "monitor"), { recursive: true });
  await cp(join(PROJECT, "bin"), join(project, "bin"), { recursive: true });
  const text = JSON.stringify(bundleManifest(manifest));
  await Deno.writeTextFile(join(project, "dist", "deno.json"), text);
  await Deno.writeTextFile(join(project, "dist", "monitor", "main.js"), PROGRAM);
  return project;
}

/** Writes a script in place of a tool, into the only folder of PATH besides those of the system. */
async function writeTool(scratch: Scratch, name: string, script: string): Promise<void> {
  await Deno.mkdir(join(scratch.path, "tools"), { recursive: true });
  const path = join(scratch.path, "tools", name);
  await Deno.writeTextFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/** Starts the launcher as a person does, in the folder `here`. */
async function start(
  scratch: Scratch,
  { launcher, args, env = {} }: {
    launcher: string;
    args: readonly string[];
    env?: Record<string, string>;
  },
): Promise<Deno.ChildProcess> {
  const here = join(scratch.path, "here");
  await Deno.mkdir(here, { recursive: true });
  return new Deno.Command(launcher, {
    args: [...args],
    cwd: here,
    clearEnv: true,
    env: {
      ...cleanEnvironment(),
      HOME: join(scratch.path, "home"),
      XDG_CACHE_HOME: join(scratch.path, "cache"),
      PATH: `${join(scratch.path, "tools")}:/usr/bin:/bin`,
      ...env,
    },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

async function run(scratch: Scratch, args: readonly string[], launcher?: string) {
  const project = launcher ?? join(scratch.path, "a project", "bin", "monitor");
  const child = await start(scratch, { launcher: project, args });
  await new Blob(["typed"]).stream().pipeTo(child.stdin);
  const result = await output(child);
  return { ...result, pid: child.pid, seen: JSON.parse(result.stdout.split("\n")[0] || "{}") };
}

const DENO = `exec "${Deno.execPath()}" "$@"`;

Deno.test("the launcher passes on arguments, input, folder and exit code, also through links", async () => {
  await using scratch = await makeScratch();
  const project = await makeProject(scratch);
  await writeTool(scratch, "deno", DENO);
  await Deno.symlink(join(project, "bin", "monitor"), join(scratch.path, "monitor"));
  await Deno.symlink("../monitor", join(scratch.path, "tools", "monitor"));
  const args = ["status", "a b", "$INIT_CWD", "--json", "3"];
  const root = `--root=${join(scratch.path, "here")}`;
  for (const launcher of [undefined, join(scratch.path, "tools", "monitor")]) {
    const { code, seen, stderr } = await run(scratch, args, launcher);
    assertEquals([code, stderr], [3, ""]);
    const words = ["status", root, "a b", "$INIT_CWD", "--json", "3"];
    const { command: _, pid: __, ...rest } = seen;
    assertEquals(rest, { args: words, input: "typed", net: false });
  }
});

Deno.test("the launcher becomes the program, which gets every argument as it was typed", async () => {
  await using scratch = await makeScratch();
  const project = await makeProject(scratch);
  await writeTool(scratch, "deno", DENO);
  const launcher = join(project, "bin", "monitor");
  const words = [..."'\"\\*~# ", "", "a\nb\n", "$HOME", "`id`", "$(id)", "!!"];
  // Shells may use some bytes of these for themselves, and Deno removes \r at the end.
  const others = Array.from({ length: 0x580 }, (_, index) => `${String.fromCodePoint(index + 1)}.`);
  const long = "x'".repeat(50_000);
  const args = [...words, ...others, "🙂\u200d", long];
  for (const shell of ["sh", "bash"]) {
    const { pid, seen, stderr } = await run(scratch, [launcher, "status", ...args], shell);
    assertEquals([seen.pid, stderr], [pid, ""]);
    // A difference in the whole would be a long text.
    const differences = args.filter((arg, index) => seen.args[index + 2] !== arg);
    assertEquals([differences, seen.args.length], [[], args.length + 2]);
  }
});

Deno.test("the program knows the command that was typed: a path, or a name on PATH", async () => {
  await using scratch = await makeScratch();
  const project = await makeProject(scratch);
  const command = async (launcher: string) =>
    (await run(scratch, ["status"], launcher)).seen.command;
  await writeTool(scratch, "deno", DENO);
  assertEquals(await command(`${project}/bin/monitor`), `'${project}/bin/monitor'`);
  const onPath = join(scratch.path, "tools", "monitor");
  await Deno.symlink(join(project, "bin", "monitor"), onPath);
  assertEquals(await command(onPath), "monitor");
  const plain = join(scratch.path, "clone");
  await Deno.symlink(project, plain);
  assertEquals(await command(`${plain}/bin/monitor`), `${plain}/bin/monitor`);
});

Deno.test("options may come before a command, which gets the permissions of its task", async () => {
  await using scratch = await makeScratch();
  await makeProject(scratch);
  await writeTool(scratch, "deno", DENO);
  const { seen } = await run(scratch, ["--verbose", "update", "--dry-run"]);
  const root = `--root=${join(scratch.path, "here")}`;
  assertEquals([seen.args, seen.net], [["update", root, "--verbose", "--dry-run"], true]);
});

Deno.test("a command may use the folder above that has the configuration, except for init", async () => {
  await using scratch = await makeScratch();
  await makeProject(scratch);
  await writeTool(scratch, "deno", DENO);
  const mayWriteAbove = async (...args: string[]) => {
    const { stdout } = await run(scratch, [...args, "above"]);
    return stdout.split("\n")[1] === "granted";
  };
  assertEquals(await mayWriteAbove("update"), false);
  assertEquals(await mayWriteAbove("update", "--root", ".."), true);
  await scratch.write(".monitorrc.yml", "sites: []\n");
  assertEquals([await mayWriteAbove("update"), await mayWriteAbove("init")], [true, false]);
  await Deno.mkdir(join(scratch.path, "here", ".git"));
  assertEquals(await mayWriteAbove("update"), false);
  // The program refuses a folder that is missing, and only needs the names beside it.
  await scratch.write("here/.monitorrc.yml", "sites: []\n");
  await Deno.mkdir(join(scratch.path, "here", "deep"));
  assertEquals(await mayWriteAbove("update", "--root", "deep/missing"), false);
});

Deno.test("without a known command, the program itself prints its help", async () => {
  await using scratch = await makeScratch();
  await makeProject(scratch);
  await writeTool(scratch, "deno", DENO);
  const root = `--root=${join(scratch.path, "here")}`;
  for (const args of [[], ["--help"], ["--version"], ["chek", "status"], ["setup"], ["toString"]]) {
    const { seen } = await run(scratch, args);
    assertEquals([seen.args, seen.net], [[root, ...args], false]);
  }
});

Deno.test("the launcher remembers the Deno that npx fetched, until it is another version", async () => {
  await using scratch = await makeScratch();
  await makeProject(scratch);
  const asked = join(scratch.path, "asked");
  const npx = `echo "$*" >> "${asked}"\nshift 3\n${DENO}`;
  await writeTool(scratch, "npx", npx);
  await writeTool(scratch, "deno", 'echo "deno 2.9.50 (stable)"');
  for (let time = 0; time < 2; time++) assertEquals((await run(scratch, ["status"])).code, 0);
  const call = "--yes --prefer-offline deno@2.9.5 eval --no-config console.log(Deno.execPath())\n";
  assertEquals(await Deno.readTextFile(asked), call);

  const remembered = join(scratch.path, "cache", "monitor-action", "deno-2.9.5");
  assertEquals(await Deno.readTextFile(remembered), `${Deno.execPath()}\n`);
  for (const path of [join(scratch.path, "tools", "deno"), "/gone/deno"]) {
    await Deno.writeTextFile(remembered, `${path}\n`);
    assertEquals((await run(scratch, ["status"])).code, 0);
  }
  assertEquals(await Deno.readTextFile(asked), call.repeat(3));
});

/** Variables with secrets that the monitor reads. */
const READ = {
  ...{ SECRETS_CONTEXT: '{"A":"s3cret1"}', HOST_PAT: "s3cret2" },
  ...{ GITHUB_TOKEN: "s3cret3", GH_PAT: "s3cret4" },
};
/** With that of the action, and one that npx needs for a registry. */
const VARIABLES = { ...READ, SECRET_VALUE: "s3cret5", NPM_TOKEN: "for-npx" };

Deno.test("only the monitor itself gets the variables with secrets, not what finds Deno for it", async () => {
  await using scratch = await makeScratch();
  const project = await makeProject(scratch);
  const launcher = join(project, "bin", "monitor");
  const seen = join(scratch.path, "seen");
  const dump = (who: string) => `env | sed "s/^/${who} /" >> "${seen}"`;
  await Deno.writeTextFile(
    join(project, "dist", "monitor", "main.js"),
    `console.log(JSON.stringify(${JSON.stringify(Object.keys(READ))}.map(Deno.env.get)));`,
  );
  const seenByMonitor = async () => {
    const child = await start(scratch, { launcher, args: ["update"], env: VARIABLES });
    await child.stdin.close();
    return JSON.parse((await output(child)).stdout);
  };
  await writeTool(scratch, "deno", `${dump("deno")}\necho "deno 2.9.50 (stable)"`);
  await writeTool(scratch, "npx", `${dump("npx")}\nshift 3\n${DENO}`);
  assertEquals(await seenByMonitor(), Object.values(READ));
  await Deno.remove(join(scratch.path, "cache"), { recursive: true });
  await writeTool(scratch, "deno", `${dump("wrapper")}\n${DENO}`);
  assertEquals(await seenByMonitor(), Object.values(READ));
  const lines = await Deno.readTextFile(seen);
  for (const who of ["deno", "npx", "wrapper"]) {
    assertStringIncludes(lines, `${who} NPM_TOKEN=for-npx`);
  }
  assertEquals(lines.match(/s3cret\d/g), null);
});

Deno.test("packages are fetched without the variables with secrets", async () => {
  await using scratch = await makeScratch();
  const project = await makeProject(scratch);
  await writeTool(scratch, "deno", DENO);
  await Deno.rename(join(project, "dist", "monitor", "main.js"), join(project, "main.ts"));
  await Deno.remove(join(project, "dist"), { recursive: true });
  const { permissions, tasks } = manifest;
  const setup = { command: "env > fetched" };
  await scratch.write(
    "a project/deno.json",
    JSON.stringify({ permissions, tasks: { ...tasks, setup } }),
  );
  await scratch.write("a project/deno.lock", "{}");
  const launcher = join(project, "bin", "monitor");
  const child = await start(scratch, { launcher, args: ["update"], env: VARIABLES });
  await child.stdin.close();
  assertEquals((await output(child)).code, 0);
  const fetched = await Deno.readTextFile(join(project, "fetched"));
  assertStringIncludes(fetched, "NPM_TOKEN=for-npx");
  assertEquals(fetched.match(/s3cret\d/g), null);
});

Deno.test("with nothing but Node, npx and a shell on PATH, the launcher remembers Deno and follows links", async () => {
  await using scratch = await makeScratch();
  const project = await makeProject(scratch);
  const asked = join(scratch.path, "asked");
  await writeTool(scratch, "npx", `echo asked >> "${asked}"\nshift 3\n${DENO}`);
  for (const tool of ["sh", "git"]) await writeTool(scratch, tool, `exec /bin/${tool} "$@"`);
  await writeTool(scratch, "node", `echo "${join(project, "bin", "monitor")}"`);
  const launcher = join(scratch.path, "monitor");
  await Deno.symlink(join(project, "bin", "monitor"), launcher);
  for (let time = 0; time < 2; time++) {
    const env = { PATH: join(scratch.path, "tools") };
    const child = await start(scratch, { launcher, args: ["status"], env });
    await child.stdin.close();
    const { code, stderr } = await output(child);
    const said = "monitor: asking npx for Deno 2.9.5 (45 MB the first time)\n";
    assertEquals([code, stderr.replaceAll(/^monitor: npx may hang.*\n/gm, "")], [
      0,
      time === 0 ? said : "",
    ]);
  }
  assertEquals(await Deno.readTextFile(asked), "asked\n");
});

Deno.test("the launcher warns that npx may hang if its cache can't be written", async () => {
  await using scratch = await makeScratch();
  await makeProject(scratch);
  await writeTool(scratch, "npx", "exit 1");
  await writeTool(scratch, "deno", "exit 1");
  const home = join(scratch.path, "a file");
  await Deno.writeTextFile(home, "");
  const launcher = join(scratch.path, "a project", "bin", "monitor");
  const child = await start(scratch, { launcher, args: ["status"], env: { HOME: home } });
  await child.stdin.close();
  const { stderr } = await output(child);
  assertStringIncludes(
    stderr,
    `npx may hang, because ${home}/.npm can't be written: set npm_config_`,
  );
});

Deno.test("without Deno and npx, the launcher says what to install", async () => {
  await using scratch = await makeScratch();
  await makeProject(scratch);
  for (const tool of ["sh", "cat", "dirname", "readlink"]) {
    await writeTool(scratch, tool, `exec /bin/${tool} "$@"`);
  }
  const launcher = join(scratch.path, "a project", "bin", "monitor");
  const env = { PATH: join(scratch.path, "tools") };
  const child = await start(scratch, { launcher, args: ["status"], env });
  await child.stdin.close();
  const { code, stderr } = await output(child);
  assertEquals(code, 127);
  assertMatch(stderr, /^monitor: neither Deno 2\.9\.5 nor npx is on PATH: install .*\n$/);
});

Deno.test("signals reach the program, and the launcher ends as the program ends", async () => {
  await using scratch = await makeScratch();
  await makeProject(scratch);
  await writeTool(scratch, "deno", DENO);
  const launcher = join(scratch.path, "a project", "bin", "monitor");
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    const child = await start(scratch, { launcher, args: ["status", "wait"] });
    await child.stdin.close();
    const printed = listenTo(child.stdout, child.stderr);
    await printed.waitFor(/^ready$/m);
    child.kill(signal);
    await printed.waitFor(new RegExp(`^${signal}$`, "m"));
    assertEquals((await child.status).code, 7);
  }
  const child = await start(scratch, { launcher, args: ["status", "signal"] });
  await child.stdin.close();
  const { signal } = await child.output();
  assertEquals(signal, "SIGTERM");
});

/** Processes that a process has started, and those that these have started, without git's. */
async function descendants(of: number): Promise<string[]> {
  const parents = new Map<number, { parent: number; name: string }>();
  for await (const { name: id } of Deno.readDir("/proc")) {
    // Some end meanwhile.
    const stat = await Deno.readTextFile(`/proc/${id}/stat`).catch(() => "");
    const [, name, parent] = /^\d+ \((.*)\) \S+ (\d+) /s.exec(stat) ?? [];
    if (name !== undefined) parents.set(Number(id), { parent: Number(parent), name });
  }
  const isBelow = (id: number): boolean => {
    const parent = parents.get(id)?.parent;
    return parent !== undefined && (parent === of || isBelow(parent));
  };
  return [...parents].flatMap(([id, { name }]) =>
    isBelow(id) && !name.startsWith("git") ? name : []
  );
}

Deno.test({
  name: "while sites are watched, one process is there: the watching one",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using scratch = await makeScratch();
    await using site = httpServer(() => new Response("ok"));
    await writeTool(scratch, "deno", DENO);
    await Deno.mkdir(join(scratch.path, "here"));
    await scratch.write("here/.monitorrc.yml", `sites: [{ name: Shop, url: "${site.url}" }]\n`);
    await git(join(scratch.path, "here"), "init", "--quiet");
    const launcher = join(PROJECT, "bin", "monitor");
    const env = { DENO_DIR: CACHE };
    const child = await start(scratch, { launcher, args: ["watch"], env });
    await child.stdin.close();
    const printed = listenTo(child.stdout, child.stderr);
    await printed.waitFor(/Watching 1 site/);
    const words = (await Deno.readTextFile(`/proc/${child.pid}/cmdline`)).split("\0");
    assertEquals(words.slice(0, 2), [Deno.execPath(), "run"]);
    assert(words.includes("watch"), words.join(" "));
    assertEquals(await descendants(child.pid), []);
    child.kill("SIGTERM");
    await printed.waitFor(/Stopped\./);
    assertEquals((await child.status).code, 0);
  },
});

Deno.test("without a bundle the sources run, and packages are fetched once for a lock", async () => {
  await using scratch = await makeScratch();
  const project = await makeProject(scratch);
  await writeTool(scratch, "deno", DENO);
  await Deno.rename(join(project, "dist", "monitor", "main.js"), join(project, "main.ts"));
  await Deno.remove(join(project, "dist"), { recursive: true });
  const { permissions, tasks } = manifest;
  const setup = { command: "echo fetched && echo fetched >> fetched" };
  const text = JSON.stringify({ permissions, tasks: { ...tasks, setup } });
  await Deno.writeTextFile(join(project, "deno.json"), text);
  const cache = join(scratch.path, "cache", "deno");
  for (const end of ["", "", "\n", "\n"]) {
    await Deno.writeTextFile(join(project, "deno.lock"), `{ "version": "5" }${end}`);
    const { code, seen } = await run(scratch, ["status"]);
    assertEquals([code, seen.args.length], [0, 2]);
  }
  assertEquals(await Deno.readTextFile(join(project, "fetched")), "fetched\nfetched\n");
  await Deno.remove(cache, { recursive: true });
  assertStringIncludes((await run(scratch, ["status"])).stderr, "fetched\n");
});

Deno.test("the launcher for Windows has the line ends of Windows, without which it can miss its labels", async () => {
  const text = await Deno.readTextFile(join(PROJECT, "bin", "monitor.cmd"));
  assertEquals(text.match(/(?<!\r)\n/), null);
});

Deno.test("all launchers name the same version of Deno", async () => {
  for (
    const path of ["bin/monitor", "bin/monitor.cmd", "tools/package.ts", "action.yml", ".ci/run"]
  ) {
    const versions = (await Deno.readTextFile(join(PROJECT, path))).matchAll(/\b2\.\d+\.\d+\b/g);
    assertEquals(new Set([...versions].map(([version]) => version)), new Set(["2.9.5"]), path);
  }
});
