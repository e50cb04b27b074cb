import type { State } from "../state.ts";

/** A time in which a site was in one state, in milliseconds since 1970; `unknown` where no check speaks for it. */
export interface Span {
  from: number;
  to: number;
  state: State;
}
