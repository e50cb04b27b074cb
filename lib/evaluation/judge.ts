import {
  type Details,
  misconfigured,
  type Observation,
  type Phases,
} from "../checks/observation.ts";
import type { Site } from "../config/config.ts";
import type { Clock } from "../io/clock.ts";
import type { State } from "../state.ts";
import { formatTime } from "../time.ts";
import type { Flaps } from "./flapping.ts";

/** What a run found out about a site. */
export interface CheckResult {
  site: Site;
  state: State;
  /** Of the last attempt; see {@linkcode Observation}. */
  code: number;
  /** Milliseconds of the last attempt; absent where it failed. */
  responseTime?: number;
  phases?: Phases;
  /** Until when the certificate is valid that the site showed, of the last attempt that saw one. */
  certificate?: Temporal.Instant;
  /** Of the last attempt, where they were asked for. */
  details?: Details;
  /** How often the site was looked at; 0 where the run ended before. */
  attempts: number;
  /** Why no attempt of the run counts; absent if one does. */
  missing?: "notAsked" | "unfinished" | "resting" | "noRoom";
  /** Why the site is not as it should be, or what else there is to know of it, in words; may still hold secrets. */
  error?: string;
  /** Remaining validity of the certificate in words, if the site is degraded because of it. */
  expiry?: string;
  /** Attempts of all failing runs in a row, where these make the state. */
  confirmedBy?: number;
  /** Whether no answer ever came, so that the monitor's own network may be at fault; of a failing look. */
  unreached?: boolean;
  /** Whether the addresses that the site depends on take connections, as configured; of those that were asked. */
  answers?: ReadonlyMap<string, boolean>;
  /** Until when the site asks not to be looked at again. */
  restUntil?: Temporal.Instant;
  /** When the site is out of maintenance again, where it is in it. */
  until?: Temporal.Instant;
  /** Present where the site changes so often that its changes are no news. */
  flapping?: true;
  /** Number of recent changes, in the run in which it starts to flap. */
  flaps?: Flaps;
  /** Present in the run in which it stops flapping. */
  settled?: true;
  /** Start of the first attempt that showed the state. */
  began: Temporal.Instant;
  /** When the verdict was reached. */
  confirmed: Temporal.Instant;
}

/** What a verdict is reached with. */
export interface JudgeOptions {
  clock: Clock;
  /** Makes one attempt, given its number from 1. */
  probe(site: Site, attempt: number): Promise<Observation>;
  /** Runs an attempt once it is its turn: until then it has not begun. */
  turn<T>(attempt: () => Promise<T>): Promise<T>;
  /**
   * Whether the site is known to be down: one more failure would change nothing, so it is not confirmed;
   * a good attempt is, by as many as `successThreshold` says.
   */
  knownDown: boolean;
  /** Whether nothing but the first attempt counts: the site is in maintenance, and may be anything. */
  looksOnce?: boolean;
  /** Told of the first attempt that reaches nothing. */
  onUnreached(): void;
  /** Aborted when the run is out of time: the attempts made until then decide. */
  deadline: AbortSignal;
  /** From 0 to 1, for the jitter of delays. */
  random(): number;
}

/**
 * Looks at a site until this run knows how it is. A failure is confirmed over new connections after each
 * of the site's `retry.delays`: all attempts failing is `down`, the first good one is `up`. A recovery is
 * confirmed by as many good attempts as `successThreshold` says, `recheckDelay` apart; one failure ends
 * it. A fault of our own is `unknown`: it says nothing of the site.
 */
