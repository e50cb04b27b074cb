import {
  addBeat,
  type Heartbeat,
  type ReceivedBeat,
} from "../../lib/checks/heartbeat/heartbeat.ts";
import type { Site } from "../../lib/config/config.ts";
import { parseBeats } from "../../lib/history/received_beats.ts";
import { openBeatsFile } from "../../lib/history/store/open_store.ts";

/** Beats that the former endpoint of `watch` received in a folder: a run adds them to its state, and removes them. */
export interface ReceivedBeats {
  addTo(known: Heartbeat | undefined, site: Site, now: Temporal.Instant): Heartbeat | undefined;
  remove(): Promise<void>;
}

/** Opens the received beats of a folder; `undefined` if there are none. */
export async function openReceivedBeats(
  root: string,
  sites: readonly Site[],
): Promise<ReceivedBeats | undefined> {
  if (sites.every(({ check }) => check !== "heartbeat")) return undefined;
  const file = await openBeatsFile(root);
  const text = await file.read();
  if (text === undefined) return undefined;
  const jobs = parseBeats(text);
  return {
    addTo(known, { slug }, now) {
      const job = jobs.get(slug);
      if (job === undefined) return known;
      const beats = [job.end, job.start].filter((beat) => beat !== undefined);
      const { since, end, start } = beats.reduce(
        (state, beat) => addBeat(state, beat, now),
        known ?? { since: job.since },
      );
      const mark = (beat?: ReceivedBeat): ReceivedBeat | undefined =>
        beats.some(({ kind, at }) => kind === beat?.kind && at.equals(beat.at))
          ? { ...beat!, former: true }
          : beat;
      return { since, end: mark(end), start: mark(start) };
    },
    remove: () => file.remove(),
  };
}
