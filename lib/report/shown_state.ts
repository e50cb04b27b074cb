import { type State, STATES } from "../state.ts";
import { firstAtOrAfter } from "../statistics/first_at_or_after.ts";
import type { SiteReport } from "./report.ts";

/** How a site is shown: in maintenance where its last check until now says so, else as it is; `unknown` where that is not known. */
export function shownState(
  { condition, history: { checks }, evidence: { now } }: SiteReport,
): State {
  const last = STATES[checks.states[firstAtOrAfter(checks.times, now + 1) - 1] ?? -1];
  return last === "maintenance" ? last : condition ?? "unknown";
}
