import type { Effect } from "../outbox/effect.ts";
import type { IncidentPlan } from "./plan.ts";

/** What a tracker of incidents is told. */
export interface IncidentEffect extends Effect {
  data: { action: IncidentPlan["action"]; incident: string };
}

/**
 * What the tracker owes an incident to which something happens; the same value whoever plans it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(incidentEffect("2026-11-21-shop", "open").id, "2026-11-21-shop/open");
 * ```
 */
export function incidentEffect(incident: string, action: IncidentPlan["action"]): IncidentEffect {
  return { id: `${incident}/${action}`, carrier: "incident", data: { action, incident } };
}
