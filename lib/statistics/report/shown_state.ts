import type { Condition, State } from "../../state.ts";
import { displayState } from "./display_state.ts";
import type { SiteReport } from "./report.ts";

/** The state to display of a site: see {@linkcode displayState}. */
export function shownState(
  report: Pick<SiteReport, "condition" | "isInMaintenance" | "isUnknown">,
): State {
  return displayState(report);
}

/** The condition that a site is known to be in, also in maintenance; `undefined` if that is not known. */
export function currentCondition({ condition, isUnknown }: SiteReport): Condition | undefined {
  return isUnknown ? undefined : condition;
}
