import { type Arguments, parseArguments, UsageError } from "./lib/arguments.ts";
import { NoConfigError } from "./lib/config/no_config_error.ts";
import { Secrets } from "./lib/config/secrets/secrets.ts";
import type { Command } from "./lib/context.ts";
import { Log } from "./lib/doors/log.ts";
import { type Needs, openContext } from "./lib/doors/open_context.ts";
import { VERSION } from "./lib/version.ts";
import { type CommandHelp, usageText } from "./templates/usage.ts";

/** A command: what its help says, and the module that is loaded when it is asked for. */
interface CommandEntry extends CommandHelp, Needs {
  /** The options that it alone takes. */
  options?: readonly ("url" | "channel" | "month" | "format")[];
  /** Whether it is for people, and no job of the platform runs it. */
  byHand?: true;
  load(): Promise<Command>;
}

/** Every command of the program. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  "update": {
    help: "check every site, record the results, open and close incidents",
    load: async () => (await import("./commands/update.ts")).update,
  },
  "validate": {
    help: "say what is wrong with the configuration, what it monitors, and what that costs",
    load: async () => (await import("./commands/validate.ts")).validate,
  },
  "check": {
    help: "look at one site once and show everything that is seen; nothing is written",
    takes: "NAME",
    readsOnly: true,
    byHand: true,
    load: async () => (await import("./commands/check.ts")).check,
  },
  "status": {
    help: "show how all sites are, or one of them closely; nothing is written",
    takes: "[NAME]",
    readsOnly: true,
    byHand: true,
    load: async () => (await import("./commands/status.ts")).status,
  },
  "report": {
    help: "print uptime, incidents and objectives of a month as a document; nothing is written",
    options: ["month", "format"],
    printsDocument: true,
    readsOnly: true,
    byHand: true,
    load: async () => (await import("./commands/report.ts")).report,
  },
  "state": {
    help: "show what waits for the next commit, and what runs remember; nothing is written",
    readsOnly: true,
    byHand: true,
    load: async () => (await import("./commands/state.ts")).state,
  },
  "dispatch": {
    help: "start a workflow of the repository by its event, such as static_site",
    takes: "EVENT",
    readsOnly: true,
    byHand: true,
    load: async () => (await import("./commands/dispatch.ts")).dispatch,
  },
  "notify-test": {
    help: "send a test event to every channel, and show what each answered",
    options: ["channel"],
    readsOnly: true,
    load: async () => (await import("./commands/notify-test.ts")).notifyTest,
  },
  "init": {
    help: "write a first configuration",
    options: ["url"],
    byHand: true,
    load: async () => (await import("./commands/init.ts")).init,
  },
};

/** Runs the program and returns its exit code. */
async function main(args: readonly string[]): Promise<number> {
  const fallback = new Log({
    secrets: new Secrets(),
    onPlatform: false,
    terminal: false,
    level: "normal",
    dataOnly: false,
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
    const context = await openContext(parsed, entry);
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
  { urls, ...parsed }: Arguments,
  option: NonNullable<CommandEntry["options"]>[number],
): boolean {
  return option === "url" ? urls.length > 0 : parsed[option] !== undefined;
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

if (import.meta.main) Deno.exit(await main(Deno.args));
