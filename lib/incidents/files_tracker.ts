import { incidentPath } from "../history/incident.ts";
import type { Carrier } from "../outbox/effect.ts";

/** Keeps incidents in their files alone: the commit that writes one is all there is to do. */
export const filesTracker: Carrier = {
  describe: ({ data }) => `${data["action"]} the incident ${data["incident"]}`,
  settle: ({ data }) => ({ path: incidentPath(String(data["incident"])) }),
};
