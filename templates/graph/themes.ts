import type { GraphTheme } from "../../lib/statistics/graphs/graph_files.ts";

/** Colours of a graph, opaque but the band, so that few different ones come about. */
export interface Theme {
  background: string;
  /** Of the title and of figures. */
  text: string;
  /** Of everything else that is read. */
  muted: string;
  grid: string;
  axis: string;
  line: string;
  band: { fill: string; opacity: number };
  /** What stands behind the line. Down is the darkest on light, and the lightest on dark. */
  down: string;
  degraded: string;
  maintenance: { fill: string; hatch: string };
  /** Where nothing is known. */
  unknown: string;
}

/** How graphs may look. */
export const THEMES = {
  light: {
    background: "#ffffff",
    text: "#1f2328",
    muted: "#59636e",
    grid: "#e7eaee",
    axis: "#9aa3ad",
    line: "#0b63ce",
    band: { fill: "#0b63ce", opacity: 0.2 },
    down: "#f3a6a1",
    degraded: "#fce7ae",
    maintenance: { fill: "#f1f3f6", hatch: "#bcc4cf" },
    unknown: "#f1f3f5",
  },
  dark: {
    background: "#0d1117",
    text: "#e6edf3",
    muted: "#9aa4af",
    grid: "#222831",
    axis: "#606975",
    line: "#66b0ff",
    band: { fill: "#66b0ff", opacity: 0.28 },
    down: "#93292b",
    degraded: "#66490a",
    maintenance: { fill: "#171c23", hatch: "#3b4450" },
    unknown: "#181d24",
  },
} as const satisfies Record<GraphTheme, Theme>;
