import { isSuccess, type State, STATES } from "../state.ts";
import type { Evidence } from "./evidence.ts";
import { percentile } from "./response_times.ts";
import type { Checks } from "../history/site_history.ts";
import { spansIn } from "./spans_in.ts";
import { firstAtOrAfter } from "../history/first_at_or_after.ts";
import type { Window } from "../history/windows.ts";

/** How a site was in one of the equal pieces of a window. */
export interface Pulse {
  /** The worst of it; `unknown` where no check speaks for any of it. */
  state: State;
  /** Median of its response times in milliseconds; where it has no check of its own, that of the piece before. */
  median?: number;
}

/** The worst first; what is known comes before what is not. */
const ORDER: readonly State[] = ["down", "degraded", "up", "maintenance", "unknown"];

/** How a site was in each of `count` equal pieces of a window. */
export function pulsesOf(evidence: Evidence, window: Window, count: number): Pulse[] {
  const { checks } = evidence;
  const { from, to } = window;
  const spans = spansIn(evidence, window);
  const length = (to - from) / count;
  let at = firstAtOrAfter(checks.times, from);
  let last = at > 0 ? successfulTime(checks, at - 1) : undefined;
  return Array.from({ length: count }, (_, index): Pulse => {
    const [begin, end] = [from + index * length, from + (index + 1) * length];
    const states = spans.flatMap(({ from, to, state }) => from < end && to > begin ? [state] : []);
    const state = ORDER.find((one) => states.includes(one)) ?? "unknown";
    const times: number[] = [];
    for (; at < checks.length && checks.times[at]! < end; at++) {
      const time = successfulTime(checks, at);
      if (time !== undefined) times.push(time);
    }
    last = times.length > 0 ? percentile(Float64Array.from(times).sort(), 0.5) : last;
    if (state !== "up" && state !== "degraded") {
      last = undefined;
      return { state };
    }
    return last === undefined ? { state } : { state, median: last };
  });
}

/** The response time of a check; `undefined` of one that failed, or has none. */
function successfulTime({ states, durations }: Checks, index: number): number | undefined {
  const state = STATES[states[index]!]!;
  const duration = durations[index]!;
  return isSuccess(state) && !Number.isNaN(duration) ? duration : undefined;
}
