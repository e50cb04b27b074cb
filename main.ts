import { basename, dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type CommandEntry, COMMANDS } from "./commands/mod.ts";
import {
  GLOBAL_OPTIONS,
  optionNames,
  type Options,
  parseArguments,
  UsageError,
} from "./lib/text/arguments.ts";
import { CONFIG_FILES, NoConfigError, UneditedConfigError } from "./lib/config/load.ts";
import { Secrets } from "./lib/io/secrets/secrets.ts";
import { parseSecretsFile } from "./lib/io/secrets/secrets_file.ts";
import type { Command, Context } from "./commands/shared/context.ts";
import { publishJobReport } from "./commands/shared/job_report.ts";
import { askOn } from "./lib/io/terminal.ts";
import { type ProgramIo, readEnvironment, systemIo, withVariables } from "./lib/io/environment.ts";
import { Log, type LogOptions } from "./lib/io/log.ts";
import { assertFolder, assertWritable, findFolder, folderWorkspace } from "./lib/io/workspace.ts";
import { withSingleRecipients } from "./lib/config/upptime/channels.ts";
import { didYouMean } from "./lib/text/nearest.ts";
import { joinFirst } from "./lib/text/words.ts";
import { formatCommand, shellWord, withInvocation } from "./lib/text/invocation.ts";
import { withPaint } from "./lib/text/paint.ts";
import { VERSION } from "./lib/version.ts";
import { count } from "./templates/words.ts";
import { commandText, overviewText } from "./templates/terminal/help.ts";

/** Runs the program with the arguments of a command line, and returns its exit code. */
export function run(args: readonly string[], io: ProgramIo): Promise<number> {
  const colors = io.columns("stdout") !== undefined && !io.env.get("NO_COLOR");
  const command = findInvocation(args, io);
  return withVariables(
    io.env,
    () => withPaint(colors, () => withInvocation(command, () => main(args, io))),
  );
}

/** The command by which a person starts the program; `undefined` if that is not known. */
function findInvocation(args: readonly string[], { env }: ProgramIo): string | undefined {
  const named = env.get("MONITOR_COMMAND");
  if (named || env.get("GITHUB_ACTIONS") === "true") return named;
  if (Deno.build.standalone) return basename(Deno.execPath());
  // Only the line of a task passes the folder in front of everything.
  const folder = /^--root=(.*)$/s.exec(args[1] ?? "")?.[1];
  if (folder === undefined) return undefined;
  const isBundle = import.meta.url.endsWith("/monitor/main.js");
  const config = fileURLToPath(new URL(isBundle ? "../deno.json" : "deno.json", import.meta.url));
  const isFound = !relative(dirname(config), folder).startsWith("..");
  return isFound ? "deno task" : `deno task --config ${shellWord(config)}`;
}

async function main(args: readonly string[], io: ProgramIo): Promise<number> {
  let log = plainLog(io);
  let verbose = false;
  let isForbidden = false;
  try {
    const { words: given, options } = parseCommandLine(args);
    const asksHelp = options.has("help") || given[0] === "help";
    const [name, ...words] = given[0] === "help" ? given.slice(1) : given;
    verbose = options.has("verbose");
    if (options.has("version")) return say(log, VERSION);
    if (name === undefined) return say(log, overviewText(COMMANDS), asksHelp ? 0 : 2);
    const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (entry === undefined) {
      if (name === DEMO) throw new UsageError(DEMO_HINT);
      const hint = didYouMean(name, [...Object.keys(COMMANDS), DEMO, "--help", "--version"]).trim();
      throw new UsageError(
        `"${name}" is not a command: ${hint || `"${formatCommand("help")}" lists them`}`,
      );
    }
    if (asksHelp) return say(log, commandText(name, entry));
    if (words.length > 0 && entry.takes === undefined) {
      throw new UsageError(
        `Cannot run "${[name, ...words].join(" ")}": ${name} takes options only; "${
          formatCommand(`${name} --help`)
        }" lists them`,
      );
    }
    assertOptions(options, name, entry);
    const found = await findRoot(options, entry);
    isForbidden = found.isForbidden;
    const context = await makeContext(words, options, entry, found.root, io);
    log = context.log;
    return ended(log, await runCommand(await entry.load(), context));
  } catch (error) {
    log.endProgress();
    const hint = error instanceof NoConfigError && isForbidden ? FORBIDDEN : "";
    log.error((verbose ? stackOf(error) : messageOf(error)) + hint);
    return error instanceof UsageError || error instanceof NoConfigError ||
        error instanceof SyntaxError
      ? 2
      : 1;
  }
}

/** Reads options of all commands, so that one of another command can be named; suggests only fitting ones. */
function parseCommandLine(args: readonly string[]) {
  const tables = Object.values(COMMANDS).map(({ options = {} }) => options);
  const name = args.find((arg) => Object.hasOwn(COMMANDS, arg));
  const suggested = name === undefined ? tables : [COMMANDS[name]!.options ?? {}];
  return parseArguments(args, [GLOBAL_OPTIONS, ...tables], [GLOBAL_OPTIONS, ...suggested]);
}

