import type { Beat } from "../../lib/checks/heartbeat/beat.ts";
import type { Site } from "../../lib/config/config.ts";
import { listBeats, parseBeats } from "../../lib/history/received_beats.ts";
import { openBeatsFile } from "../../lib/history/store/open_store.ts";

/** Reads the beats that `watch` has received in a folder, for commands beside it; absent if it has received none. */
export async function readReceivedBeats(
  root: string,
  sites: readonly Site[],
): Promise<((site: Site) => readonly Beat[]) | undefined> {
  const takesBeats = sites.some(({ target }) =>
    target.check === "heartbeat" && target.endpoint !== undefined
  );
  const text = takesBeats ? await (await openBeatsFile(root)).read() : undefined;
  if (text === undefined) return undefined;
  const jobs = parseBeats(text);
  return ({ slug }) => listBeats(jobs.get(slug));
}
