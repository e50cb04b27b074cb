import type { State } from "../state.ts";
import type { SiteReport } from "./report.ts";

/** The displayed state of a site: maintenance in a window, else its condition; `unknown` if it has none. */
export function shownState(
  { condition, isInMaintenance }: Pick<SiteReport, "condition" | "isInMaintenance">,
): State {
  return isInMaintenance ? "maintenance" : condition ?? "unknown";
}