/** Runs a command; with a configuration that nobody has edited, it only says so. */
async function runCommand(command: Command, context: Context): Promise<number> {
  try {
    return await command(context);
  } catch (error) {
    if (!(error instanceof UneditedConfigError)) throw error;
    context.log.line(error.message);
    if (context.json) context.log.data({ note: error.message });
    await publishJobReport({ outputs: {}, summary: () => `### ${error.message}\n` }, context);
    return 0;
  }
}

/** The launcher starts it, because it is a program of its own. */
const DEMO = "demo";

const DEMO_HINT =
  "The demo is only in the npm package and in a clone: npx monitor-action@latest demo, or bin/monitor demo";

/** The cure if the folders above could not be searched, as a task may read its own folder only. */
const FORBIDDEN = "; if there is one in a folder above, run the command there";

/** The log before the options are known. */
function plainLog(io: ProgramIo): Log {
  return new Log({
    secrets: new Secrets(),
    onGitHub: false,
    terminal: false,
    level: "normal",
    dataOnly: false,
    ...io,
  });
}

/** @throws {UsageError} If an option is for another command. */
function assertOptions(given: Options, name: string, { options: own = {} }: CommandEntry): void {
  const allowed = optionNames(own);
  const takers = Object.entries(COMMANDS)
    .map(([other, { options = {} }]) => ({ other, names: optionNames(options) }));
  const wrong = takers.flatMap(({ names }) => names)
    .find((one) => given.has(one) && !allowed.includes(one));
  if (wrong === undefined) return;
  const others = takers.filter(({ names }) => names.includes(wrong)).map(({ other }) => other);
  throw new UsageError(`Cannot use --${wrong} with ${name}: it is for ${joinFirst(others, 5)}`);
}

async function makeContext(
  words: readonly string[],
  options: Options,
  entry: CommandEntry,
  root: string,
  io: ProgramIo,
  logOptions: Partial<LogOptions> = {},
): Promise<Context> {
  const { readsOnly, printsDocument, options: own = {} } = entry;
  const environment = readEnvironment(io);
  const [dryRun, json] = [options.has("dry-run"), options.has("json")];
  if (!dryRun && readsOnly !== true) await assertWritable(root);
  if ("--fresh" in own && !options.has("fresh")) await assertOwnHistory(root);
  const secretsPath = options.text("secrets");
  const secretsFile = secretsPath && resolve(givenFolder(options), secretsPath);
  const file = secretsFile === undefined
    ? {}
    : parseSecretsFile(await readSecretsFile(secretsFile));
  const secrets = new Secrets(
    withSingleRecipients({ ...environment.secrets, ...file }),
    environment.tokens,
    environment.hasSecrets || secretsFile !== undefined,
  );
  const log = new Log({
    secrets,
    onGitHub: environment.onGitHub,
    terminal: environment.terminal,
    level: options.has("quiet") || json ? "quiet" : options.has("verbose") ? "verbose" : "normal",
    dataOnly: json || printsDocument === true,
    ...io,
    ...logOptions,
  });
  return {
    config: options.text("config"),
    words,
    options,
    dryRun,
    json,
    root,
    environment,
    secrets,
    clock: io.clock,
    ask: askOn(io.stdin),
    stdin: io.stdin,
    signal: io.signal,
    log,
    secretsFile,
    renew: (changed) => makeContext(words, options, entry, root, io, changed),
  };
}

/** The folder to work in: the given one, or the one above it that has the configuration. */
async function findRoot(options: Options, { startsHere, makesFolder }: CommandEntry) {
  const start = givenFolder(options);
  await assertFolder(start, options.text("root") ?? start, { mayBeMissing: makesFolder === true });
  if (startsHere === true || options.has("config")) return { root: start, isForbidden: false };
  const { folder = start, isForbidden } = await findFolder(start, CONFIG_FILES);
  return { root: folder, isForbidden };
}

function givenFolder(options: Options): string {
  return resolve(...options.texts("root"));
}

/** @throws {UsageError} If the folder holds a history that only Upptime wrote. */
async function assertOwnHistory(root: string): Promise<void> {
  const { countUpptimeRecords } = await import("./lib/history/upptime_history.ts");
  const records = await countUpptimeRecords(folderWorkspace(root));
  if (records === 0) return;
  throw new UsageError(
    `Nothing was changed, because this folder holds what Upptime recorded of ${
      count(records, "site")
    } and nothing of ours: "${formatCommand("import upptime")}" takes it over, and "${
      formatCommand("update --fresh")
    }" starts without that past (Upptime's files stay in place)`,
  );
}

async function readSecretsFile(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) {
      throw new UsageError(`Cannot read secrets from ${path}: the file does not exist`);
    }
    throw error;
  }
}

function say(log: Log, text: string, code = 0): number {
  log.line(text);
  return ended(log, code);
}

/** The exit code; a command whose output could not be written has failed. */
function ended(log: Log, code: number): number {
  if (log.failure === undefined) return code;
  log.error(`Cannot write the output: ${log.failure}`);
  return code || 1;
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : `\nCaused by: ${stackOf(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}

function messageOf(error: unknown): string {
  if (error instanceof Deno.errors.NotCapable) {
    const [need] = error.message.split(", run again with");
    return `${need}; a task works in the current folder only`;
  }
  return error instanceof Error ? error.message : String(error);
}

if (import.meta.main) Deno.exit(await run(Deno.args, systemIo));
