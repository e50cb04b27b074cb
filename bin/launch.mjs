/** Starts a command with the permissions of its task, from the bundle or else from the sources. */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const PROJECT = fileURLToPath(new URL("..", import.meta.url));
const BUNDLE = join(PROJECT, "dist", "deno.json");
const SOURCES = join(PROJECT, "deno.json");

/** Variables that only the program itself gets. */
const SECRET_VARIABLES = ["SECRETS_CONTEXT", "SECRET_VALUE", "HOST_PAT", "GITHUB_TOKEN", "GH_PAT"];

/** Name of a command in the line of its task. */
const COMMAND = /(?<= main\.ts | monitor\/main\.js )\S+/;

/**
 * Prepares the program of a command line for the Deno at the path. `command` is what was typed in front of the
 * arguments: messages name it.
 */
export function prepare(deno, args, command) {
  const config = existsSync(BUNDLE) ? BUNDLE : SOURCES;
  if (config === SOURCES) fetchPackages(deno);
  const { tasks } = JSON.parse(readFileSync(config, "utf8"));
  return {
    deno,
    args: denoArguments(args, tasks, config),
    folder: dirname(config),
    variables: {
      INIT_CWD: process.cwd(),
      DENO_NO_UPDATE_CHECK: "1",
      MONITOR_COMMAND: command,
    },
  };
}

/** Runs a program in place of this process; on Windows and before Node 22.15 beside it, and ends as the program ends. */
export function run({ deno, args, folder, variables }) {
  const env = { ...process.env, ...variables };
  const isWindows = process.platform === "win32";
  if (!isWindows && process.execve !== undefined) {
    process.chdir(folder);
    process.execve(deno, [deno, ...args], env);
  }
  const child = spawn(deno, args, { cwd: folder, env, stdio: "inherit" });
  // A console of Windows has sent it to the child already.
  for (const name of ["SIGINT", ...isWindows ? ["SIGBREAK"] : ["SIGTERM", "SIGHUP"]]) {
    process.on(name, () => void (isWindows || child.kill(name)));
  }
  child.on("error", (error) => fail(`Cannot start ${deno}: ${error.message}`));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** Formats a program as commands of a shell, which becomes the program. */
function formatForShell({ deno, args, folder, variables }) {
  const exports = Object.entries(variables).map(([name, value]) => `${name}=${shellWord(value)}`);
  return `cd ${shellWord(folder)} && export ${exports.join(" ")} && exec ${
    [deno, ...args].map(shellWord).join(" ")
  }`;
}

function shellWord(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Prints why nothing can be run, and ends this process. */
export function fail(reason) {
  process.stderr.write(`monitor: ${reason}\n`);
  process.exit(1);
}

/** Arguments of Deno for a command line; without a known command the program explains itself. */
function denoArguments(args, tasks, config) {
  const isCommand = (arg) => COMMAND.test(tasks[arg]?.command ?? "");
  if (args[0] === "help" && args[1] === "demo") args = ["demo", "--help"];
  if (args[0] === "demo") return ["task", "--quiet", "--config", config, ...args];
  // Options may come first, but no word.
  const place = args.findIndex((arg) => arg === args[0] && !arg.startsWith("-") || isCommand(arg));
  const command = isCommand(args[place]) ? args[place] : undefined;
  // Who asks for help gets the permissions of a command that only reads.
  const line = tasks[command ?? "status"].command;
  const start = process.cwd();
  const given = resolve(start, ...givenRoots(args));
  const folder = command === "init" ? given : allowedFolder(given);
  const words = [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted = word]) =>
    quoted.replaceAll("$INIT_CWD", () => quoted.startsWith("--root=") ? start : folder)
  );
  return [
    ...words.slice(1).filter((word) => command !== undefined || word !== "status"),
    ...args.filter((_, index) => command === undefined || index !== place),
  ];
}

/** A path as a word of a command line. */
function quoted(path = "monitor") {
  if (/^[\w./\\:~+-]+$/.test(path)) return path;
  return process.platform === "win32" ? `"${path}"` : shellWord(path);
}

/** Values of the option --root; the program resolves each against the one before it. */
function givenRoots(args) {
  const name = "--root";
  return args.flatMap((arg, index) =>
    arg.startsWith(`${name}=`) ? arg.slice(name.length + 1) : args[index - 1] === name ? arg : []
  );
}

/** The folder that a command may use; the program refuses one that is missing, and reads the names beside it. */
function allowedFolder(given) {
  const isFolder = statSync(given, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? configuredFolder(given) : dirname(given);
}

/**
 * The folder that a command may read and write: the nearest one with a configuration, from `start` up to the top of
 * the repository, else `start`. The program looks for it in the same way.
 */
function configuredFolder(start) {
  const has = (folder, ...names) => names.some((name) => existsSync(join(folder, name)));
  for (let folder = start;; folder = dirname(folder)) {
    if (has(folder, ".monitorrc.yml", ".upptimerc.yml")) return folder;
    if (has(folder, ".git") || dirname(folder) === folder) return start;
  }
}

/** Fetches the packages of the sources, unless those of this lock are in Deno's cache. */
function fetchPackages(deno) {
  const lock = createHash("sha256").update(readFileSync(join(PROJECT, "deno.lock"))).digest("hex");
  const stamp = join(cacheFolder(), `monitor-action-${lock.slice(0, 16)}`);
  if (existsSync(stamp)) return;
  process.stderr.write("monitor: fetching packages, once for this version\n");
  // Deno's own `spawn` keeps variables that are left out.
  const env = { ...process.env, ...Object.fromEntries(SECRET_VARIABLES.map((name) => [name, ""])) };
  const { status } = spawnSync(deno, ["task", "--quiet", "--config", SOURCES, "setup"], {
    env,
    // Output of the command may be a document.
    stdio: ["ignore", 2, 2],
  });
  if (status !== 0) {
    fail(
      "the packages that deno.lock names can't be fetched; with a proxy that has its own certificates, " +
        "set DENO_TLS_CA_STORE=system",
    );
  }
  try {
    writeFileSync(stamp, "");
  } catch {
    // Then the next run looks again.
  }
}

/** Folder of Deno's cache: what notes its content is gone with it. */
function cacheFolder() {
  const { DENO_DIR, XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (DENO_DIR) return DENO_DIR;
  if (process.platform === "win32") return join(LOCALAPPDATA ?? homedir(), "deno");
  if (process.platform === "darwin") return join(homedir(), "Library", "Caches", "deno");
  return join(XDG_CACHE_HOME || join(homedir(), ".cache"), "deno");
}

// Node has no `import.meta.main`; there npm.mjs imports this module.
if (import.meta.main) {
  const command = quoted(process.env.MONITOR_COMMAND);
  const program = prepare(process.execPath, process.argv.slice(2), command);
  if (process.platform === "win32") run(program);
  else process.stdout.write(formatForShell(program));
}
