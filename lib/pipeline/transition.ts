import { conditionOf, type HistoryRecord } from "../history/record.ts";
import type { Condition } from "../state.ts";
import type { SiteState } from "../evaluation/results.ts";

/** A site going from one condition to another. */
export interface Transition {
  /** Absent where the site is new. */
  from?: Condition;
  to: Condition;
  /** Start of the first attempt that showed it. */
  at: Temporal.Instant;
}

/** What a new result means for a site; `undefined` where nothing changed or nothing was learnt. */
export function transition(
  previous: HistoryRecord | undefined,
  { state, began }: SiteState,
): Transition | undefined {
  if (state === "unknown" || state === "maintenance") return undefined;
  const from = previous === undefined ? undefined : conditionOf(previous);
  return from === state ? undefined : { from, to: state, at: began };
}
