import type { Author } from "../git/objects.ts";
import { type Carried, settle } from "../outbox/outbox.ts";
import type { Store } from "../history/store/store.ts";
import type { Run } from "../history/checks_log.ts";
import { placeMemory, takesRef } from "./place_memory.ts";
import { recall } from "./recall.ts";

/** What a run has carried out, and how a commit says so where there is no ref for it. */
export interface CarriedOut {
  run: Run;
  carried: readonly Carried[];
  /** Time at which the labels of issues were checked; absent if they were not. */
  labels?: Temporal.Instant;
  now: Temporal.Instant;
  message: string;
  author: Author;
}

/** Remembers what was carried out, so that no later run does it again. */
export async function noteCarried(
  store: Store,
  { run, carried, labels, now, message, author }: CarriedOut,
): Promise<void> {
  await store.publish(async (snapshot) => {
    const { memory, rows } = await recall(snapshot);
    const known = new Map(memory?.outbox.map((entry) => [entry.id, entry]));
    const nothingToNote = carried.every(({ id }) => known.get(id)?.claim?.run !== run.id);
    if (memory === undefined || nothingToNote) return undefined;
    const noted = {
      ...memory,
      rows,
      outbox: settle(memory.outbox, carried, now),
      labels: labels ?? memory.labels,
    };
    const inRef = takesRef(snapshot.capabilities, memory, run.time);
    const { files, pending } = placeMemory(noted, { inRef });
    return { run: run.id, time: run.time, files, pending, message, author };
  });
}
