import type { State } from "../state.ts";

/** A time in which a site was in one state, in milliseconds since 1970; `unknown` where no check speaks for it. */
export interface Span {
  from: number;
  to: number;
  state: State;
}

/** Adds a span after others; one that lasts for no time is left out, and one that goes on makes the last one longer. */
export function appendSpan(spans: Span[], span: Span): void {
  if (span.to <= span.from) return;
  const last = spans.at(-1);
  if (last !== undefined && last.to === span.from && last.state === span.state) last.to = span.to;
  else spans.push({ ...span });
}
