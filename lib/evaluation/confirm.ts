import type { Site } from "../config/config.ts";
import type { Condition } from "../state.ts";
import { DAY, earliest } from "../time.ts";
import type { Suppression } from "./dependencies.ts";
import { addRecent, countChanges, countFlaps, isFlapping } from "./flapping.ts";
import type { ProbeResult, SiteState, SiteWindow, Streak, UnknownStreak } from "./results.ts";

interface ConfirmContext {
  condition?: Condition;
  streak?: Streak;
  window?: SiteWindow;
  suppression?: Suppression;
}

export interface Confirmed {
  state: SiteState;
  streak: Streak;
}

/**
 * Confirms the result of a run, given the runs before. Failing and slow runs become a state once there are
 * enough of them, and that state starts with the first attempt that showed it. A run without a result changes
 * nothing, nor does a failure that a maintenance window allows. A new failure of a site whose dependency fails
 * without being down yet is counted, but confirmed only after that.
 */
export function confirm(probed: ProbeResult, known: ConfirmContext): Confirmed {
  const { unknown, notAsked, unfinished, ...before } = known.streak ?? { slow: [], recent: "" };
  const { heartbeat = before.heartbeat, registration = before.registration } = probed;
  const streak: Streak = {
    ...before,
    ...heartbeat === undefined ? {} : { heartbeat },
    ...registration === undefined ? {} : { registration },
  };
  if (probed.missing === "pending") return { state: probed, streak };
  if (probed.state === "unknown") {
    const wasAsked = probed.missing !== "notAsked" && probed.missing !== "noRoom";
    return {
      state: probed,
      streak: {
        ...streak,
        ...isMaintained(known)
          ? unknown && { unknown }
          : { unknown: addUnknownRun(unknown, probed) },
        ...wasAsked ? {} : { notAsked: (notAsked ?? 0) + 1 },
        ...probed.missing === "unfinished" || (!wasAsked && unfinished)
          ? { unfinished: true as const }
          : {},
      },
    };
  }
  const isEnd = probed.state === "up" && known.condition !== undefined && known.condition !== "up";
  const maintenance = findWindows(probed, known).find(({ expected }) =>
    // No window hides the end of an outage, nor one that expects degraded the outage.
    !isEnd && (expected === "down" || (probed.state === expected && known.condition !== "down"))
  );
  if (maintenance !== undefined) {
    const { until } = maintenance;
    return {
      state: { ...probed, state: "maintenance", until },
      streak: { ...streak, window: { until, failing: probed.state === "down" } },
    };
  }
  const { window: _, restUntil: __, ...rest } = streak;
  const { state, streak: after } = probed.state === "down"
    ? confirmFailure(probed, known, streak)
    : confirmAnswer(probed, known, rest);
  const { restUntil } = probed;
  return markFlapping({
    state,
    streak: { ...after, ...restUntil === undefined ? {} : { restUntil } },
  });
}

/** True if maintenance allows any state of a site without a result. */
export function isMaintained(
  { window, condition }: Pick<ConfirmContext, "window" | "condition">,
): boolean {
  return window !== undefined && (window.expected === "down" || condition !== "down");
}

function addUnknownRun(
  before: UnknownStreak | undefined,
  { error = "", began }: ProbeResult,
): UnknownStreak {
  return { since: began, ...before, runs: (before?.runs ?? 0) + 1, reason: error };
}

/** Maintenance of the site, and if it is not up, of its dependencies. */
function findWindows(
  { state }: ProbeResult,
  { window, suppression }: ConfirmContext,
): SiteWindow[] {
  const others: SiteWindow[] = suppression?.kind === "maintenance" && state !== "up"
    ? [{ ...suppression.window, expected: "down" }]
    : [];
  return window === undefined ? others : [window, ...others];
}

/** Counts failing runs up to `failureThreshold`; after a maintenance window, a failing site is down immediately. */
function confirmFailure(
  probed: ProbeResult,
  { condition, suppression }: ConfirmContext,
  { window, restUntil: _, ...streak }: Streak,
): Confirmed {
  const { site, began, error } = probed;
  const { failureThreshold } = site;
  const isOngoing = window?.failing === true && isSoonAfter(window.until, began);
  // A remembered time may be in the future: the clock was wrong, or a window was shortened.
  const since = earliest(isOngoing ? window.until : streak.failing?.since ?? began, began);
  // Results that an earlier run has counted are not counted again.
  const isCounted = probed.isRepeated === true && streak.failing !== undefined;
  const runs = (streak.failing?.runs ?? 0) + (isCounted ? 0 : 1);
  const attempts = isCounted
    ? streak.failing!.attempts
    : probed.attempts + (isOngoing ? 0 : streak.failing?.attempts ?? 0);
  const after: Streak = {
    ...streak,
    slow: isCounted ? streak.slow : addSlowRun(streak.slow, null, site),
    failing: { runs, attempts, since },
  };
  if (suppression?.kind === "failing" && condition !== "down") {
    return {
      state: { ...probed, state: condition ?? "unknown", error: waiting(error, suppression) },
      streak: isOngoing ? { ...after, window } : after,
    };
  }
  if (condition === "down" || isOngoing || runs >= failureThreshold) {
    return { state: { ...probed, began: since, confirmedBy: attempts }, streak: after };
  }
  const words = `failing, ${runs} of ${failureThreshold} runs: ${error}`;
  return { state: { ...probed, state: condition ?? "unknown", error: words }, streak: after };
}

