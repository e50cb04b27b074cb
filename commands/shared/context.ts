import type { Secrets } from "../../lib/io/secrets/secrets.ts";
import type { Clock } from "../../lib/io/clock.ts";
import type { Ask, Input } from "../../lib/io/terminal.ts";
import type { Environment } from "../../lib/io/environment.ts";
import type { Options } from "../../lib/text/arguments.ts";
import type { Log, LogOptions } from "../../lib/io/log.ts";
import type { Site } from "../../lib/config/config.ts";
import type { SiteState } from "../../lib/evaluation/results.ts";
import { loadConfig, type LoadedConfig } from "../../lib/config/load.ts";
import type { RepositoryInfo } from "../../lib/git/repository.ts";
import type { OpenStoreOptions } from "../../lib/history/store/open_store.ts";
import { folderWorkspace } from "../../lib/io/workspace.ts";
import type { ReadVariable } from "../../lib/checks/observation.ts";
import type { KeptHistory } from "../../lib/pipeline/kept_history.ts";
import type { StartedRun } from "../../lib/pipeline/record_run.ts";
import type { Turns } from "../../lib/pipeline/turns.ts";

export interface Context {
  /** The folder with the configuration and the history. */
  root: string;
  /** Path of the configuration file; absent for the default in the folder. */
  config?: string;
  /** Words of the command line after the command. */
  words: readonly string[];
  options: Options;
  dryRun: boolean;
  json: boolean;
  environment: Environment;
  secrets: Secrets;
  clock: Clock;
  ask: Ask;
  stdin: Input;
  /** Stops a command that runs until it is stopped; absent if only signals of the system do. */
  signal?: AbortSignal;
  log: Log;
  secretsFile?: string;
  /** Reads environment and secrets again, into a context with a log of its own. */
  renew(log: Partial<LogOptions>): Promise<Context>;
  /** Present in the rounds of `watch`. */
  watching?: Watching;
}

/** A round of `watch`: what `update` checks and records, and what is kept between rounds. */
export interface Watching {
  loaded: LoadedConfig;
  repository: RepositoryInfo;
  history: KeptHistory;
  turns: Turns;
  due: ReadonlySet<string>;
  isFirst: boolean;
  readVariable: ReadVariable;
  /** True once a minute, for requests that services limit: announced maintenance, and the heartbeat. */
  isMinutely: boolean;
  /** Ends the checks: sites without a result by then are left out. */
  stop: AbortSignal;
  /** Called when the check of a site has ended, so that another round may start one. */
  onChecked(result: SiteState): void;
  /** Called when the check of a site was cut off, so that nothing is recorded of it. */
  onLeftOut(site: Site): void;
  /** Resolves once the sites that a site depends on, and that other rounds check, are recorded. */
  whenParentsAreRecorded(site: Site): Promise<void>;
  onRecorded(run: StartedRun): void;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the exit code: 0 done, 1 failed, 2 misused or misconfigured. */
export type Command = (context: Context) => Promise<number>;

/** Loads the configuration, and logs what is wrong with it. */
export async function loadReported(context: Context): Promise<LoadedConfig> {
  const loaded = await loadConfig(folderWorkspace(context.root), context);
  logFaults(loaded, context.log);
  return loaded;
}

/** Logs errors and warnings of a configuration; its notices are for `validate`. */
export function logFaults({ problems, file }: LoadedConfig, log: Log): void {
  for (const problem of problems) {
    if (problem.severity !== "notice") log.problem(problem, file);
  }
}

/** Options for opening the history of the folder; `lock` is the name of the configuration's file. */
export function storeOptions(
  { root, clock, log }: Pick<Context, "root" | "clock" | "log">,
  lock = "",
  readOnly = true,
): OpenStoreOptions {
  const workspace = folderWorkspace(root);
  return { workspace, lock, clock, warn: (text) => log.warn(text), readOnly };
}
