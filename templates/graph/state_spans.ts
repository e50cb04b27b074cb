import type { Graph } from "../../lib/statistics/graph.ts";
import type { State } from "../../lib/state.ts";
import { PLOT } from "./frame.ts";
import type { Theme } from "./themes.ts";
import type { TimeAxis } from "./time_axis.ts";

/** States that are drawn, each over those before it. */
export const DRAWN_STATES = [
  "unknown",
  "maintenance",
  "degraded",
  "down",
] as const satisfies State[];

/** A state that is drawn. */
export type DrawnState = typeof DRAWN_STATES[number];

/** Columns of pixels in one state; `right` is not part of it. */
interface Stretch {
  left: number;
  right: number;
  state: DrawnState;
}

/** Pixels that even the shortest time gets; one in which nothing is known has to be seen by itself. */
const NARROWEST = 2;

/** What stands behind the line. */
export function drawStates(graph: Graph, axis: TimeAxis, theme: Theme): string {
  const stretches = stretchesOf(graph, axis);
  const drawn = DRAWN_STATES.map((state) => {
    const path = stretches.filter((stretch) => stretch.state === state)
      .map(({ left, right }) => `M${left} ${PLOT.top}H${right}V${PLOT.bottom}H${left}Z`).join("");
    return path === "" ? "" : `<path d="${path}" fill="${stateFill(state, theme)}"/>`;
  });
  const isHatched = graph.spans.some(({ state }) => state === "maintenance");
  return (isHatched ? hatching(theme) : "") + drawn.join("");
}

/** What a state is painted with; the pattern of maintenance comes with the states that are drawn. */
export function stateFill(state: DrawnState, theme: Theme): string {
  return state === "maintenance" ? "url(#maintenance)" : theme[state];
}

/** Whole columns, of which each shows the worst of its states. */
function stretchesOf({ spans }: Graph, { window, x }: TimeAxis): Stretch[] {
  const columns: (DrawnState | undefined)[] = Array(PLOT.right).fill(undefined);
  for (const state of DRAWN_STATES) {
    for (const span of spans) {
      if (span.state !== state || span.to <= window.from || span.from >= window.to) continue;
      const left = Math.max(PLOT.left, Math.floor(x(span.from)));
      const end = state === "unknown" ? Math.floor(x(span.to)) : Math.ceil(x(span.to));
      const narrowest = state === "unknown" ? 0 : NARROWEST;
      const right = Math.min(PLOT.right, Math.max(end, left + narrowest));
      columns.fill(state, Math.min(left, PLOT.right - narrowest), right);
    }
  }
  const stretches: Stretch[] = [];
  for (let left: number = PLOT.left; left < PLOT.right;) {
    const state = columns[left];
    let right = left + 1;
    while (right < PLOT.right && columns[right] === state) right++;
    if (state !== undefined) stretches.push({ left, right, state });
    left = right;
  }
  return stretches;
}

function hatching({ maintenance: { fill, hatch } }: Theme): string {
  return `<pattern id="maintenance" width="8" height="8" patternUnits="userSpaceOnUse">` +
    `<rect width="8" height="8" fill="${fill}"/>` +
    `<path d="M-2 2l4-4M0 8l8-8M6 10l4-4" stroke="${hatch}" stroke-width="1.5"/></pattern>`;
}
