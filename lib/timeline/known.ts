import type { Issue } from "../doors/platform/platform.ts";
import { issueNumbers } from "../history/known_incidents.ts";
import type { Memory } from "../history/memory.ts";
import { recall } from "../history/recall.ts";
import { readStoredIncidents, type StoredIncidents } from "../history/stored_incidents.ts";
import { withRefused } from "../history/with_refused.ts";
import type { CheckRow } from "../history/checks_log.ts";
import type { Snapshot } from "../store/store.ts";
import type { Followed } from "./hear.ts";
import { manualOf, type ManualPlace } from "./manual_of.ts";
import { trackedManual, trackedOf } from "./tracked.ts";

/** What is known of incidents and their timelines at one moment. */
export interface Known {
  stored: StoredIncidents;
  /** Absent where nothing is remembered. */
  memory?: Memory;
  /** Checks that the branch may lack. */
  rows: readonly CheckRow[];
  /** Two of which this is the same are asked the same of the platform, and of what comes of it. */
  version: string;
}

/** Reads what is known. */
export async function readKnown(snapshot: Snapshot): Promise<Known> {
  const { memory, rows } = await recall(snapshot);
  const numbers = issueNumbers(memory?.outbox ?? []);
  const stored = await readStoredIncidents(withRefused(snapshot, memory?.files), numbers);
  const version = JSON.stringify([memory?.timelines, [...stored.ids], [...stored.incidents]]);
  return { stored, memory, rows, version };
}

/** What there is to follow. */
export function followedOf({ incidents }: StoredIncidents, place: ManualPlace): Followed {
  const all = [...incidents.values()];
  const others = all.filter(({ kind }) => kind !== "manual");
  const numbers = new Set(others.flatMap(({ issue }) => issue ?? []));
  const files = all.filter((one) => one.kind === "manual");
  const before = new Map(files.map((one) => [one.issue, one]));
  const slugsOf = ({ number }: Issue) => [
    ...new Set([...place.slugs, ...before.get(number)?.sites ?? []]),
  ];
  return {
    others: others.flatMap((one) => trackedOf(one) ?? []),
    manual: files.flatMap((one) => trackedOf(one) ?? []),
    manualIn(issues) {
      const manual = issues.filter(({ number }) => !numbers.has(number))
        .flatMap((issue) => manualOf(issue, { ...place, slugs: slugsOf(issue) }) ?? []);
      return { manual, tracked: trackedManual(manual, new Set(before.keys())) };
    },
  };
}
