import { type State, STATES } from "../state.ts";
import type { SiteReport } from "./report.ts";

/** How a site is shown: in maintenance where its last check says so, else as it is; `unknown` where that is not known. */
export function shownState({ condition, history: { checks } }: SiteReport): State {
  const last = STATES[checks.states[checks.length - 1] ?? -1];
  return last === "maintenance" ? last : condition ?? "unknown";
}
