import { misconfigured, type Observation } from "../checks/observation.ts";
import type { Site } from "../config/config.ts";
import type { Clock } from "../io/clock.ts";
import { formatTime } from "../time.ts";
import type { ProbeResult } from "./results.ts";

/** Longest time in milliseconds that a site is not checked because it asks for that. */
export const LONGEST_REST = 3_600_000;

/** An attempt that follows after a pause, and what the one before saw. */
export interface Retry {
  code: number;
  error?: string;
  /** Milliseconds until the attempt. */
  pause: number;
  /** Its number, from 2. */
  attempt: number;
  most: number;
}

export interface EvaluationOptions {
  clock: Clock;
  probe(site: Site, attempt: number): Promise<Observation>;
  turn<T>(attempt: () => Promise<T>): Promise<T>;
  /** Returns facts that are known once the first attempt has ended. */
  earlier(): Promise<{
    /** True if the site is known to be down: a failure is not retried, a success `successThreshold` times. */
    isKnownDown: boolean;
    /** True if only the first attempt counts: the site is in maintenance. */
    isSingleAttempt: boolean;
  }>;
  onRetry?(retry: Retry): void;
  onUnreached(): void;
  deadline: AbortSignal;
  /** From 0 to 1, for the jitter of delays. */
  random(): number;
}

/**
 * Probes a site until this run knows its state. A failure is retried over new connections after each of the
 * site's `retry.delays`: if all attempts fail, it is `down`, the first success makes it `up`. A recovery needs
 * `successThreshold` successes, `recheckDelay` apart; one failure ends it. A misconfiguration is `unknown`: it
 * says nothing about the site.
 */
export async function evaluateSite(site: Site, options: EvaluationOptions): Promise<ProbeResult> {
  const { clock, deadline, random } = options;
  const { successThreshold, recheckDelay, retry: { delays, jitter } } = site;
  let isKnownDown = false;
  let most = 1;
  let result: ProbeResult | undefined;
  let unreached = true;
  let wasAsked = false;
  let noRoom: string | undefined;
  for (let attempts = 1; attempts <= most; attempts++) {
    if (attempts > 1) {
      const jittered = delays[attempts - 2]! * (1 + jitter * (2 * random() - 1));
      const pause = isKnownDown ? recheckDelay : jittered;
      const { code, error } = result!;
      options.onRetry?.({ code, error, pause, attempt: attempts, most });
      await clock.wait(pause, deadline);
    }
    if (deadline.aborted) break;
    const { start, observation } = await options.turn(async () => {
      wasAsked ||= !deadline.aborted;
      return { start: clock.now(), observation: await probeSafely(site, attempts, options) };
    });
    const confirmed = clock.now();
    if (attempts === 1) {
      const { isSingleAttempt, ...earlier } = await options.earlier();
      isKnownDown = earlier.isKnownDown && !isSingleAttempt;
      most = isSingleAttempt ? 1 : isKnownDown ? successThreshold : delays.length + 1;
    }
    const { code, phases, details, failure, retryAfter, body } = observation;
    const certificate = observation.certificate ?? result?.certificate;
    if (deadline.aborted && failure !== undefined) break;
    if (failure?.kind === "machine") {
      noRoom = failure.reason;
      break;
    }
    if (failure?.kind === "network" && attempts === 1) options.onUnreached();
    unreached &&= failure?.kind === "network";
    const rests = retryAfter !== undefined;
    result = {
      site,
      attempts,
      code,
      phases,
      details,
      confirmed,
      body,
      certificate,
      ...rests
        ? {
          restUntil: confirmed.add({ milliseconds: Math.min(Math.ceil(retryAfter), LONGEST_REST) }),
        }
        : {},
      ...evaluateObservation(
        site.inverted ? invertObservation(observation) : observation,
        site,
        { start, before: result },
      ),
      ...unreached ? { unreached } : {},
      heartbeat: observation.heartbeat,
      registration: observation.registration,
    };
    if (failure?.kind === "pending") result.missing = "pending";
    const isSure = isKnownDown ? result.state === "down" : result.state !== "down";
    if (isSure || rests || result.state === "unknown") return result;
  }
  if (result !== undefined && (!isKnownDown || result.attempts === most)) return result;
  const now = clock.now();
  if (noRoom !== undefined) return noResult(site, now, { missing: "noRoom", error: noRoom });
  if (!wasAsked) {
    return noResult(site, now, {
      missing: "notAsked",
      error: "not asked: the run was out of time",
    });
  }
  const error = result === undefined
    ? "the run was out of time before this site had answered"
    : "the run was out of time before it was sure that this site is back";
  const attempts = result?.attempts ?? 0;
  return { ...noResult(site, now, { missing: "unfinished", error }), attempts };
}

/**
 * The observation of a site whose check is expected to fail: a failure is a success, and the reverse. If nothing is
 * known of the site, that stays so.
 */
function invertObservation(observation: Observation): Observation {
  const { failure, degradation: _, expiry: __, body: ___, ...rest } = observation;
  if (failure?.kind === "configuration" || failure?.kind === "pending") return observation;
  if (failure === undefined) {
    const reason = "the check succeeded, and inverted: true expects it to fail";
    return { ...rest, failure: { kind: "answer", reason } };
  }
  // The time until a failure is no response time.
  const remark = `fails as expected: ${failure.reason}`;
  return { ...rest, responseTime: 0, isUnmeasured: true, remark };
}

/** A state that is ongoing began with the first attempt that showed it. */
function evaluateObservation(
  { failure, degradation, expiry, remark, isUnmeasured, responseTime }: Observation,
  site: Site,
  { start, before }: { start: Temporal.Instant; before?: ProbeResult },
): Pick<ProbeResult, "state" | "error" | "expiry" | "began" | "responseTime"> {
  if (failure?.kind === "configuration" || failure?.kind === "pending") {
    return { state: "unknown", error: failure.reason, began: start };
  }
  const wasDown = before?.state === "down";
  if (failure !== undefined) {
    return {
      state: "down",
      error: failure.reason,
      began: wasDown ? before.began : failure.since ?? start,
    };
  }
  const began = before === undefined || wasDown ? start : before.began;
  const measured = Math.round(responseTime);
  const slow = measured > site.maxResponseTime
    ? `answered after ${measured} ms, slower than the ${site.maxResponseTime} ms allowed`
    : undefined;
  const error = degradation ?? slow;
  const time = { responseTime: isUnmeasured ? undefined : responseTime };
  return error === undefined
    ? { state: "up", began, ...time, error: remark }
    : { state: "degraded", error, expiry, began, ...time };
}

/** A check that throws is an error of the program and must not affect other sites. */
async function probeSafely(
  site: Site,
  attempt: number,
  { probe }: EvaluationOptions,
): Promise<Observation> {
  try {
    return await probe(site, attempt);
  } catch (error) {
    return misconfigured(
      `the check itself failed: ${error instanceof Error ? error.message : error}`,
    );
  }
}

export function toRestingResult(
  site: Site,
  until: Temporal.Instant,
  now: Temporal.Instant,
): ProbeResult {
  const error = `it asked not to be checked before ${formatTime(until).slice(11, 16)} UTC`;
  return noResult(site, now, { missing: "resting", error });
}

function noResult(
  site: Site,
  now: Temporal.Instant,
  reason: Required<Pick<ProbeResult, "error" | "missing">>,
): ProbeResult {
  return { site, state: "unknown", code: 0, attempts: 0, ...reason, began: now, confirmed: now };
}
