import { type GlobalpingClient, GlobalpingError } from "../checks/globalping/client.ts";
import { type MeasurementRequest, toMeasurementRequest } from "../checks/globalping/request.ts";
import { observeAnswer } from "../checks/globalping/results.ts";
import { misconfigured, type Observation } from "../checks/observation.ts";
import type { Site } from "../config/config.ts";
import type { Clock } from "../io/clock.ts";
import type { Secrets } from "../io/secrets/secrets.ts";
import { redactResult } from "./check_sites.ts";
import { evaluateSite } from "./evaluate_site.ts";
import type { ProbeResult } from "./results.ts";

/**
 * Checks sites from Globalping's probes in one run, by one measurement for each location of a site. Measurements are
 * started one after another, and awaited together. Once Globalping refuses, it is not asked again in this run.
 */
export class Globalping {
  #turn: Promise<unknown> = Promise.resolve();
  #refusal?: GlobalpingError;

  constructor(readonly options: { client: GlobalpingClient; clock: Clock; secrets: Secrets }) {}

  /**
   * Checks a site once from a place, such as `Berlin+DE`. Without a result of a probe the state is `unknown`, with the
   * reason as error. Other locations or runs confirm a failure.
   */
  async probeSite(site: Site, place: string, deadline: AbortSignal): Promise<ProbeResult> {
    const { clock, secrets } = this.options;
    const request = toMeasurementRequest(site.target, secrets);
    // The attempt starts with the measurement, which may have to wait.
    const started = "obstacle" in request
      ? () => Promise.resolve(misconfigured(request.obstacle))
      : await this.#start(site, request, place, deadline);
    const result = await evaluateSite(site, {
      clock,
      deadline,
      earlier: () => Promise.resolve({ isKnownDown: false, isSingleAttempt: true }),
      random: () => 0.5,
      turn: (attempt) => attempt(),
      probe: started,
      onUnreached() {},
    });
    // The runner's network is not at fault if a probe reaches nothing, and the probe of a later run is another one.
    const { unreached: _, restUntil: __, body: ___, details: ____, ...rest } = result;
    return redactResult(rest, secrets);
  }

  /** Starts a measurement when it is its turn, and returns a function that awaits what its probe sees. */
  async #start(
    site: Site,
    request: MeasurementRequest,
    place: string,
    deadline: AbortSignal,
  ): Promise<() => Promise<Observation>> {
    const { client } = this.options;
    const created = this.#turn.then(async () => {
      if (this.#refusal !== undefined) throw this.#refusal;
      try {
        return await client.create(request, place, deadline);
      } catch (error) {
        if (error instanceof GlobalpingError && error.scope === "run") this.#refusal = error;
        throw error;
      }
    });
    this.#turn = created.catch(() => {});
    await this.#turn;
    return async () => {
      try {
        const answer = await client.awaitResult(await created, request.timeout, deadline);
        const { clock, secrets } = this.options;
        return await observeAnswer(site.target, answer, {
          secrets,
          now: clock.now(),
          quotes: site.keepBody,
          isConfirmed: site.quorum > 1,
        });
      } catch (error) {
        if (error instanceof GlobalpingError) return misconfigured(error.message);
        throw error;
      }
    };
  }
}
