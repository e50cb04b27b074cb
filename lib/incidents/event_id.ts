import { formatTime } from "../time.ts";
import type { IncidentEvent } from "./event.ts";

/**
 * What tells an event from all others, the same whoever sees it: what happens once to an incident, or
 * once after each time it was reopened.
 */
export function eventId({ action, id, incident, condition, at }: IncidentEvent): string {
  const times = incident.reopened.length;
  if (action === "affects") return `${id}/affects-${incident.affects.length}`;
  if (action === "reason") return `${id}/reason@${formatTime(incident.reasons.at(-1)!.at)}`;
  if (action === "flap") return `${id}/flapping@${formatTime(at)}`;
  if (action === "update") return `${id}/${condition}@${formatTime(at)}`;
  if (action === "reopen") return `${id}/reopen-${times}`;
  return action === "close" && times > 0 ? `${id}/close-${times + 1}` : `${id}/${action}`;
}
