import type { Secrets } from "../../lib/io/secrets/secrets.ts";
import type { Clock } from "../../lib/io/clock.ts";
import type { Ask, Input } from "../../lib/io/ask.ts";
import type { Environment } from "../../lib/io/environment.ts";
import type { Log } from "../../lib/io/log.ts";

/** What every command is given: what was asked for, and the doors to the outside. */
export interface Context {
  /** The folder with the configuration and the history. */
  root: string;
  /** Path of the configuration file; absent where the usual one in the folder is meant. */
  config?: string;
  /** The words of the command line after the command. */
  words: readonly string[];
  /** Addresses given with `--url`. */
  urls: readonly string[];
  /** Number given with `--channel`. */
  channel?: string;
  /** Month given with `--month`. */
  month?: string;
  /** Word given with `--format`. */
  format?: string;
  /** Length of time given with `--for`. */
  for?: string;
  /** Words given with `--reason`. */
  reason?: string;
  /** Port given with `--port`. */
  port?: string;
  /** Whether `--all` is given. */
  all: boolean;
  /** Whether `--add-markers` is given. */
  addMarkers: boolean;
  /** Whether `--force` is given. */
  force: boolean;
  /** Whether to print what would be written, and to write nothing. */
  dryRun: boolean;
  /** Whether to print the result as JSON, and nothing else. */
  json: boolean;
  environment: Environment;
  secrets: Secrets;
  clock: Clock;
  /** Asks the person at the terminal. */
  ask: Ask;
  stdin: Input;
  /** Ends a command that runs until it is stopped; absent if the signals of the system do. */
  signal?: AbortSignal;
  log: Log;
}

/** Runs, and returns the exit code: 0 done, 1 the run failed, 2 nothing could be done as asked. */
export type Command = (context: Context) => Promise<number>;
