import type { Tracker } from "../../lib/incidents/incident_event.ts";

/** Hears of incidents, and owes a line in a ledger for each thing that happens to one. */
export const LEDGER: Tracker = {
  place: "a ledger",
  owes: ({ id, action }) => [{
    id: `${id}/${action}`,
    handler: "issue",
    queue: id,
    description: `${action} ${id}`,
    data: {},
  }],
};
