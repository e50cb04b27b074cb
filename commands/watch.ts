import type { ReadVariable } from "../lib/checks/observation.ts";
import { listSelfHostedLocations } from "../lib/config/legs.ts";
import type { Config } from "../lib/config/config.ts";
import { configFiles, loadConfig, type LoadedConfig } from "../lib/config/load.ts";
import { readRepositoryInfo, type RepositoryInfo } from "../lib/git/repository.ts";
import type { BufferedStore } from "../lib/history/store/buffered_store.ts";
import { openStore, openWatchMark, type WatchMark } from "../lib/history/store/open_store.ts";
import { random } from "../lib/io/clock.ts";
import type { LogOptions } from "../lib/io/log.ts";
import { interruption } from "../lib/io/terminal.ts";
import { folderWorkspace } from "../lib/io/workspace.ts";
import { KeptHistory } from "../lib/pipeline/kept_history.ts";
import { Turns } from "../lib/pipeline/turns.ts";
import { type DueTime, dueTimes, selectDue } from "../lib/pipeline/watch_schedule.ts";
import { UsageError } from "../lib/text/arguments.ts";
import { formatTime, MINUTE } from "../lib/time.ts";
import { watchedNote, watchingLine } from "../templates/terminal/progress.ts";
import { type Command, type Context, logFaults, messageOf } from "./shared/context.ts";
import { findOwnLocation } from "./shared/combine_locations.ts";
import { openVariables } from "./shared/variables.ts";
import { Rounds } from "./watch/rounds.ts";

/** Milliseconds that checks have to end once the program is asked to stop; others are left out. */
const CHECKS_LIMIT = 4_000;
/** Milliseconds from then on that the remote has to answer; what is not pushed by then stays on this machine. */
const REMOTE_LIMIT = 12_000;
/** Milliseconds that effects may take after everything is recorded. */
const EFFECTS_LIMIT = 3_000;
/** Milliseconds after which a warning that has not come again counts as new; longer if an interval is. */
const WARNING_PERIOD = 10 * MINUTE;
/** Milliseconds after which an open check is named on a terminal. */
const LONG_CHECK = 1_000;
/** Milliseconds that a file has to stay the same before it is read, because editors don't write it at once. */
const SETTLING = 500;

/** Returns the command that runs `update` on a schedule of its own, until it is stopped. */
export function watchWith(update: Command): Command {
  return async (context) => {
    const { options, clock } = context;
    const jitter = parseJitter(options.text("jitter") ?? "0");
    using interrupted = interruption(context.signal);
    const { signal } = interrupted;
    using monitor = new Monitor(context, { update, signal });
    if (!await monitor.start()) return await update(context);
    if (options.has("once")) {
      const stopped = Promise.withResolvers<number>();
      signal.addEventListener("abort", () => stopped.resolve(1));
      const round = monitor.startRound({ at: 0, last: -Infinity });
      const code = await Promise.race([round, stopped.promise]);
      if (!await monitor.end()) return 1;
      monitor.say(signal.aborted ? "Stopped." : "Done.");
      return code ?? 0;
    }
    monitor.say(monitor.describe());
    monitor.showStatus();
    const times = dueTimes({
      ...{ clock, random, jitter, signal },
      intervals: () => monitor.reload(),
      onWait: (milliseconds) => monitor.nextAt = clock.elapsed() + milliseconds,
    });
    for await (const due of times) {
      monitor.startRound(due);
      monitor.mark();
    }
    await monitor.end();
    monitor.say("Stopped.");
    return 0;
  };
}

/** The part of a {@linkcode Monitor} that a changed configuration replaces. */
interface Setup {
  /** Has environment, secrets and log of its own. */
  context: Context;
  loaded: LoadedConfig & { config: Config };
  repository: RepositoryInfo;
}

/** Starts the rounds of `watch`, and keeps what they share. */
class Monitor {
  readonly #first: Context;
  readonly #update: Command;
  /** Aborted when the program is asked to stop. */
  readonly #signal: AbortSignal;
  readonly #rounds = new Rounds();
  readonly #turns = new Turns();
  /** Aborted when the remote gets no more time. */
  readonly #remote = new AbortController();
  /** Aborted when the checks of the present configuration have to end. */
  #checks = new AbortController();
  #setup!: Setup;
  #readVariable!: ReadVariable;
  #store!: BufferedStore;
  #history!: KeptHistory;
  /** The texts of the files as of the last look. */
  #texts = "";
  #mark!: WatchMark;
  #isFirst = true;
  /** Time of the next round, in milliseconds of `clock.elapsed()`. */
  nextAt = 0;
  /** Start of the last round that checks sites, in milliseconds of `clock.elapsed()`. */
  #startedAt = -Infinity;
  /** Start of the last round that made the requests of once a minute, in milliseconds of `clock.elapsed()`. */
  #askedAt = -Infinity;

