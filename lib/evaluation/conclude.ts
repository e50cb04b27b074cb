import type { Site } from "../config/config.ts";
import type { SiteWindow } from "./window.ts";
import type { Condition } from "../state.ts";
import type { Explanation } from "./explanation.ts";
import { DAY } from "../time.ts";
import { changesIn, flapsOf, isFlapping, remember } from "./flapping.ts";
import type { CheckResult } from "./judge.ts";
import { NOTHING_KNOWN, type Streak, type UnknownStreak } from "./streak.ts";

/** What was known of a site before a run. */
export interface Known {
  /** How it was; absent where nothing is known of it. */
  condition?: Condition;
  /** What runs before remember; absent where none do. */
  streak?: Streak;
  /** The maintenance that the run falls into; absent outside of one. */
  window?: SiteWindow;
  /** What explains a failure of the site; none where it is not given. */
  explanation?: Explanation;
}

/** What a run means for a site, and what is to be remembered of it. */
export interface Conclusion {
  /** The state counts, and not only what this run saw. */
  result: CheckResult;
  streak: Streak;
}

/**
 * What the look of one run at a site means, given the runs before it. Failing runs and slow ones become
 * a state only when there are enough of them, and that state begins with the first attempt that showed
 * it; a run in which nothing was learnt changes nothing, and what a maintenance window lets expect is only noted.
 * Where something fails that the site depends on, and is not sure to be down, a failure that is new counts,
 * but is not judged before that is.
 */
export function conclude(look: CheckResult, known: Known): Conclusion {
  const { unknown, notAsked, unfinished, ...streak } = known.streak ?? NOTHING_KNOWN;
  if (look.state === "unknown") {
    const isPaused = isMaintained(known);
    const wasAsked = look.missing !== "notAsked" && look.missing !== "noRoom";
    return {
      result: look,
      streak: {
        ...streak,
        ...isPaused ? unknown && { unknown } : { unknown: oneMore(unknown, look) },
        ...wasAsked ? {} : { notAsked: (notAsked ?? 0) + 1 },
        ...look.missing === "unfinished" || (!wasAsked && unfinished)
          ? { unfinished: true as const }
          : {},
      },
    };
  }
  const maintenance = windowsOf(look, known).find((window) =>
    isExpected(look, window, known.condition)
  );
  if (maintenance !== undefined) {
    const failing = look.state === "down";
    const window = { until: maintenance.until, failing };
    const result = { ...look, state: "maintenance" as const, until: maintenance.until };
    return { result, streak: { ...streak, window } };
  }
  const { window: _, restUntil: __, ...rest } = streak;
  const { result, streak: after } = look.state === "down"
    ? failing(look, known, streak)
    : answering(look, known, rest);
  const { restUntil } = look;
  return marked({ result, streak: { ...after, ...restUntil === undefined ? {} : { restUntil } } });
}

/** True if a maintenance window lets expect whatever a site without a result may be. */
export function isMaintained({ window, condition }: Pick<Known, "window" | "condition">): boolean {
  return window !== undefined && (window.expected === "down" || condition !== "down");
}

/** Runs without a result, with one more. */
function oneMore(
  before: UnknownStreak | undefined,
  { error = "", began }: CheckResult,
): UnknownStreak {
  return { since: began, ...before, runs: (before?.runs ?? 0) + 1, reason: error };
}

/** The maintenance of the site, and where it is not as it should be that of what it depends on. */
function windowsOf({ state }: CheckResult, { window, explanation }: Known): SiteWindow[] {
  const others: SiteWindow[] = explanation?.kind === "maintenance" && state !== "up"
    ? [{ ...explanation.window, expected: "down" }]
    : [];
  return window === undefined ? others : [window, ...others];
}

/** A site that may be down may be anything; one that may be degraded is down, or no longer down, as always. */
function isExpected(
  { state }: CheckResult,
  { expected }: SiteWindow,
  condition: Condition | undefined,
): boolean {
  return expected === "down" || (state === expected && condition !== "down");
}

