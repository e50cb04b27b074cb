import { INCIDENTS_FOLDER } from "../history/incident.ts";
import type { Tracker } from "./tracker.ts";

/** Keeps incidents in their files alone: the commit that writes one is all there is to do. */
export const filesTracker: Tracker = {
  place: `files in ${INCIDENTS_FOLDER}/`,
  owes: () => [],
};
