import { resolve } from "node:path";
import { CHECKED_ONCE } from "../../lib/config/checks/mod.ts";
import type { Config, Site } from "../../lib/config/config.ts";
import { GLOBALPING_TOKEN } from "../../lib/config/globalping.ts";
import {
  findHome,
  findLocation,
  isHostedLocation,
  listHostedLocations,
  type Location,
  whyNoLocation,
} from "../../lib/config/locations.ts";
import { cadence } from "../../lib/config/schedule.ts";
import { isInconclusive } from "../../lib/evaluation/canaries.ts";
import type { Globalping } from "../../lib/evaluation/globalping.ts";
import { combineLocations, type LocationPart } from "../../lib/evaluation/locations.ts";
import type { ProbeResult, SiteWindows } from "../../lib/evaluation/results.ts";
import { RunStarts } from "../../lib/history/run_starts.ts";
import type { Store } from "../../lib/history/store/store.ts";
import { wasAllowed } from "../../lib/incidents/maintenance/windows.ts";
import type { HistoryState } from "../../lib/pipeline/history_state.ts";
import { computeMaxAge, SentParts } from "../../lib/pipeline/sent_results.ts";
import { UsageError } from "../../lib/text/arguments.ts";
import { joinFirst } from "../../lib/text/words.ts";
import { MINUTE } from "../../lib/time.ts";
import { type Context, messageOf } from "./context.ts";
import { readSentResults } from "./read_results.ts";

/** Why a hosted location is missing in a run outside of its workflow. */
const ELSEWHERE =
  "its results come from a job of Uptime CI (elsewhere, give them with --results, or check as one location with --location)";
/** Sites that a warning names. */
const MOST_NAMES = 3;

/**
 * Finds the location that an option names.
 *
 * @throws {UsageError} If it is unknown, or has no runner.
 */
export function findOwnLocation(
  { locations }: Pick<Config, "locations">,
  name: string | undefined,
): Location | undefined {
  if (name === undefined) return undefined;
  const location = findLocation(locations, name);
  if (location === undefined) throw new UsageError(whyNoLocation(locations, name));
  if (location.runner !== undefined) return location;
  throw new UsageError(
    `Cannot check from ${location.name}: it has no runner, and update asks its probe of Globalping itself`,
  );
}

/** The history before the run, and the sites in maintenance. */
interface Known {
  state: HistoryState;
  windows: SiteWindows;
}

/** Combines the results of a run's own checks with those of other jobs and of Globalping. */
export class LocationCombiner {
  readonly #home?: Location;
  /** Folder with the results of other jobs of the workflow run, or a file of one. */
  readonly #folder?: string;
  readonly #now: Temporal.Instant;
  readonly #openGlobalping: () => Promise<Globalping>;
  #globalping?: Promise<Globalping>;
  /** Aborted when the run has ended or is out of time. */
  readonly #deadline = new AbortController();
  /** Results of Globalping, by the slug of the site and the name of the location behind it. */
  readonly #asked = new Map<string, Promise<LocationPart>>();
  /** Names of sites, by the reason why a result is missing. */
  readonly #missing = new Map<string, Set<string>>();
  readonly #notes: string[] = [];
  #sent?: SentParts;
  #known?: Known;

  constructor(
    readonly config: Config,
    { now, connecting }: { now: Temporal.Instant; connecting: Promise<{ userAgent: string }> },
    { root, options, clock, secrets }: Context,
  ) {
    const folder = options.text("results");
    const home = findOwnLocation(config, options.text("location"));
    // Given results of other jobs, each hosted location has a job of its own.
    this.#home = home ?? (folder === undefined ? findHome(config) : undefined);
    this.#folder = folder === undefined ? undefined : resolve(root, folder);
    this.#now = now;
    this.#openGlobalping = async () => {
      const end = () => this.#deadline.abort(new Error("the run is out of time"));
      clock.wait(config.runDeadline, this.#deadline.signal).then(end);
      // Few configurations need them.
      const [{ GlobalpingClient }, { Globalping }, { userAgent }] = await Promise.all([
        import("../../lib/checks/globalping/client.ts"),
        import("../../lib/evaluation/globalping.ts"),
        connecting,
      ]);
      const token = secrets.value(GLOBALPING_TOKEN);
      const client = new GlobalpingClient({ clock, userAgent, token });
      return new Globalping({ client, clock, secrets });
    };
  }

  /** True if the run checks a site itself, as one location of several or alone. */
  checks(site: Site): boolean {
    if (site.locations.length > 0) {
      return this.#home !== undefined && site.locations.includes(this.#home.name);
    }
    const isSharded = this.#folder !== undefined && listHostedLocations(this.config).length === 0;
    return CHECKED_ONCE.has(site.check) || !isSharded;
  }