export async function judge(site: Site, options: JudgeOptions): Promise<CheckResult> {
  const { clock, deadline, looksOnce = false, onUnreached } = options;
  const { successThreshold, recheckDelay, retry: { delays } } = site;
  const knownDown = options.knownDown && !looksOnce;
  const most = looksOnce ? 1 : knownDown ? successThreshold : delays.length + 1;
  let verdict: CheckResult | undefined;
  let unreached = true;
  let wasAsked = false;
  let noRoom: string | undefined;
  for (let attempts = 1; attempts <= most; attempts++) {
    if (attempts > 1) {
      const delay = knownDown ? recheckDelay : jittered(delays[attempts - 2]!, site, options);
      await clock.wait(delay, deadline);
    }
    if (deadline.aborted) break;
    const { start, observation } = await options.turn(async () => {
      wasAsked ||= !deadline.aborted;
      return { start: clock.now(), observation: await attempt(site, attempts, options) };
    });
    const { code, phases, details, failure, retryAfter } = observation;
    const certificate = observation.certificate ?? verdict?.certificate;
    if (deadline.aborted && failure !== undefined) break;
    if (failure?.kind === "machine") {
      noRoom = failure.reason;
      break;
    }
    if (failure?.kind === "network" && attempts === 1) onUnreached();
    unreached &&= failure?.kind === "network";
    const confirmed = clock.now();
    const rests = retryAfter !== undefined;
    verdict = {
      site,
      attempts,
      code,
      phases,
      details,
      confirmed,
      ...certificate === undefined ? {} : { certificate },
      ...rests ? { restUntil: confirmed.add({ milliseconds: Math.ceil(retryAfter) }) } : {},
      ...verdictOf(observation, site, { start, before: verdict }),
      ...unreached ? { unreached } : {},
    };
    const isSure = knownDown ? verdict.state === "down" : verdict.state !== "down";
    if (isSure || rests || verdict.state === "unknown") return verdict;
  }
  if (verdict === undefined || (knownDown && verdict.attempts < most)) {
    const now = clock.now();
    if (noRoom !== undefined) return nothingLearnt(site, { error: noRoom, missing: "noRoom" }, now);
    return wasAsked ? unfinished(site, now, verdict?.attempts) : notAsked(site, now);
  }
  return verdict;
}

/** What an attempt says, given the verdict before it: a state that goes on began with the first attempt that showed it. */
function verdictOf(
  { failure, degradation, expiry, remark, responseTime }: Observation,
  site: Site,
  { start, before }: { start: Temporal.Instant; before?: CheckResult },
): Pick<CheckResult, "state" | "error" | "expiry" | "began" | "responseTime"> {
  if (failure?.kind === "configuration") {
    return { state: "unknown", error: failure.reason, began: start };
  }
  const wasDown = before?.state === "down";
  if (failure !== undefined) {
    return { state: "down", error: failure.reason, began: wasDown ? before.began : start };
  }
  const began = before === undefined || wasDown ? start : before.began;
  const measured = Math.round(responseTime);
  const slow = measured > site.maxResponseTime
    ? `answered after ${measured} ms, slower than the ${site.maxResponseTime} ms allowed`
    : undefined;
  const error = degradation ?? slow;
  return error === undefined
    ? { state: "up", began, responseTime, error: remark }
    : { state: "degraded", error, ...expiry === undefined ? {} : { expiry }, began, responseTime };
}

/** A check that breaks is our own fault, and costs the other sites nothing. */
async function attempt(site: Site, number: number, options: JudgeOptions): Promise<Observation> {
  try {
    return await options.probe(site, number);
  } catch (error) {
    return misconfigured(
      `the check itself failed: ${error instanceof Error ? error.message : error}`,
    );
  }
}

function jittered(delay: number, { retry }: Site, { random }: JudgeOptions): number {
  return delay * (1 + retry.jitter * (2 * random() - 1));
}

/** A site that asked to be left alone for a while: nothing is learnt of it. */
export function resting(site: Site, until: Temporal.Instant, now: Temporal.Instant): CheckResult {
  const error = `it asked not to be looked at before ${formatTime(until).slice(11, 16)} UTC`;
  return nothingLearnt(site, { error, missing: "resting" }, now);
}

/** A site whose turn did not come before the run was out of time. */
function notAsked(site: Site, now: Temporal.Instant): CheckResult {
  return nothingLearnt(
    site,
    { error: "not asked: the run was out of time", missing: "notAsked" },
    now,
  );
}

function unfinished(site: Site, now: Temporal.Instant, attempts = 0): CheckResult {
  const error = attempts === 0
    ? "the run was out of time before this site had answered"
    : "the run was out of time before it was sure that this site is back";
  return { ...nothingLearnt(site, { error, missing: "unfinished" }, now), attempts };
}

function nothingLearnt(
  site: Site,
  reason: Required<Pick<CheckResult, "error" | "missing">>,
  now: Temporal.Instant,
): CheckResult {
  return { site, state: "unknown", code: 0, attempts: 0, ...reason, began: now, confirmed: now };
}
