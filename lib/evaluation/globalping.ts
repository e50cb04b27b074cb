import {
  type Created,
  type GlobalpingClient,
  GlobalpingError,
  type Origin,
  type ProbeAnswer,
} from "../checks/globalping/client.ts";
import { type MeasurementRequest, toMeasurementRequest } from "../checks/globalping/request.ts";
import { observeAnswers } from "../checks/globalping/results.ts";
import { misconfigured, type Observation } from "../checks/observation.ts";
import type { Site } from "../config/config.ts";
import type { Clock } from "../io/clock.ts";
import type { Secrets } from "../io/secrets/secrets.ts";
import { redactResult } from "./check_sites.ts";
import { evaluateSite } from "./evaluate_site.ts";
import type { ProbeResult } from "./results.ts";

/** A location whose checks Globalping makes. */
export interface Place {
  /** Of the location. */
  name: string;
  /** As Globalping understands it, such as `Berlin+DE`. */
  globalping: string;
}

/** A measurement that was started for some places, in their order. */
interface Measurement {
  id: string;
  places: readonly Place[];
}

/** Observations of one measurement, by the names of its places. */
type Observed = ReadonlyMap<string, Observation>;

/**
 * Checks sites from Globalping's probes in one run. Measurements are started one after another, each within what
 * Globalping says is left, and awaited together. Once Globalping refuses, it is not asked again in this run.
 *
 * A measurement has the results of several places in their order. But a place without a probe has no result, and a
 * probe that is at two places has one: if results are missing, each place gets a measurement of its own.
 */
export class Globalping {
  readonly #client: GlobalpingClient;
  readonly #clock: Clock;
  readonly #secrets: Secrets;
  /** Places without probes, with the address family that was requested. */
  readonly #empty = new Set<string>();
  #turn: Promise<unknown> = Promise.resolve();
  /** Tests that are left until a time of day, and credits, of which each is worth another test. */
  #left?: { tests: number; credits: number; until: string };
  /** Error after which no measurement of this run is started. */
  #refusal?: GlobalpingError;

  constructor(
    { client, clock, secrets }: { client: GlobalpingClient; clock: Clock; secrets: Secrets },
  ) {
    this.#client = client;
    this.#clock = clock;
    this.#secrets = secrets;
  }

