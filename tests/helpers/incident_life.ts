import { createTracker } from "../../commands/update/connections.ts";
import type { Config } from "../../lib/config/config.ts";
import { parseConfig } from "../../lib/config/parse.ts";
import { Secrets } from "../../lib/io/secrets/secrets.ts";
import { randomName, systemClock } from "../../lib/io/clock.ts";
import type { GitHub } from "../../lib/github/github.ts";
import type { Pace } from "../../lib/github/limits.ts";
import { folderWorkspace } from "../../lib/io/workspace.ts";
import { type Incident, parseIncident } from "../../lib/history/incident.ts";
import { parseRunState } from "../../lib/history/run_state.ts";
import { loadHistoryState } from "../../lib/pipeline/history_state.ts";
import { readOpenResponses } from "../../lib/pipeline/respond.ts";
import type { Entry, EntryResult } from "../../lib/outbox/outbox.ts";
import { createHandlers } from "../../lib/pipeline/execute_effects.ts";
import { openStore } from "../../lib/history/store/open_store.ts";
import type { Store } from "../../lib/history/store/store.ts";
import type { ProbeResult } from "../../lib/evaluation/results.ts";
import { LANGUAGE } from "./languages.ts";
import { MemoryStore } from "./memory_store.ts";
import { openedGitHub } from "./opened_github.ts";
import { resultOf } from "./outcomes.ts";
import type { GitHubServer } from "./github_server.ts";
import { recordResults } from "./runs.ts";
import { StillClock } from "./still_clock.ts";

/** The monitor's repository in tests. */
const HOME = "https://github.com/acme/status";

/** The results of a run: the state of the only site, or of each by slug. */
export type Observed = ProbeResult["state"] | Readonly<Record<string, ProbeResult["state"]>>;

/** GitHub, as a run finds it. */
export type FoundGitHub = Pick<GitHubServer, "url" | "repository" | "token">;

/** How a run is made. */
export interface LifeRun {
  /** True if the run has a token. @default {true} */
  hasToken?: boolean;
  pace?: Partial<Pace>;
  /** The result of every site, without its state. */
  seen?: Pick<ProbeResult, "code" | "error" | "expiry">;
  /** True if the run reads how people have responded. @default {false} */
  readsResponses?: boolean;
}

/** Runs that follow each other, with incidents as issues of GitHub; their checks are made already. */
export class IncidentLife {
  readonly store: Store & { files?: ReadonlyMap<string, string> };
  readonly config: Config;
  readonly warnings: string[] = [];
  /** The monitored folder in the repository. */
  folder = "";
  language = LANGUAGE;
  readonly #github: FoundGitHub;
  /**
   * The start of the previous hour, so that no run is ahead of GitHub's clock, and none of the first
   * runs makes the hourly commit of pending rows.
   */
  now = Temporal.Now.instant().subtract({ hours: 1 }).round({
    smallestUnit: "hour",
    roundingMode: "floor",
  });

  private constructor(github: FoundGitHub, config: Config, store: Store) {
    this.#github = github;
    this.config = config;
    this.store = store;
  }

  /** `keys` are of the top level; the one site is Shop unless others are given. */
  static async begin(
    github: FoundGitHub,
    keys: Readonly<Record<string, unknown>> = {},
    store: Store = new MemoryStore(),
  ): Promise<IncidentLife> {
    const sites = [{ name: "Shop", url: "https://shop.example/" }];
    const usual = { degradedRuns: [1, 1], sites };
    const { config } = await parseConfig(JSON.stringify({ ...usual, ...keys }));
    return new IncidentLife(github, config!, store);
  }

  /** Runs in a clone, on its git. */
  static async inClone(github: FoundGitHub, folder: string): Promise<IncidentLife> {
    const store = await openStore(folder, {
      workspace: folderWorkspace(folder),
      lock: ".monitorrc.yml",
      clock: systemClock,
      warn() {},
    });
    return await IncidentLife.begin(github, {}, store);
  }

  /** A run some minutes after the last one, in which all its effects are executed. */
  async run(minutes: number, observed: Observed, how: LifeRun = {}): Promise<EntryResult[]> {
    const { hasToken = true, pace, seen = {}, readsResponses = false } = how;
    this.now = this.now.add({ minutes });
    const run = { id: randomName(), time: this.now };
    const clock = new StillClock(this.now.toString());
    const warn = (text: string) => void this.warnings.push(text);
    const github = hasToken ? openedGitHub(this.#github, { clock, pace, warn }) : undefined;
    const handlers = createHandlers({ github, clock });
    const secrets = new Secrets();
    const places = { repository: HOME, folder: this.folder };
    const { language } = this;
    const tracker = createTracker(this.config, { github, places, language, secrets });
    const results = this.config.sites.map((site) =>
      resultOf(site, typeof observed === "string" ? observed : observed[site.slug]!, {
        began: this.now.add({ milliseconds: 40 }),
        confirmed: this.now.add({ seconds: 31 }),
        attempts: 3,
        ...seen,
      })
    );
    const responses = readsResponses ? await this.#readResponses(github, run.time) : undefined;
    const { executed } = await recordResults(this.store, {
      run,
      results,
      targets: { tracker, dispatches: hasToken, handlers },
      people: { responses },
    });
    return executed;
  }

  async #readResponses(github: GitHub | undefined, time: Temporal.Instant) {
    const { sites } = this.config;
    const scope = { sites, configured: sites, time, keepDays: 35 };
    const state = await loadHistoryState(await this.store.read(), scope);
    return (await readOpenResponses(github, state, this.config, time)).responses;
  }

  /** The unexecuted effects for the issues of incidents. */
  async waiting(): Promise<Entry[]> {
    const { pending: { texts } } = await this.store.read();
    return parseRunState(texts).runState!.outbox.filter(({ handler, done }) =>
      handler === "issue" && done === undefined
    );
  }

  /** The incidents that are kept. */
  async incidents(): Promise<Incident[]> {
    const snapshot = await this.store.read();
    const folder = "history/incidents";
    const paths = (await snapshot.list(folder)).map((name) => `${folder}/${name}`);
    const texts = await snapshot.read(paths);
    return paths.map((path) => parseIncident(texts.get(path)!)!);
  }
}