/** A window that has ended lets nothing be waited for: what fails since is judged at once. */
function failing(
  look: CheckResult,
  { condition, explanation }: Known,
  { window, restUntil: _, ...streak }: Streak,
): Conclusion {
  const { site, began, error } = look;
  const { failureThreshold } = site;
  const wentOn = window?.failing === true && isSoonAfter(window.until, began);
  const since = earlier(wentOn ? window.until : streak.failing?.since ?? began, began);
  const runs = (streak.failing?.runs ?? 0) + 1;
  const slow = withRun(streak.slow, null, site);
  const attempts = look.attempts + (wentOn ? 0 : streak.failing?.attempts ?? 0);
  const after: Streak = { ...streak, slow, failing: { runs, attempts, since } };
  if (explanation?.kind === "failing" && condition !== "down") {
    const words = waiting(error, explanation.name);
    const result = { ...look, state: condition ?? "unknown" as const, error: words };
    return { result, streak: wentOn ? { ...after, window } : after };
  }
  if (condition === "down" || wentOn || runs >= failureThreshold) {
    return { result: { ...look, began: since, confirmedBy: attempts }, streak: after };
  }
  const words = `failing, ${runs} of ${failureThreshold} runs: ${error}`;
  return { result: { ...look, state: condition ?? "unknown", error: words }, streak: after };
}

function waiting(error: string | undefined, name: string): string {
  return `${error}; it depends on ${name}, which fails as well and is judged first`;
}

function answering(
  look: CheckResult,
  { condition, explanation }: Known,
  { failing: _, ...streak }: Streak,
): Conclusion {
  const { site, began } = look;
  const isDegraded = condition === "degraded";
  const wasDown = condition === "down";
  const isSlow = look.state === "degraded" || (isDegraded && isAboveLeave(look, site));
  const slow = withRun(streak.slow, isSlow ? began : null, site);
  const first = earlier(slow[0] ?? began, began);
  const [needed] = site.degradedRuns;
  const isEnough = isDegraded || slow.filter((one) => one !== null).length >= needed;
  if (isSlow && isEnough) {
    const error = look.error ??
      `answered after ${
        Math.round(look.responseTime ?? 0)
      } ms, which is not clearly faster than the ${site.maxResponseTime} ms allowed`;
    if (explanation?.kind === "failing" && !isDegraded && !wasDown) {
      const result = { ...look, state: "up" as const, error: waiting(error, explanation.name) };
      return { result, streak: { ...streak, slow } };
    }
    const result = {
      ...look,
      state: "degraded" as const,
      error,
      // Slow answers before an outage are no part of what comes after it.
      began: isDegraded || wasDown ? began : first,
    };
    return { result, streak: { ...streak, slow } };
  }
  return {
    result: { ...look, state: "up" },
    streak: { ...streak, slow: isDegraded ? [] : slow },
  };
}

/** Milliseconds after the end of a window in which a site that fails can be said to fail since then. */
const SOON = DAY;

function isSoonAfter(end: Temporal.Instant, began: Temporal.Instant): boolean {
  return began.epochMilliseconds - end.epochMilliseconds <= SOON;
}

/** What is remembered may lie ahead: of a clock that was wrong, or of a window that was cut short. */
function earlier(remembered: Temporal.Instant, now: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.compare(remembered, now) <= 0 ? remembered : now;
}

/** The last runs with one more, from the first slow one on. */
function withRun(
  slow: Streak["slow"],
  run: Temporal.Instant | null,
  { degradedRuns: [, of] }: Site,
): Streak["slow"] {
  const last = [...slow, run].slice(-of);
  const first = last.findIndex((one) => one !== null);
  return first === -1 ? [] : last.slice(first);
}

/** Whether a site that is degraded is not yet so fast that it counts as up. */
function isAboveLeave(
  { responseTime = 0 }: CheckResult,
  { maxResponseTime, degradedLeave }: Site,
): boolean {
  return responseTime > degradedLeave * maxResponseTime;
}

/** Adds the state to those that tell flapping. */
function marked({ result, streak }: Conclusion): Conclusion {
  if (result.state === "unknown" || result.state === "maintenance") return { result, streak };
  const { flapping: was = false, changed: times = [], ...rest } = streak;
  const recent = remember(streak.recent, result.state);
  const now = result.confirmed;
  const isChange = recent.length > 1 && recent.at(-1) !== recent.at(-2);
  const count = changesIn(recent);
  const changed = count === 0 ? [] : [...times, ...isChange ? [now] : []].slice(-count);
  if (!isFlapping(recent, result.site.flapThreshold, was)) {
    // Changes from before it settled must not make it flap again at once.
    if (was) {
      const streak = { ...rest, recent: recent.slice(-1) };
      return { result: { ...result, settled: true }, streak };
    }
    return { result, streak: { ...rest, recent, ...changed.length === 0 ? {} : { changed } } };
  }
  const flaps = was ? undefined : flapsOf(changed, now);
  return {
    result: { ...result, flapping: true, ...flaps === undefined ? {} : { flaps } },
    streak: { ...rest, recent, changed, flapping: true },
  };
}
