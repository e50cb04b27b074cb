import type { State } from "../../lib/state.ts";

/** The colours of states in pictures, on light and on dark: as the style of the pages has them. */
export const PICTURE_COLOURS: Readonly<Record<"light" | "dark", Readonly<Record<State, string>>>> =
  {
    light: {
      up: "#156c3a",
      degraded: "#8a5a00",
      down: "#b3261e",
      maintenance: "#4453b8",
      unknown: "#5b6570",
    },
    dark: {
      up: "#4cc07a",
      degraded: "#e0ab3d",
      down: "#ff7b72",
      maintenance: "#9aa8ff",
      unknown: "#8f99a4",
    },
  };

/** Those of words on light. */
export const PICTURE_WORDS = { text: "#1b2127", muted: "#59636e" };

/** What stands behind those of states on light. */
export const PICTURE_TINTS: Readonly<Record<State, string>> = {
  up: "#e3f4e9",
  degraded: "#fdf1d3",
  down: "#fdeae8",
  maintenance: "#eaecfb",
  unknown: "#edeff2",
};