  /** True if jobs of other hosted locations check as well, whose results this run does not have. */
  get isOutside(): boolean {
    return this.#folder === undefined &&
      listHostedLocations(this.config).some(({ name }) => name !== this.#home?.name);
  }

  /** True if a run outside of the workflow can reach the quorum of a site; known once it is open. */
  canDecide(site: Site): boolean {
    if (!this.isOutside || site.locations.length === 0) return true;
    const votes = site.locations.filter((name) => {
      const location = findLocation(this.config.locations, name)!;
      if (name === this.#home?.name || location.globalping !== undefined) return true;
      const { result } = isHostedLocation(location) ? {} : this.#findSent(site, location);
      return result !== undefined && result.state !== "unknown";
    });
    return votes.length >= site.quorum;
  }

  /** Describes the sites that the run can't decide; `undefined` if there are none. */
  describeLeftOut(): string | undefined {
    const names = this.config.sites.filter((site) => !this.canDecide(site)).map(({ name }) => name);
    if (names.length === 0) return undefined;
    const verb = names.length === 1 ? "is" : "are";
    return `${
      joinFirst(names, MOST_NAMES)
    } ${verb} left out, and nothing is recorded: this run has results from fewer locations than the quorum needs (pass those of the jobs of Uptime CI with --results)`;
  }

  /** Reads what other jobs have sent; `state` is the history before the run. */
  async open(store: Store, { state, windows }: Known): Promise<void> {
    this.#known = { state, windows };
    const { locations, workflowSchedule } = this.config;
    if (locations.length === 0 && this.#folder === undefined) return;
    const { sent, notes } = await readSentResults(this.config, { store, place: this.#folder });
    this.#notes.push(...notes);
    const { logs, loadedState } = state;
    const { rows, runState } = loadedState;
    const starts = new RunStarts();
    for (const text of logs.values()) starts.addLogEnd(text);
    for (const row of rows) starts.addRow(row);
    const last = runState === undefined ? [] : [runState.time.epochMilliseconds];
    this.#sent = new SentParts(sent, {
      now: this.#now,
      maxAge: computeMaxAge([...starts.list(), ...last], {
        scheduled: cadence(workflowSchedule.uptime).shortest * MINUTE,
        now: this.#now.epochMilliseconds,
      }),
      recorded: runState?.locations,
    });
  }

  /** Starts the checks by Globalping; {@linkcode combine} awaits the results. */
  askProbes(sites: readonly Site[]): void {
    for (const site of sites) {
      for (const { name, globalping } of this.config.locations) {
        if (globalping === undefined || !site.locations.includes(name)) continue;
        this.#asked.set(`${site.slug} ${name}`, this.#ask(site, name, globalping));
      }
    }
  }

  async #ask(site: Site, location: string, place: string): Promise<LocationPart> {
    try {
      const globalping = await (this.#globalping ??= this.#openGlobalping());
      const result = await globalping.probeSite(site, place, this.#deadline.signal);
      return { location, result, isNew: true };
    } catch (error) {
      // An error of the program must not affect the results of other locations.
      return { location, missing: `the check itself failed: ${messageOf(error)}`, isNew: false };
    }
  }

  /** Combines the results of a site; `own` is that of the run's own check, if it makes one. */
  async combine(site: Site, own?: ProbeResult): Promise<ProbeResult> {
    if (site.locations.length === 0) {
      if (own !== undefined) return own;
      const result = this.#sent!.findOfShard(site, this.config.shards);
      if (result.state === "unknown" && result.attempts === 0 && result.missing === undefined) {
        this.#note(`no result, ${result.error}`, site);
      }
      return result;
    }
    const parts = await Promise.all(
      site.locations.map((name): LocationPart | Promise<LocationPart> => {
        const location = findLocation(this.config.locations, name)!;
        if (name === this.#home?.name && own !== undefined) {
          return { location: name, result: own, isNew: true };
        }
        if (location.globalping !== undefined) return this.#asked.get(`${site.slug} ${name}`)!;
        const isElsewhere = this.#folder === undefined && isHostedLocation(location);
        return isElsewhere
          ? { location: name, missing: ELSEWHERE, isNew: false }
          : this.#findSent(site, location);
      }),
    );
    for (const { location, missing, result } of parts) {
      const isAsked = result?.state === "unknown" && result.missing !== "resting";
      const reason = missing ??
        (!isAsked
          ? undefined
          : isInconclusive(result)
          ? "its own network is at fault, its canaries can't be reached either"
          : result.error);
      if (reason !== undefined) this.#note(`${location}: ${reason}`, site);
    }
    return combineLocations(site, parts, this.#now);
  }

  /** Finds the result that a location has sent; a late one from a maintenance that is over does not count. */
  #findSent(site: Site, location: Location): LocationPart {
    const part = this.#sent!.find(site, location);
    const { state, windows } = this.#known!;
    // The jobs of this workflow run have checked just now.
    const isExcused = part.result !== undefined && !isHostedLocation(location) &&
      !windows.has(site.slug) &&
      wasAllowed(part.result, state.maintenance.values());
    return isExcused
      ? { location: location.name, missing: "it has checked during maintenance", isNew: false }
      : part;
  }

  #note(what: string, { name }: Site): void {
    this.#missing.getOrInsert(what, new Set()).add(name);
  }

  /** Warnings, one for each reason why results are missing, with the first of its sites. */
  notes(): string[] {
    const all = this.config.sites.map(({ name }) => name);
    const missing = [...this.#missing].map(([what, names]) => {
      const own = all.filter((name) => names.has(name));
      return `${what} (${joinFirst(own, MOST_NAMES)})`;
    });
    return [...this.#notes, ...[this.describeLeftOut() ?? []].flat(), ...missing];
  }

  /** Aborts requests to Globalping that are still open. */
  [Symbol.dispose](): void {
    this.#deadline.abort();
  }

  /** Adds the results that are used once the sites `slugs` are recorded to those that were before, by location and shard. */
  addUsed(
    recorded: Readonly<Record<string, string>>,
    slugs: ReadonlySet<string>,
  ): Map<string, string> {
    return this.#sent?.addUsed(recorded, slugs, this.config) ?? new Map();
  }
}