  constructor(context: Context, { update, signal }: { update: Command; signal: AbortSignal }) {
    this.#first = context;
    this.#update = update;
    this.#signal = signal;
  }

  [Symbol.dispose](): void {
    this.#first.log.endStatus();
    this.#store?.[Symbol.dispose]();
  }

  /**
   * Loads the configuration and opens the history; returns false if there is nothing to monitor.
   *
   * @throws {RepositoryError} If nothing can be recorded, or another process watches in the folder.
   */
  async start(): Promise<boolean> {
    const { root, clock } = this.#first;
    this.#texts = await this.#read();
    const setup = await this.#load();
    if (setup === undefined || activeSites(setup).length === 0) return false;
    findOwnLocation(setup.loaded.config, this.#first.options.text("location"));
    this.#setup = setup;
    this.#store = await openStore(root, {
      workspace: folderWorkspace(root),
      lock: setup.loaded.file,
      clock,
      warn: (text) => this.#setup.context.log.warn(text),
      keeps: true,
      maxAge: MINUTE,
      ending: this.#remote.signal,
      withLocations: () => listSelfHostedLocations(this.#setup.loaded.config).length > 0,
    });
    this.#mark = await openWatchMark(root);
    this.#adopt(setup);
    return true;
  }

  /** Adopts a changed configuration if it is free of errors, and returns the intervals of all sites. */
  async reload(): Promise<number[]> {
    const texts = await this.#read();
    if (texts !== this.#texts && await this.#isSettled(texts)) {
      this.#texts = texts;
      const { log } = this.#setup.context;
      try {
        const setup = await this.#load();
        if (setup === undefined || hasErrors(setup)) {
          log.error("The changed configuration is not used until its errors are fixed");
        } else {
          // What they find belongs to the configuration that they were started with.
          this.#checks.abort();
          await this.#rounds.recorded();
          this.#adopt(setup);
          this.showStatus();
          this.say(`The configuration was read again. ${this.describe()}`);
        }
      } catch (error) {
        log.error(`The changed configuration is not used: ${messageOf(error)}`);
      }
    }
    return activeSites(this.#setup).map(({ interval }) => interval);
  }

  /** Starts a round with the sites that are due; resolves to its exit code. Errors are logged: the next one may not have them. */
  async startRound({ at, last }: DueTime): Promise<number | undefined> {
    const { clock } = this.#first;
    const { context, loaded, repository } = this.#setup;
    const sites = activeSites(this.#setup);
    // In this time everything that may have a reason for a warning is done at least once.
    const period = Math.max(WARNING_PERIOD, ...sites.map(({ interval }) => interval));
    if (Math.floor(at / period) > Math.floor(last / period)) context.log.startPeriod();
    const since = clock.elapsed();
    const isMinutely = since - this.#askedAt >= MINUTE;
    const round = this.#rounds.start(selectDue(sites, { last, now: at }), since, (due, calls) => {
      return this.#update({
        ...context,
        watching: {
          loaded,
          repository,
          due,
          isMinutely,
          isFirst: this.#isFirst,
          history: this.#history,
          readVariable: this.#readVariable,
          turns: this.#turns,
          stop: this.#checks.signal,
          ...calls,
        },
      });
    });
    if (round === undefined) return undefined;
    this.#isFirst = false;
    this.#startedAt = since;
    if (isMinutely) this.#askedAt = since;
    try {
      return await round;
    } catch (error) {
      context.log.error(messageOf(error));
      return 1;
    }
  }

  /** Marks that checks are made, unless all sites have been busy for longer than a run may take. */
  mark(): void {
    const { clock } = this.#first;
    const { runDeadline } = this.#setup.loaded.config;
    if (clock.elapsed() - this.#startedAt > runDeadline) return;
    // Without it the program is only reported to be unhealthy.
    this.#mark.set(clock.now()).catch(() => {});
  }

  /**
   * Ends the open rounds, and publishes what waits on this machine; returns false if it has to wait for the next
   * start. It takes 10 seconds at most if the remote answers, else 20.
   */
  async end(): Promise<boolean> {
    const { clock } = this.#first;
    const over = new AbortController();
    const within = async (limit: number, work: Promise<unknown>) => {
      await Promise.race([work, clock.wait(limit, over.signal)]);
    };
    if (this.#signal.aborted) {
      clock.wait(REMOTE_LIMIT, over.signal).then(() => this.#remote.abort());
      await within(CHECKS_LIMIT, this.#rounds.recorded());
      this.#checks.abort();
      await this.#rounds.recorded();
      await within(EFFECTS_LIMIT, this.#rounds.ended());
    } else await this.#rounds.ended();
    try {
      await this.#turns.take(() => this.#store.flush());
      return true;
    } catch (error) {
      const { log } = this.#setup.context;
      log.warn(`The last checks stay on this machine until the next start: ${messageOf(error)}`);
      return false;
    } finally {
      over.abort();
    }
  }

  say(text: string): void {
    this.#setup.context.log.change(text);
  }

  /** Shows the states of all sites and the time until the next round below the output, on a terminal. */
  showStatus(): void {
    const { log } = this.#setup.context;
    log.status((columns) => {
      const now = this.#first.clock.elapsed();
      const sites = activeSites(this.#setup);
      return watchingLine({
        states: sites.map(({ slug }) => this.#rounds.states.get(slug)),
        checking: sites.filter((site) => this.#rounds.isCheckedSince(site, now - LONG_CHECK))
          .map(({ name }) => name),
        next: this.#signal.aborted ? undefined : this.nextAt - now,
      }, columns);
    });
  }

  /** Describes what is watched. */
  describe(): string {
    return watchedNote(activeSites(this.#setup).map(({ interval }) => interval));
  }

  #adopt(setup: Setup): void {
    this.#setup = setup;
    const { context, loaded: { config }, repository: { remoteUrl } } = setup;
    this.#readVariable = openVariables({ config, remoteUrl }, context);
    this.#history = new KeptHistory(folderWorkspace(this.#first.root), this.#store, this.#turns);
    this.#checks = new AbortController();
    setup.context.log.startPeriod();
  }

  /** Loads the configuration anew, and logs its problems; `undefined` if none of it can be used. */
  async #load(): Promise<Setup | undefined> {
    const { root } = this.#first;
    const context = await this.#first.renew({
      ...this.#logOptions(),
      live: this.#first.log.live,
    });
    const loaded = await loadConfig(folderWorkspace(root), context);
    const { config } = loaded;
    logFaults(loaded, context.log);
    if (config === undefined) return undefined;
    const repository = await readRepositoryInfo(root);
    return { context, loaded: { ...loaded, config }, repository };
  }

  #logOptions(): Partial<LogOptions> {
    const { options, clock, json } = this.#first;
    const stamp = () => formatTime(clock.now()).slice(0, 19) + "Z";
    return options.has("verbose") || options.has("quiet") || json
      ? { stamp }
      : { stamp, level: "changes" };
  }

  /** The texts of the configuration and the file with secrets; empty for one that is missing. */
  async #read(): Promise<string> {
    const { root, config, secretsFile } = this.#first;
    const workspace = folderWorkspace(root);
    const texts: string[] = [];
    for (const name of configFiles(root, config)) texts.push(await workspace.read(name) ?? "");
    if (secretsFile !== undefined) texts.push(await folderWorkspace("/").read(secretsFile) ?? "");
    return texts.join("\0");
  }

  async #isSettled(texts: string): Promise<boolean> {
    await this.#first.clock.wait(SETTLING, this.#signal);
    return await this.#read() === texts;
  }
}

function activeSites({ loaded: { config } }: Setup) {
  return config.sites.filter(({ paused }) => !paused);
}

/** True if a site or channel of a configuration would be lost by adopting it. */
function hasErrors({ loaded: { problems } }: Setup): boolean {
  return problems.some(({ severity }) => severity === "error");
}

function parseJitter(text: string): number {
  const seconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (seconds <= 3600) return 1000 * seconds;
  throw new UsageError(`Cannot use --jitter ${text}: give a number of seconds from 0 to 3600`);
}
