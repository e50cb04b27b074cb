/**
 * Runs every command from a bundle, with sites and GitHub on loopback. It is a process of its own,
 * so that a test can start it without any other network.
 */
import { join } from "node:path";
import { COMMANDS } from "../../commands/mod.ts";
import { cleanEnvironment } from "./clean_environment.ts";
import { githubServer } from "./github_server.ts";
import { git } from "./scratch.ts";
import { httpServer } from "./servers.ts";
import { listenTo } from "./printed_lines.ts";

/** The result of a command. */
export interface BundledRun {
  command: string;
  /** Absent if it took longer than {@linkcode LIMIT}. */
  code?: number;
  stdout: string;
  stderr: string;
  /** The page, if it was served. */
  page?: string;
}

/** Number of sites; each has some 23 files of the page. */
const SITES = 2;

/** Milliseconds that a command may take; the demo takes 20 seconds, but other tests run at the same time. */
const LIMIT = 180_000;

/** Words after a command. */
const WORDS: Record<string, string[]> = {
  ack: ["--by", "Jo"],
  announce: ["Slow", "--impact", "none"],
  check: ["Site 1"],
  demo: ["--serve"],
  dispatch: ["static_site"],
  "set-secret": ["API_TOKEN"],
  import: ["upptime", "--dry-run"],
  mute: ["--all", "--for", "1h", "--by", "Jo"],
  probe: ["--results", "results.json"],
  serve: ["--port", "0"],
  watch: ["--once"],
};

/** Commands in an order in which each finds its input. */
const ORDER = ["init", "update", ...Object.keys(COMMANDS), "demo"];

/** Runs all commands of the launcher in a new repository within the folder, with an empty cache. */
async function runAll(launcher: string, folder: string): Promise<BundledRun[]> {
  await using site = httpServer(() => new Response("ok"));
  await using github = await githubServer();
  const [remote, clone] = [join(folder, "remote.git"), join(folder, "clone")];
  const tools = join(folder, "tools");
  await Deno.mkdir(tools);
  await Deno.symlink(Deno.execPath(), join(tools, "deno"));
  await Deno.symlink(launcher, join(tools, "monitor"));
  await git(folder, "init", "--quiet", "--bare", remote);
  await git(folder, "clone", "--quiet", remote, clone);
  const sites = Array.from({ length: SITES }, (_, n) => ({ name: `Site ${n + 1}`, url: site.url }));
  const channel = { type: "webhook", url: site.url, on: ["down"] };
  const config = { canaries: [], notifications: [channel], sites };
  await Deno.writeTextFile(join(clone, ".monitorrc.yml"), JSON.stringify(config));
  const env = {
    ...cleanEnvironment(),
    ...proxies(),
    ...github.env,
    // May also change the settings of a repository.
    HOST_PAT: github.account("acme").token,
    DENO_DIR: join(folder, "cache"),
    XDG_CACHE_HOME: folder,
    PATH: `${tools}:${Deno.env.get("PATH")}`,
  };
  const runs: BundledRun[] = [];
  for (const command of new Set(ORDER)) {
    const child = new Deno.Command(join(tools, "monitor"), {
      args: [command, ...WORDS[command] ?? []],
      cwd: clone,
      clearEnv: true,
      env,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    await new Blob(["typed"]).stream().pipeTo(child.stdin).catch(() => {});
    const [stdout, stderr] = [listenTo(child.stdout), listenTo(child.stderr)];
    const limit = setTimeout(() => child.kill("SIGKILL"), LIMIT);
    let page: string | undefined;
    if (command === "serve" || command === "demo") {
      const [, address] = await stdout.waitFor(/^Serving (http:\S+\/) .*$/m);
      page = await (await fetch(address!)).text();
      child.kill("SIGTERM");
    }
    const { code, signal } = await child.status;
    clearTimeout(limit);
    await Promise.allSettled([stdout, stderr].map((one) => one.waitFor(/$.^/)));
    const printed = { stdout: stdout.all(), stderr: stderr.all() };
    runs.push({ command, ...signal === "SIGKILL" ? {} : { code }, ...printed, page });
    if (command === "init") {
      await git(clone, "add", "--all");
      await git(clone, "commit", "--quiet", "--message", "By hand");
      await git(clone, "push", "--quiet", "origin", "HEAD");
    }
  }
  return runs;
}

/** Proxy variables that keep the test off the network if no better means is permitted. */
function proxies(): Record<string, string> {
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"];
  return Object.fromEntries(names.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  }));
}

if (import.meta.main) {
  const [launcher, folder] = JSON.parse(Deno.args[0]!);
  const text = JSON.stringify(await runAll(launcher, folder));
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}
