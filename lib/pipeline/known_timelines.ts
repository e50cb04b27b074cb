import type { Issue } from "../github/github.ts";
import { issueNumbers } from "./known_incidents.ts";
import type { Memory } from "./memory.ts";
import { recall, type Recalled } from "./recall.ts";
import {
  readStoredIncidents,
  type StoredIncidents,
  withNumbers,
} from "../history/stored_incidents.ts";
import { withRefused } from "../history/with_refused.ts";
import type { CheckRow } from "../history/checks_log.ts";
import type { Snapshot } from "../history/store/store.ts";
import type { Followed } from "../incidents/timeline/hear.ts";
import { manualOf, type ManualPlace } from "../incidents/timeline/manual_of.ts";
import { trackedManual, trackedOf } from "../incidents/timeline/tracked.ts";

/** What is known of incidents and their timelines at one moment. */
export interface Known {
  stored: StoredIncidents;
  /** Absent where nothing is remembered. */
  memory?: Memory;
  /** Checks that the branch may lack. */
  rows: readonly CheckRow[];
}

/** What was read of a history that is opened. */
export interface ReadHistory {
  stored: StoredIncidents;
  recalled: Recalled;
}

/** Reads what is known. */
export async function readKnown(snapshot: Snapshot): Promise<Known> {
  const recalled = await recall(snapshot);
  const stored = await readStoredIncidents(withRefused(snapshot, recalled.memory?.files));
  return knownOf({ stored, recalled });
}

/** What is known by a history that was read. */
export function knownOf({ stored, recalled: { memory, rows } }: ReadHistory): Known {
  return { stored: withNumbers(stored, issueNumbers(memory?.outbox ?? [])), memory, rows };
}

/** Whether the same is asked of GitHub, and of what comes of it. */
export function isSameKnown(one: Known, other: Known): boolean {
  return versionOf(one) === versionOf(other);
}

function versionOf({ memory, stored: { ids, incidents } }: Known): string {
  return JSON.stringify([memory?.timelines, [...ids], [...incidents]]);
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
