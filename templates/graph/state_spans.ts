import type { Graph } from "../../lib/statistics/graph.ts";
import { PLOT } from "./frame.ts";
import { DRAWN_STATES, type DrawnState, stretchesOf } from "./stretches.ts";
import type { Theme } from "./themes.ts";
import type { TimeAxis } from "./time_axis.ts";

/** What stands behind the line. */
export function drawStates(graph: Graph, axis: TimeAxis, theme: Theme): string {
  const stretches = stretchesOf(graph.spans, { ...axis, ...PLOT, narrowest: 2 });
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

function hatching({ maintenance: { fill, hatch } }: Theme): string {
  return `<pattern id="maintenance" width="8" height="8" patternUnits="userSpaceOnUse">` +
    `<rect width="8" height="8" fill="${fill}"/>` +
    `<path d="M-2 2l4-4M0 8l8-8M6 10l4-4" stroke="${hatch}" stroke-width="1.5"/></pattern>`;
}
