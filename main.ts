import { resolve } from "node:path";
import { type CommandEntry, type CommandOption, COMMANDS } from "./commands/mod.ts";
import { type Arguments, parseArguments, UsageError } from "./lib/text/arguments.ts";
import { NoConfigError } from "./lib/config/no_config_error.ts";
import { Secrets } from "./lib/io/secrets/secrets.ts";
import { parseSecretsFile } from "./lib/io/secrets/secrets_file.ts";
import type { Context } from "./commands/shared/context.ts";
import { askOn } from "./lib/io/ask.ts";
import { type ProgramIo, readEnvironment, systemIo, withVariables } from "./lib/io/environment.ts";
import { Log } from "./lib/io/log.ts";
import { folderWorkspace } from "./lib/io/workspace.ts";
import { assertWritable } from "./lib/io/writable.ts";
import { withSingleChats } from "./lib/config/upptime/channels.ts";
import { withPaint } from "./lib/text/paint.ts";
import { VERSION } from "./lib/version.ts";
import { count } from "./templates/words.ts";
import { usageText } from "./templates/terminal/help.ts";

/** Runs the program with the arguments of a command line, and returns its exit code. */
export function run(args: readonly string[], io: ProgramIo): Promise<number> {
  const colours = io.columns() !== undefined && !io.env.get("NO_COLOR");
  return withVariables(io.env, () => withPaint(colours, () => main(args, io)));
}

async function main(args: readonly string[], io: ProgramIo): Promise<number> {
  const fallback = new Log({
    secrets: new Secrets(),
    onGitHub: false,
    terminal: false,
    level: "normal",
    dataOnly: false,
    ...io,
  });
  let log = fallback;
  let verbose = false;
  try {
    const parsed = parseArguments(args);
    verbose = parsed.verbose;
    const [name, ...rest] = parsed.words;
    if (parsed.version) return say(log, VERSION);
    if (parsed.help || name === undefined) {
      return say(log, usageText(COMMANDS, name), parsed.help ? 0 : 2);
    }
    const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (entry === undefined || (rest.length > 0 && entry.takes === undefined)) {
      throw new UsageError(
        `Cannot run "${parsed.words.join(" ")}": the commands are ${
          Object.keys(COMMANDS).join(", ")
        }`,
      );
    }
    assertOptions(parsed, name, entry);
    const context = await contextOf(parsed, entry, io);
    log = context.log;
    return ended(log, await (await entry.load())(context));
  } catch (error) {
    log.endProgress();
    log.error(verbose ? stackOf(error) : messageOf(error));
    return error instanceof UsageError || error instanceof NoConfigError ||
        error instanceof SyntaxError
      ? 2
      : 1;
  }
}

/** @throws {UsageError} Where an option is for another command. */
function assertOptions(parsed: Arguments, name: string, { options = [] }: CommandEntry): void {
  for (const [other, { options: theirs = [] }] of Object.entries(COMMANDS)) {
    const wrong = theirs.find((one) => isGiven(parsed, one) && !options.includes(one));
    if (wrong !== undefined) {
      throw new UsageError(`Cannot use --${wrong} with ${name}: it is for ${other}`);
    }
  }
}

function isGiven(
  { urls, addMarkers, ...parsed }: Arguments,
  option: CommandOption,
): boolean {
  if (option === "add-markers") return addMarkers;
  return option === "url" ? urls.length > 0 : (parsed[option] ?? false) !== false;
}

async function contextOf(
  parsed: Arguments,
  { readsOnly, printsDocument, options = [] }: CommandEntry,
  io: ProgramIo,
): Promise<Context> {
  const environment = readEnvironment(io);
  const root = resolve(...parsed.root);
  if (!parsed.dryRun && readsOnly !== true) await assertWritable(root);
  if (options.includes("fresh") && !parsed.fresh) await assertOwnHistory(root);
  const file = parsed.secrets === undefined
    ? {}
    : parseSecretsFile(await readSecretsFile(resolve(root, parsed.secrets)));
  const secrets = new Secrets(
    withSingleChats({ ...environment.secrets, ...file }),
    environment.tokens,
    environment.hasSecrets || parsed.secrets !== undefined,
  );
  const level = parsed.quiet || parsed.json ? "quiet" : parsed.verbose ? "verbose" : "normal";
  const log = new Log({
    secrets,
    onGitHub: environment.onGitHub,
    terminal: environment.terminal,
    level,
    dataOnly: parsed.json || printsDocument === true,
    ...io,
  });
  return {
    ...parsed,
    root,
    words: parsed.words.slice(1),
    environment,
    secrets,
    clock: io.clock,
    ask: askOn(io.stdin),
    stdin: io.stdin,
    signal: io.signal,
    log,
  };
}

/** @throws {UsageError} If the folder holds a history that only Upptime wrote. */
async function assertOwnHistory(root: string): Promise<void> {
  const { countUpptimeRecords } = await import("./lib/history/upptime_history.ts");
  const records = await countUpptimeRecords(folderWorkspace(root));
  if (records === 0) return;
  throw new UsageError(
    `Nothing was changed, because this folder holds what Upptime recorded of ${
      count(records, "site")
    } and nothing of ours: "update --fresh" starts without that past (Upptime's files stay in place), and a later version will take it over with "import upptime"`,
  );
}

async function readSecretsFile(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) {
      throw new UsageError(`Cannot read secrets from ${path}: there is no such file`);
    }
    throw error;
  }
}

function say(log: Log, text: string, code = 0): number {
  log.line(text);
  return ended(log, code);
}

/** The work is done by then; what is lost is only the tale of it. */
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
    return `${error.message}; a task works in the current folder only`;
  }
  return error instanceof Error ? error.message : String(error);
}

if (import.meta.main) Deno.exit(await run(Deno.args, systemIo));
