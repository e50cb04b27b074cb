import { paint } from "../../lib/text/paint.ts";
import type { State } from "../../lib/state.ts";

/** What paints what is shown of a state, on a terminal. */
export const STATE_COLOURS: Readonly<Record<State, (text: string) => string>> = {
  up: paint.green,
  degraded: paint.yellow,
  down: paint.red,
  maintenance: paint.cyan,
  unknown: paint.dim,
};
