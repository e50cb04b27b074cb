import type { Details } from "../checks/details.ts";
import { misconfigured, type Observation, type Phases } from "../checks/check.ts";
import type { Site } from "../config/config.ts";
import type { Clock } from "../doors/clock.ts";
import type { State } from "../state.ts";

/** What a run found out about a site. */
export interface CheckResult {
  site: Site;
  state: Exclude<State, "maintenance">;
  /** Of the last attempt; see {@linkcode Observation}. */
  code: number;
  /** Milliseconds of the last attempt; absent where it failed. */
  responseTime?: number;
  phases?: Phases;
  /** Of the last attempt, where they were asked for. */
  details?: Details;
  /** How often the site was looked at; 0 where the run ended before. */
  attempts: number;
  /** Why the site is not as it should be, in words; may still hold secrets. */
  error?: string;
  /** Start of the first attempt that showed the state. */
  began: Temporal.Instant;
  /** When the verdict was reached. */
  confirmed: Temporal.Instant;
}

/** What a verdict is reached with. */
export interface JudgeOptions {
  clock: Clock;
  /** Makes one attempt. */
  probe(site: Site): Promise<Observation>;
  /** Runs an attempt once it is its turn: until then it has not begun. */
  turn<T>(attempt: () => Promise<T>): Promise<T>;
  /** Whether the site is known to be down: one more failure would change nothing, so it is not confirmed. */
  knownDown: boolean;
  /** Aborted when the run is out of time: the attempts made until then decide. */
  deadline: AbortSignal;
  /** From 0 to 1, for the jitter of delays. */
  random(): number;
}

/**
 * Looks at a site until it is clear how it is. A failure is confirmed over new connections after each
 * of the site's `retry.delays`; all attempts failing is `down`, the first good one is `up`. A fault of
 * our own is `unknown`: it says nothing of the site.
 */
export async function judge(site: Site, options: JudgeOptions): Promise<CheckResult> {
  const { clock, deadline, knownDown } = options;
  const delays = knownDown ? [] : site.retry.delays;
  let verdict: CheckResult | undefined;
  for (let attempts = 1; attempts <= delays.length + 1; attempts++) {
    if (attempts > 1) await clock.wait(jittered(delays[attempts - 2]!, site, options), deadline);
    if (deadline.aborted) break;
    const { start, observation } = await options.turn(async () => ({
      start: clock.now(),
      observation: await attempt(site, options),
    }));
    if (deadline.aborted && observation.failure !== undefined) break;
    verdict = {
      site,
      attempts,
      code: observation.code,
      phases: observation.phases,
      details: observation.details,
      confirmed: clock.now(),
      ...verdictOf(observation, site, verdict?.began ?? start, start),
    };
    if (verdict.state !== "down") break;
  }
  return verdict ?? unfinished(site, clock.now());
}

function verdictOf(
  { failure, degradation, responseTime }: Observation,
  site: Site,
  firstFailure: Temporal.Instant,
  start: Temporal.Instant,
): Pick<CheckResult, "state" | "error" | "began" | "responseTime"> {
  if (failure?.kind === "configuration") {
    return { state: "unknown", error: failure.reason, began: start };
  }
  if (failure !== undefined) return { state: "down", error: failure.reason, began: firstFailure };
  if (degradation !== undefined) {
    return { state: "degraded", error: degradation, began: start, responseTime };
  }
  const measured = Math.round(responseTime);
  if (measured <= site.maxResponseTime) return { state: "up", began: start, responseTime };
  const error = `answered after ${measured} ms, slower than the ${site.maxResponseTime} ms allowed`;
  return { state: "degraded", error, began: start, responseTime };
}

/** A check that breaks is our own fault, and costs the other sites nothing. */
async function attempt(site: Site, options: JudgeOptions): Promise<Observation> {
  try {
    return await options.probe(site);
  } catch (error) {
    return misconfigured(
      `the check itself failed: ${error instanceof Error ? error.message : error}`,
    );
  }
}

function jittered(delay: number, { retry }: Site, { random }: JudgeOptions): number {
  return delay * (1 + retry.jitter * (2 * random() - 1));
}

function unfinished(site: Site, now: Temporal.Instant): CheckResult {
  const error = "the run was out of time before this site had answered";
  return { site, state: "unknown", code: 0, attempts: 0, error, began: now, confirmed: now };
}
