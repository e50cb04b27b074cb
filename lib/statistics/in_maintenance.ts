import { STATES } from "../state.ts";
import { firstAtOrAfter } from "../history/first_at_or_after.ts";
import type { Checks } from "../history/site_history.ts";
import { appendSpan, type Span } from "./span.ts";
import type { Window } from "../history/windows.ts";

const MAINTENANCE = STATES.indexOf("maintenance");
const UNKNOWN = STATES.indexOf("unknown");

/**
 * Checks of which those in maintenance windows say so, whatever they saw: a window may be told of after
 * it has begun. Where nothing was learnt that stays so.
 */
export function checksInMaintenance(checks: Checks, windows: readonly Window[]): Checks {
  let { states } = checks;
  for (const { from, to } of windows) {
    const end = firstAtOrAfter(checks.times, to);
    for (let index = firstAtOrAfter(checks.times, from); index < end; index++) {
      const state = states[index]!;
      if (state === MAINTENANCE || state === UNKNOWN) continue;
      if (states === checks.states) states = states.slice();
      states[index] = MAINTENANCE;
    }
  }
  return states === checks.states ? checks : { ...checks, states };
}

/** Spans of which those parts are maintenance that lie in its windows; both ascending and without overlaps. */
export function spansInMaintenance(
  spans: readonly Span[],
  windows: readonly Window[],
): readonly Span[] {
  if (windows.length === 0) return spans;
  const cut: Span[] = [];
  let past = 0;
  for (const span of spans) {
    while (past < windows.length && windows[past]!.to <= span.from) past++;
    let cursor = span.from;
    for (let at = past; at < windows.length && windows[at]!.from < span.to; at++) {
      const from = Math.max(cursor, windows[at]!.from);
      const to = Math.min(span.to, windows[at]!.to);
      appendSpan(cut, { ...span, from: cursor, to: from });
      appendSpan(cut, { from, to, state: "maintenance" });
      cursor = to;
    }
    appendSpan(cut, { ...span, from: cursor });
  }
  return cut;
}
