import { DAY } from "../time.ts";
import type { Evidence } from "./evidence.ts";
import { firstFrom } from "./days_in.ts";
import { rolledSpans } from "./rolled_spans.ts";
import { appendSpan, type Span } from "./span.ts";
import type { Window } from "../history/windows.ts";

/**
 * The states of a site all through a window, by time and without overlaps; `unknown` where nothing was
 * observed. Of days that are rolled up that is {@linkcode rolledSpans}.
 */
export function spansIn(evidence: Evidence, { from, to }: Window): Span[] {
  const isMet = (span: Pick<Span, "from" | "to">) => span.from < to && span.to > from;
  const begin = firstFrom(evidence.days, Math.floor(from - DAY) + 1);
  const days = evidence.days.slice(begin, firstFrom(evidence.days, to))
    .filter(({ totals }) => totals.observedTime > 0);
  const known = [...evidence.spans.filter(isMet), ...rolledSpans(evidence, days)]
    .sort((one, other) => one.from - other.from);
  const whole: Span[] = [];
  let end = from;
  for (const span of known) {
    const begin = Math.max(span.from, end);
    const until = Math.min(span.to, to);
    if (until <= begin) continue;
    appendSpan(whole, { from: end, to: begin, state: "unknown" });
    appendSpan(whole, { from: begin, to: until, state: span.state });
    end = until;
  }
  appendSpan(whole, { from: end, to, state: "unknown" });
  return whole;
}