function waiting(error: string | undefined, { name }: { name: string }): string {
  return `${error}; it depends on ${name}, which fails as well and is confirmed first`;
}

function confirmAnswer(
  probed: ProbeResult,
  { condition, suppression }: ConfirmContext,
  { failing: _, ...streak }: Streak,
): Confirmed {
  const { site, began, responseTime = 0 } = probed;
  const isDegraded = condition === "degraded";
  const wasDown = condition === "down";
  // A degraded site is up only once it is clearly faster than the limit.
  const isSlow = probed.state === "degraded" ||
    (isDegraded && responseTime > site.degradedLeave * site.maxResponseTime);
  const slow = probed.isRepeated && streak.slow.length > 0
    ? streak.slow
    : addSlowRun(streak.slow, isSlow ? began : null, site);
  const [needed] = site.degradedRuns;
  // An outage that some locations still see is not over.
  const isPartlyDown = wasDown && probed.state === "degraded" &&
    probed.locations?.some(({ state }) => state === "down") === true;
  const slowRuns = slow.filter((one) => one !== null).length;
  const isEnough = isDegraded || isPartlyDown || slowRuns >= needed;
  if (!isSlow || !isEnough) {
    const kind = responseTime > site.maxResponseTime ? "slow runs" : "runs";
    const error = isSlow ? `${probed.error} (${slowRuns} of ${needed} ${kind})` : probed.error;
    return {
      state: { ...probed, state: "up", error },
      streak: { ...streak, slow: isDegraded ? [] : slow },
    };
  }
  const error = probed.error ??
    `answered after ${
      Math.round(responseTime)
    } ms, which is not clearly faster than the ${site.maxResponseTime} ms allowed`;
  const state: SiteState = suppression?.kind === "failing" && !isDegraded && !wasDown
    ? { ...probed, state: "up", error: waiting(error, suppression) }
    : {
      ...probed,
      state: "degraded",
      error,
      // Slow answers before an outage don't count after it.
      began: isDegraded || wasDown ? began : earliest(slow[0] ?? began, began),
    };
  return { state, streak: { ...streak, slow } };
}

/** True if a failure can have lasted since the end of a window. */
function isSoonAfter(end: Temporal.Instant, began: Temporal.Instant): boolean {
  return began.epochMilliseconds - end.epochMilliseconds <= DAY;
}

/** Adds a run to the last ones, from the first slow one on. */
function addSlowRun(
  slow: Streak["slow"],
  run: Temporal.Instant | null,
  { degradedRuns: [, of] }: Site,
): Streak["slow"] {
  const last = [...slow, run].slice(-of);
  const first = last.findIndex((one) => one !== null);
  return first === -1 ? [] : last.slice(first);
}

function markFlapping({ state, streak }: Confirmed): Confirmed {
  if (state.state === "unknown" || state.state === "maintenance") return { state, streak };
  const { flapping: wasFlapping = false, changed: times = [], ...rest } = streak;
  const recent = addRecent(streak.recent, state.state);
  const isChange = recent.length > 1 && recent.at(-1) !== recent.at(-2);
  const count = countChanges(recent);
  const changed = count === 0 ? [] : [...times, ...isChange ? [state.confirmed] : []].slice(-count);
  if (isFlapping(recent, state.site.flapThreshold, wasFlapping)) {
    return {
      state: {
        ...state,
        flapping: true,
        ...wasFlapping ? {} : { flaps: countFlaps(changed, state.confirmed) },
      },
      streak: { ...rest, recent, changed, flapping: true },
    };
  }
  // Changes from before it settled must not make it flap again at once.
  if (wasFlapping) {
    return { state: { ...state, settled: true }, streak: { ...rest, recent: recent.slice(-1) } };
  }
  return { state, streak: { ...rest, recent, ...changed.length === 0 ? {} : { changed } } };
}