  /**
   * Checks a site from some places, and returns a result for each, by its name, without secrets. A failure is
   * confirmed once by the same probes, as is a recovery, and stands if they give no second result. Without a result
   * of a probe the state is `unknown`, with the reason as error.
   */
  async probeSite(
    site: Site,
    places: readonly Place[],
    { deadline, earlier }: {
      /** Aborted when the run is out of time. */
      deadline: AbortSignal;
      /** Called once the first results have arrived, as by `evaluateSite`. */
      earlier(): Promise<{ isKnownDown: boolean; isSingleAttempt: boolean }>;
    },
  ): Promise<Map<string, ProbeResult>> {
    const request = toMeasurementRequest(site.target, this.#secrets);
    if ("obstacle" in request) return await this.#evaluate(site, places, request.obstacle);
    const started = this.#inTurn(() => this.#start(request, places, deadline));
    const repeats = new Map<Measurement, Promise<Observed>>();
    /** Names of places whose first result stands, because there is no second one. */
    const unconfirmed = new Set<string>();
    const observations = started.then(({ measurements, reasons }) =>
      Promise.all([
        new Map(reasons.entries().map(([name, reason]) => [name, misconfigured(reason)])),
        ...measurements.map((one) => this.#observe(site, one, request, deadline)),
      ])
    );
    observations.catch(() => {}); // Also if nobody has waited for it yet.
    const find = async (place: Place, attempt: number): Promise<Observation> => {
      const first = (await observations).flatMap((one) => one.get(place.name) ?? [])[0]!;
      if (attempt === 1) return first;
      const { measurements } = await started;
      const own = measurements.find(({ places }) => places.includes(place))!;
      const repeat = repeats.get(own) ?? this.#repeat(site, own, request, deadline);
      repeats.set(own, repeat);
      const second = (await repeat).get(place.name)!;
      if (second.failure?.kind !== "configuration") return second;
      unconfirmed.add(place.name);
      return first;
    };
    const results = await Promise.all(places.map(async (place): Promise<[string, ProbeResult]> => {
      const result = await evaluateSite(confirmOnce(site), {
        clock: this.#clock,
        deadline,
        earlier,
        random: () => 0.5,
        // The first attempt starts with the measurement, which may have to wait.
        turn: async (attempt) => {
          await started;
          return await attempt();
        },
        probe: (_, attempt) => find(place, attempt),
        onUnreached() {},
      });
      const attempts = result.attempts - (unconfirmed.has(place.name) ? 1 : 0);
      return [place.name, this.#toResult(site, { ...result, attempts })];
    }));
    return new Map(results);
  }

  /** The results of places that can't be asked, for a reason. */
  async #evaluate(
    site: Site,
    places: readonly Place[],
    reason: string,
  ): Promise<Map<string, ProbeResult>> {
    const result = await evaluateSite(site, {
      clock: this.#clock,
      deadline: new AbortController().signal,
      earlier: () => Promise.resolve({ isKnownDown: false, isSingleAttempt: true }),
      random: () => 0.5,
      turn: (attempt) => attempt(),
      probe: () => Promise.resolve(misconfigured(reason)),
      onUnreached() {},
    });
    return new Map(places.map(({ name }) => [name, this.#toResult(site, result)]));
  }

  /**
   * A result without what concerns the runner: its network is not at fault if a probe reaches nothing, and a probe
   * that is asked to come later is another one then.
   */
  #toResult(site: Site, result: ProbeResult): ProbeResult {
    const { unreached: _, restUntil: __, body: ___, details: ____, ...rest } = result;
    return redactResult({ ...rest, site }, this.#secrets);
  }

  /** Starts the measurements of a site: one for all places if each of them has a probe of its own. */
  async #start(
    request: MeasurementRequest,
    places: readonly Place[],
    deadline: AbortSignal,
  ): Promise<{ measurements: Measurement[]; reasons: Map<string, string> }> {
    const reasons = new Map<string, string>();
    const { ipVersion = 4 } = request.measurementOptions;
    const toKey = ({ globalping }: Place) => `IPv${ipVersion} ${globalping}`;
    const start = async (some: readonly Place[]): Promise<Measurement[]> => {
      const asked = some.filter((place) => !this.#empty.has(toKey(place)));
      for (const place of some) {
        if (!asked.includes(place)) reasons.set(place.name, describeEmpty(place));
      }
      if (asked.length === 0) return [];
      try {
        const origin = asked.map(({ globalping }) => globalping);
        const { id, probesCount } = await this.#create(request, origin, asked.length, deadline);
        if (probesCount === asked.length) return [{ id, places: asked }];
        if (asked.length === 1) {
          throw new GlobalpingError("Globalping's answer has too many probes", "measurement");
        }
      } catch (error) {
        if (!(error instanceof GlobalpingError)) throw error;
        for (const place of asked) {
          const isEmpty = error.scope === "places";
          if (isEmpty) this.#empty.add(toKey(place));
          reasons.set(place.name, isEmpty ? describeEmpty(place) : error.message);
        }
        return [];
      }
      const alone: Measurement[] = [];
      for (const place of asked) alone.push(...await start([place]));
      return alone;
    };
    return { measurements: await start(places), reasons };
  }

  /** Starts a measurement if enough tests are left. */
  async #create(
    request: MeasurementRequest,
    origin: Origin,
    tests: number,
    deadline: AbortSignal,
  ): Promise<Created> {
    if (this.#refusal !== undefined) throw this.#refusal;
    try {
      const left = this.#left ??= await this.#client.readLimits(deadline);
      const all = left.tests + left.credits;
      if (all < tests) {
        // The same for all sites, so that the run reports it once.
        const message =
          `Globalping was not asked: too few of its tests are left until ${left.until}`;
        throw new GlobalpingError(message, "measurement");
      }
      const created = await this.#client.create(request, origin, deadline);
      const free = Math.min(created.probesCount, left.tests);
      const paid = created.probesCount - free;
      left.tests = Math.min(left.tests - free, created.tests ?? Infinity);
      left.credits = Math.min(left.credits - paid, created.credits ?? Infinity);
      return created;
    } catch (error) {
      if (error instanceof GlobalpingError && error.scope === "run") this.#refusal = error;
      throw error;
    }
  }

  async #repeat(
    site: Site,
    { id, places }: Measurement,
    request: MeasurementRequest,
    deadline: AbortSignal,
  ): Promise<Observed> {
    const repeated = await this.#inTurn(async () => {
      try {
        return await this.#create(request, { measurement: id }, places.length, deadline);
      } catch (error) {
        if (error instanceof GlobalpingError) return error;
        throw error;
      }
    });
    if (repeated instanceof GlobalpingError) return toUnknown(places, repeated.message);
    return await this.#observe(site, { id: repeated.id, places }, request, deadline);
  }

  async #observe(
    { target, keepBody: quotes }: Site,
    { id, places }: Measurement,
    { timeout }: MeasurementRequest,
    deadline: AbortSignal,
  ): Promise<Observed> {
    let answers: ProbeAnswer[];
    try {
      answers = await this.#client.awaitResults(id, timeout, deadline);
    } catch (error) {
      if (!(error instanceof GlobalpingError)) throw error;
      return toUnknown(places, error.message);
    }
    if (answers.length !== places.length) {
      return toUnknown(places, "Globalping's results can't be assigned to the locations");
    }
    const context = { secrets: this.#secrets, now: this.#clock.now(), quotes };
    const observations = await observeAnswers(target, answers, context);
    return new Map(places.map(({ name }, index) => [name, observations[index]!]));
  }

  /** Runs actions one after another, in the order of the calls. */
  #inTurn<T>(action: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(action);
    this.#turn = result.catch(() => {});
    return result;
  }
}

function describeEmpty({ globalping }: Place): string {
  return `Globalping has no probe for "${globalping}" now`;
}

function toUnknown(places: readonly Place[], reason: string): Observed {
  return new Map(places.map(({ name }) => [name, misconfigured(reason)]));
}

/** A site whose failures are confirmed by at most one repetition, and its recoveries as well. */
function confirmOnce(site: Site): Site {
  return {
    ...site,
    retry: { ...site.retry, delays: site.retry.delays.slice(0, 1) },
    successThreshold: Math.min(2, site.successThreshold),
  };
}
