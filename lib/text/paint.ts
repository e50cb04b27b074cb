import { AsyncLocalStorage } from "node:async_hooks";
import { cyan, dim, green, red, setColorEnabled, yellow } from "@std/fmt/colors";

// The package colors wherever NO_COLOR is unset, also in a pipe; here every run decides for itself.
setColorEnabled(true);

const enabled = new AsyncLocalStorage<boolean>();

/** Colors for parts of a line of the terminal. They are off outside of {@linkcode withPaint}. */
export const paint = {
  cyan: inRun(cyan),
  dim: inRun(dim),
  green: inRun(green),
  red: inRun(red),
  yellow: inRun(yellow),
};

/** Runs `action` with the colors of {@linkcode paint} on or off. */
export function withPaint<T>(isEnabled: boolean, action: () => T): T {
  return enabled.run(isEnabled, action);
}

function inRun(color: (text: string) => string): (text: string) => string {
  return (text) => enabled.getStore() === true ? color(text) : text;
}
