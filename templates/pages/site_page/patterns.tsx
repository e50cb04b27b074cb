import type { DrawnState } from "../../graph/stretches.ts";
import { type Element, written } from "../html.ts";

/** What each state is hatched with, on 8 x 8: no two are alike without their colours. */
const HATCHES: Readonly<Record<DrawnState, string>> = {
  down: "M-2 2l4-4M0 8l8-8M6 10l4-4M-2 6l8-8M2 10l8-8",
  degraded: "M2 0v8M6 0v8",
  maintenance: "M-2 6l4 4M0 0l8 8M6-2l4 4",
  unknown: "M2 2h1M6 6h1",
};

/** The patterns that {@linkcode Chart} refers to: stand once on a page. */
export const PATTERNS: Element = written(
  <svg class="away" aria-hidden="true">
    {Object.entries(HATCHES).map(([state, path]) => (
      <pattern id={`p-${state}`} width="8" height="8" patternUnits="userSpaceOnUse">
        <rect width="8" height="8" fill={`var(--${state}-soft)`} />
        <path d={path} stroke={`var(--${state})`} opacity=".55" />
      </pattern>
    ))}
  </svg>,
);
