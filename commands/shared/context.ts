import type { Secrets } from "../../lib/io/secrets/secrets.ts";
import type { Clock } from "../../lib/io/clock.ts";
import type { Ask, Input } from "../../lib/io/terminal.ts";
import type { Environment } from "../../lib/io/environment.ts";
import type { Options } from "../../lib/text/arguments.ts";
import type { Log } from "../../lib/io/log.ts";

/** A command line, and the access to the outside. */
export interface Context {
  /** The folder with the configuration and the history. */
  root: string;
  /** Path of the configuration file; absent for the default in the folder. */
  config?: string;
  /** Words of the command line after the command. */
  words: readonly string[];
  options: Options;
  /** True to print what would be written, and write nothing. */
  dryRun: boolean;
  /** True to print the result as JSON only. */
  json: boolean;
  environment: Environment;
  secrets: Secrets;
  clock: Clock;
  /** Asks the person at the terminal. */
  ask: Ask;
  stdin: Input;
  /** Ends a command that runs until it is stopped; absent if signals of the system do. */
  signal?: AbortSignal;
  log: Log;
}

/** Returns the exit code: 0 done, 1 failed, 2 misused or misconfigured. */
export type Command = (context: Context) => Promise<number>;
