import type { GraphTheme } from "../../lib/statistics/graphs/graph_files.ts";
import type { State } from "../../lib/state.ts";

interface Colors {
  card: string;
  line: string;
  text: string;
  muted: string;
  accent: string;
  /** Colors of words, bars and grounds by state. */
  words: Readonly<Record<State, string>>;
  bars: Readonly<Record<State, string>>;
  tints: Readonly<Record<State, string>>;
}

/** The colors of the page's style sheet, for pictures, which have no variables. */
export const PICTURE_COLORS: Readonly<Record<GraphTheme, Colors>> = {
  light: {
    card: "#ffffff",
    line: "#e2e6ea",
    text: "#14181d",
    muted: "#59626c",
    accent: "#2456d3",
    words: {
      up: "#14713f",
      degraded: "#8a5100",
      down: "#b3222a",
      maintenance: "#4350b5",
      unknown: "#59626c",
    },
    bars: {
      up: "#35a86f",
      degraded: "#d97706",
      down: "#d92f3a",
      maintenance: "#5b6ee1",
      unknown: "#aab3bd",
    },
    tints: {
      up: "#e6f5ed",
      degraded: "#fdf2dd",
      down: "#fdecec",
      maintenance: "#ecefff",
      unknown: "#eceff2",
    },
  },
  dark: {
    card: "#14181e",
    line: "#262d36",
    text: "#e9edf2",
    muted: "#9aa5b1",
    accent: "#8ab1ff",
    words: {
      up: "#5fd698",
      degraded: "#f0b95a",
      down: "#ff8d88",
      maintenance: "#aab5ff",
      unknown: "#9aa5b1",
    },
    bars: {
      up: "#2c9c66",
      degraded: "#f2a93b",
      down: "#f2555a",
      maintenance: "#8b98f8",
      unknown: "#4a5561",
    },
    tints: {
      up: "#10261b",
      degraded: "#2b210e",
      down: "#311719",
      maintenance: "#1b2040",
      unknown: "#20262d",
    },
  },
};

/**
 * Mixes a color into another.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(mix("#d92f3a", "#ffffff", 0.16), "#f9dedf");
 * ```
 */
export function mix(color: string, into: string, share: number): string {
  const parts = [1, 3, 5].map((at) => {
    const [own, other] = [color, into].map((one) => parseInt(one.slice(at, at + 2), 16));
    return Math.round(own! * share + other! * (1 - share)).toString(16).padStart(2, "0");
  });
  return `#${parts.join("")}`;
}
