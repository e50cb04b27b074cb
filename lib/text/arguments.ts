import { parseArgs } from "@std/cli/parse-args";
import { findMeant } from "./nearest.ts";

/** Options as help shows them, `--name` or `--name VALUE`, with their descriptions. */
export type OptionTable = Readonly<Record<string, string>>;

/** A command line that can't be followed, with the cure. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export const GLOBAL_OPTIONS: OptionTable = {
  "--config FILE": "configuration file, instead of .monitorrc.yml",
  "--root DIR": "folder to work in; for a task, one inside the current folder",
  "--secrets FILE": "secrets for $NAMES in the configuration: NAME=value lines or a JSON object",
  "--json": "print the result as one JSON document, everything else to stderr",
  "--quiet": "print only warnings and errors",
  "--verbose": "print details, and stack traces of failures",
  "--help": "print this help",
  "--version": "print the version",
};

/** Options that were removed, with what replaces them. */
const REMOVED = new Map([
  ["beats", 'jobs report by "monitor beat"'],
  ["health-port", 'use "monitor status --healthy"'],
  [
    "shrink",
    'run "git gc", or make a fresh clone with --filter=blob:none, which leaves out old graphs',
  ],
]);

export class Options {
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(values: ReadonlyMap<string, readonly string[]>) {
    this.#values = values;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  texts(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** The last value of an option; `undefined` if it is not given. */
  text(name: string): string | undefined {
    return this.texts(name).at(-1);
  }
}

export function optionNames(table: OptionTable): string[] {
  return Object.keys(table).map(toName);
}

function toName(option: string): string {
  return option.slice(2).split(" ")[0]!;
}

/**
 * Reads a command line with the options of some tables; a misspelled option is answered with the nearest of
 * `suggested`.
 *
 * @throws {UsageError} If an option is unknown or lacks its value.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const { words, options } = parseArguments(["check", "007", "--json"], [GLOBAL_OPTIONS]);
 * assertEquals([words, options.has("json"), options.text("config")], [["check", "007"], true, undefined]);
 * ```
 */
export function parseArguments(
  args: readonly string[],
  tables: readonly OptionTable[],
  suggested = tables,
): { words: string[]; options: Options } {
  const all = tables.flatMap((table) => Object.keys(table));
  const named = (takesValue: boolean) =>
    all.filter((option) => option.includes(" ") === takesValue).map(toName);
  const [texts, switches] = [named(true), named(false)];
  const parsed = parseArgs([...args], {
    string: [...texts, "_"],
    boolean: switches,
    collect: texts,
    alias: { h: "help", v: "version" },
    unknown: (option, key) => {
      if (key !== undefined) {
        // Its value may be a secret.
        const [name] = option.split("=", 1);
        const replacement = REMOVED.get(name!.replace(/^--/, ""));
        if (replacement !== undefined) {
          throw new UsageError(`Cannot use ${name}: it was removed; ${replacement}`);
        }
        const near = findMeant(name!.replace(/^-+/, ""), suggested.flatMap(optionNames));
        const hint = near === undefined ? "" : `did you mean "--${near}"? `;
        throw new UsageError(`Cannot understand ${name}: ${hint}--help lists the options`);
      }
    },
  }) as Record<string, unknown> & { _: (string | number)[] };
  const values = new Map<string, string[]>();
  for (const name of texts) {
    const given = [parsed[name] ?? []].flat().map(String);
    if (given.includes("")) throw new UsageError(`Cannot use --${name}: it needs a value`);
    if (given.length > 0) values.set(name, given);
  }
  for (const name of switches) if (parsed[name] === true) values.set(name, []);
  return { words: parsed._.map(String), options: new Options(values) };
}

/**
 * Parses the port of a server.
 *
 * @throws {UsageError} If it is none.
 */
export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port <= 65_535) return port;
  throw new UsageError(
    `Cannot serve on port ${text}: give a number from 0 to 65535, 0 for any free one`,
  );
}
