import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { VERSION } from "../../lib/version.ts";
import { writePackage } from "../../tools/package.ts";
import { copyBundle } from "../helpers/built_bundle.ts";
import { registryVariables } from "../helpers/clean_environment.ts";
import { offline } from "../helpers/offline.ts";
import { output, type ProgramResult } from "../helpers/program.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { listenTo } from "../helpers/printed_lines.ts";

const scratch = await makeScratch();
globalThis.addEventListener("unload", () => Deno.removeSync(scratch.path, { recursive: true }));

/** Seconds for the three commands: 15 on an idle machine, but other tests run at the same time on a slow one. */
const LIMIT = 300;

/** Environment of a newcomer, whose home is empty and who has only node, npm and git. */
const ENV = {
  ...registryVariables(),
  PATH: join(scratch.path, "tools"),
  HOME: join(scratch.path, "home"),
  NO_COLOR: "1",
};

function start(
  folder: string,
  [command, ...args]: readonly string[],
  env: Record<string, string> = {},
): Deno.ChildProcess {
  return new Deno.Command(command!, {
    args,
    cwd: folder,
    clearEnv: true,
    env: { ...ENV, ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    detached: true,
  }).spawn();
}

async function run(folder: string, ...words: string[]): Promise<ProgramResult> {
  const result = await output(start(folder, words));
  assertEquals(result.code, 0, `${words.join(" ")}\n${result.stdout}${result.stderr}`);
  return result;
}

/** Path of a tool of this machine. */
function toolPath(name: string): string {
  const folder = Deno.env.get("PATH")!.split(":").find((one) => {
    try {
      return Deno.statSync(join(one, name)).isFile;
    } catch {
      return false;
    }
  });
  return join(folder!, name);
}

await copyBundle(scratch.path);
await writePackage(scratch.path);
for (const name of ["tools", "home", "status", "installed"]) {
  await Deno.mkdir(join(scratch.path, name));
}
for (const name of ["node", "npm", "npx", "git", "sh"]) {
  await Deno.symlink(toolPath(name), join(scratch.path, "tools", name));
}
const PACKAGE = join(scratch.path, "npm");
await run(PACKAGE, toolPath("npm"), "pack", "--quiet");
const TARBALL = join(PACKAGE, `monitor-action-${VERSION}.tgz`);
const NPX = [toolPath("npx"), "--yes", "--package", TARBALL, "monitor-action"];

Deno.test("from an empty home three commands lead to a status page, and work offline from then on", async () => {
  await using site = httpServer(() => new Response("ok"));
  const folder = join(scratch.path, "status");
  await git(folder, "init", "--quiet");
  // Fetches the runtime, whose time does not depend on the machine.
  assertEquals((await run(folder, ...NPX, "--version")).stdout, `${VERSION}\n`);
  const begun = performance.now();
  const begin = await run(folder, ...NPX, "init", "--url", site.url);
  assertMatch(begin.stdout, /^Wrote [^]*\nNext:\n {2}npx monitor-action check /);
  assertMatch((await run(folder, ...NPX, "update")).stdout, /^1 up\. Recorded in /m);
  const served = start(folder, [...NPX, "serve", "--port", "0"]);
  const printed = listenTo(served.stdout, served.stderr);
  const [, address] = await printed.waitFor(/^Serving (http:\S+\/) .*$/m);
  assertStringIncludes(await (await fetch(address!)).text(), new URL(site.url).host);
  const seconds = (performance.now() - begun) / 1000;
  assert(seconds < LIMIT, `${seconds} s`);
  // As Ctrl-C on a terminal does: npm leaves the signal to the program.
  Deno.kill(-served.pid, "SIGINT");
  await served.status;

  const away = await offline([NPX[0]!, ...NPX.slice(1), "status", "--json"]);
  const { code, stdout, stderr } = await output(
    start(folder, [away.command, ...away.args], away.env),
  );
  assertEquals(code, 0, stderr);
  assertEquals(JSON.parse(stdout).sites[0].state, "up");
});

Deno.test("the package works without install scripts, and the command ends as signals end it or becomes the program", async () => {
  const folder = join(scratch.path, "installed");
  await Deno.writeTextFile(join(folder, "package.json"), "{}");
  await run(folder, toolPath("npm"), "install", "--quiet", "--ignore-scripts", TARBALL);
  const command = join(folder, "node_modules", ".bin", "monitor");
  await git(folder, "init", "--quiet");
  await Deno.writeTextFile(join(folder, ".monitorrc.yml"), "sites: []\n");
  assertEquals((await output(start(folder, [command, "statu"]))).code, 2);
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    const child = start(folder, [command, "serve", "--port", "0"]);
    const printed = listenTo(child.stdout, child.stderr);
    await printed.waitFor(/^Serving http/m);
    child.kill(signal);
    await printed.waitFor(/^Stopped\.$/m);
    assertEquals((await child.status).code, 0);
  }

  // Node can do so from 22.15 on.
  const execve = `process.execve = (file, [first, ...args], env) => {
    console.log(JSON.stringify([file === first, args[0], args.at(-1), process.cwd(), env.INIT_CWD]));
    process.exit();
  }`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(execve)}`;
  const replaced = await output(start(folder, [command, "status", "a b"], { NODE_OPTIONS }));
  const dist = join(folder, "node_modules", "monitor-action", "dist");
  assertEquals(JSON.parse(replaced.stdout), [true, "run", "a b", dist, folder]);

  await Deno.remove(join(folder, "node_modules", "@deno"), { recursive: true });
  const { code, stdout, stderr } = await output(start(folder, [command, "--version"]));
  assertEquals([code, stdout], [1, ""]);
  assertMatch(
    stderr,
    /^monitor: the package @deno\/\S+ is missing: install without --omit=optional, on this system\n$/,
  );
});
