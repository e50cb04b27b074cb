import { parseArgs } from "@std/cli/parse-args";

/** What was asked for on the command line. */
export interface Arguments {
  /** The words that are no options: the command first. */
  words: string[];
  /** Folders to work in, each relative to the one before. */
  root: string[];
  config?: string;
  /** File with secrets, for a laptop. */
  secrets?: string;
  /** Addresses to begin with. */
  urls: string[];
  /** Number of a channel. */
  channel?: string;
  /** A month, `YYYY-MM`. */
  month?: string;
  /** What a document shall be written as. */
  format?: string;
  /** A length of time. */
  for?: string;
  /** Why something is done, for people. */
  reason?: string;
  /** A port of this machine. */
  port?: string;
  all: boolean;
  addMarkers: boolean;
  force: boolean;
  /** True if a history may start beside one that another program wrote. */
  fresh: boolean;
  help: boolean;
  version: boolean;
  dryRun: boolean;
  json: boolean;
  verbose: boolean;
  quiet: boolean;
}

/** A command line that can't be followed, with the cure. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Options of every command, as its help shows them. */
export const OPTIONS = {
  "--config FILE": "configuration file, instead of .monitorrc.yml",
  "--root DIR": "folder to work in; for a task, one inside the current folder",
  "--secrets FILE": "secrets for $NAMES in the configuration: NAME=value lines or a JSON object",
  "--url ADDRESS": "init: address to monitor; can be repeated",
  "--channel N": "notify-test: only the channel with this number, as --dry-run lists them",
  "--month MONTH": "report: month as YYYY-MM, instead of the last complete month",
  "--format FORMAT": "report: markdown, csv (a row per site) or csv-incidents (a row per incident)",
  "--for LENGTH": "maintenance start: duration, such as 90m, 4h or 2d",
  "--reason TEXT": "maintenance start: reason shown to people",
  "--all": "maintenance start: all sites",
  "--add-markers":
    "readme: add the comments that mark the place of the summary, or create a README",
  "--port N": "serve: port, 0 for any free one; default 8080 or the next free one",
  "--force": "update-template: replace workflows that were changed or written by hand",
  "--fresh": "start a new history in a repository that contains Upptime's, without importing it",
  "--dry-run": "print what would be written and sent; write and send nothing",
  "--json": "print the result as one JSON document, everything else to stderr",
  "--quiet": "print only warnings and errors",
  "--verbose": "print details, and stack traces of failures",
  "--help": "print this help",
  "--version": "print the version",
} as const;

const TEXTS = [
  "config",
  "root",
  "secrets",
  "url",
  "channel",
  "month",
  "format",
  "for",
  "reason",
  "port",
] as const;
const SWITCHES = [
  "all",
  "add-markers",
  "force",
  "fresh",
  "dry-run",
  "json",
  "quiet",
  "verbose",
  "help",
  "version",
] as const;

/**
 * Reads a command line.
 *
 * @throws {UsageError} Where it has an option that is not known, or that lacks its value.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const { words, json } = parseArguments(["update", "--json"]);
 * assertEquals([words, json], [["update"], true]);
 * assertEquals(parseArguments(["check", "007"]).words, ["check", "007"]);
 * ```
 */
export function parseArguments(args: readonly string[]): Arguments {
  const parsed = parseArgs([...args], {
    string: [...TEXTS, "_"],
    boolean: SWITCHES,
    collect: ["root", "url"],
    alias: { h: "help" },
    unknown: (option, key) => {
      if (key !== undefined) {
        // What is given to it may be a secret.
        const [name] = option.split("=", 1);
        throw new UsageError(`Cannot understand ${name}: --help lists the options`);
      }
    },
  });
  const texts = (name: typeof TEXTS[number]): string[] => {
    const values = [parsed[name] ?? []].flat().map(String);
    if (values.includes("")) throw new UsageError(`Cannot use --${name}: it needs a value`);
    return values;
  };
  const given = (name: typeof SWITCHES[number]) => parsed[name] === true;
  return {
    words: parsed._.map(String),
    root: texts("root"),
    config: texts("config").at(-1),
    secrets: texts("secrets").at(-1),
    urls: texts("url"),
    channel: texts("channel").at(-1),
    month: texts("month").at(-1),
    format: texts("format").at(-1),
    for: texts("for").at(-1),
    reason: texts("reason").at(-1),
    port: texts("port").at(-1),
    all: given("all"),
    addMarkers: given("add-markers"),
    force: given("force"),
    fresh: given("fresh"),
    help: given("help"),
    version: given("version"),
    dryRun: given("dry-run"),
    json: given("json"),
    verbose: given("verbose"),
    quiet: given("quiet"),
  };
}
