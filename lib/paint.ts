import { cyan, dim, green, red, setColorEnabled, yellow } from "@std/fmt/colors";

/** Colours for parts of a line of the terminal; none where {@linkcode usePaint} says so. */
export const paint = { cyan, dim, green, red, yellow };

/** Whether {@linkcode paint} colours. */
export const usePaint = setColorEnabled;
