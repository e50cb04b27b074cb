import type { Tracker } from "../../lib/incidents/incident_event.ts";

/** A tracker that plans a line in a ledger for each event of an incident. */
export const LEDGER: Tracker = {
  place: "a ledger",
  plan: ({ id, action }) => [{
    id: `${id}/${action}`,
    handler: "issue",
    queue: id,
    description: `${action} ${id}`,
    data: {},
  }],
};
