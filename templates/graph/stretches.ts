import type { State } from "../../lib/state.ts";
import type { Span } from "../../lib/statistics/span.ts";
import type { Window } from "../../lib/history/windows.ts";

/** States that are drawn, each over those before it. */
export const DRAWN_STATES = [
  "unknown",
  "maintenance",
  "degraded",
  "down",
] as const satisfies State[];

/** A state that is drawn. */
export type DrawnState = typeof DRAWN_STATES[number];

/** Columns of a picture in one state; `right` is not part of it. */
export interface Stretch {
  left: number;
  right: number;
  state: DrawnState;
}

/** Columns that spans are drawn in. */
export interface Columns {
  window: Window;
  /** The column of a moment, with fractions. */
  x(time: number): number;
  left: number;
  right: number;
  /** Columns that even the shortest time gets; one in which nothing is known has to be seen by itself. */
  narrowest: number;
}

/** Whole columns, of which each shows the worst of its states. */
export function stretchesOf(
  spans: readonly Span[],
  { window, x, left: first, right: end, narrowest }: Columns,
): Stretch[] {
  const columns: (DrawnState | undefined)[] = Array(end).fill(undefined);
  for (const state of DRAWN_STATES) {
    for (const span of spans) {
      if (span.state !== state || span.to <= window.from || span.from >= window.to) continue;
      const left = Math.max(first, Math.floor(x(span.from)));
      const to = state === "unknown" ? Math.floor(x(span.to)) : Math.ceil(x(span.to));
      const least = state === "unknown" ? 0 : narrowest;
      const right = Math.min(end, Math.max(to, left + least));
      columns.fill(state, Math.min(left, end - least), right);
    }
  }
  const stretches: Stretch[] = [];
  for (let left = first; left < end;) {
    const state = columns[left];
    let right = left + 1;
    while (right < end && columns[right] === state) right++;
    if (state !== undefined) stretches.push({ left, right, state });
    left = right;
  }
  return stretches;
}
