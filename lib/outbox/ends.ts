import type { Receipt } from "./effect.ts";
import { type Carried, type Entry, type Failed, isGivenUp } from "./outbox.ts";

/** An entry that a run was at, and what came of it. */
export type CarriedEntry = { entry: Entry } & ({ receipt: Receipt } | FailedEntry);

/** An entry that could not be carried out. */
export interface FailedEntry {
  failed: Failed;
  /** Whether no run tries it again. */
  isGivenUp: boolean;
}

/** What came of the entries that a run was at; those that are held up by another are left out. */
export function endsOf(
  entries: readonly Entry[],
  carried: readonly Carried[],
  now: Temporal.Instant,
): CarriedEntry[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return carried.flatMap((one): CarriedEntry[] => {
    const entry = byId.get(one.id)!;
    if ("receipt" in one) return [{ entry, receipt: one.receipt }];
    if ("isHeldUp" in one) return [];
    return [{ entry, failed: one, isGivenUp: isGivenUp(entry, one, now) }];
  });
}

/** Whether a person has to look at it: it does not come right by itself. */
export function needsPerson(end: CarriedEntry): boolean {
  return "failed" in end && (end.isGivenUp || end.failed.prospect !== "passing");
}
