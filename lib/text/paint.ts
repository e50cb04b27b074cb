import { cyan, dim, green, red, setColorEnabled, yellow } from "@std/fmt/colors";

// The package colours wherever NO_COLOR is unset, also in a pipe, and in tests.
setColorEnabled(false);

/** Colours for parts of a line of the terminal. They are off until `main` calls {@linkcode usePaint}. */
export const paint = { cyan, dim, green, red, yellow };

/** Turns the colours of {@linkcode paint} on or off, for the whole process. */
export const usePaint = setColorEnabled;
