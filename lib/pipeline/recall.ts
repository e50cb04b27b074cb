import { PENDING_REF } from "../git/remote.ts";
import type { Snapshot } from "../history/store/store.ts";
import { type CheckRow, checksPath, hasRun, missingRows } from "../history/checks_log.ts";
import { type Memory, type ParsedMemory, parseMemory, STATE_PATHS, statePath } from "./memory.ts";

/** What is remembered, and where it stands. */
export interface Recalled {
  /** Absent where nothing is remembered. */
  memory?: Memory;
  /** True if nothing is remembered though whoever keeps it has answered: this is the first run, or it was lost. */
  isLost?: boolean;
  /** Checks that the branch may lack. */
  rows: CheckRow[];
  /** Its files on the branch. */
  onBranch: string[];
  /** Whether the ref beside the branch holds one. */
  isBeside: boolean;
  /** Whether there is no ref that could hold one, where there might be. */
  isRefMissing: boolean;
  /** Parts of it that can't be read, for people. */
  unreadable: string[];
}

/**
 * Reads what runs before remembered. Where it stands on the branch and beside it, because the remote
 * refuses the one or the other, the newer counts; rows are taken from both.
 */
export async function recall(snapshot: Snapshot): Promise<Recalled> {
  const files = await snapshot.read(STATE_PATHS);
  const { pending } = snapshot;
  const names = [...files].map(([path, text]) => [path.slice(path.lastIndexOf("/") + 1), text]);
  const onBranch = parseMemory(new Map(names as [string, string][]));
  const beside = parseMemory(pending.texts);
  const isOurs = pending.from === undefined || await holdsLastFold(snapshot, beside.memory);
  const kept: ParsedMemory = isOurs ? beside : { rows: [], unreadable: [] };
  const memory = newer(onBranch.memory, kept.memory);
  return {
    memory,
    isLost: memory === undefined && pending.isUnknown === undefined,
    rows: missingRows(undefined, [...onBranch.rows, ...kept.rows]),
    onBranch: [...files.keys()],
    isBeside: kept.memory !== undefined,
    isRefMissing: snapshot.capabilities.pendingRef === "open" && pending.isEmpty === true,
    unreadable: [
      ...onBranch.unreadable.map(statePath),
      ...kept.unreadable.map((name) => `${name} in ${PENDING_REF}`),
    ],
  };
}

function newer(one: Memory | undefined, other: Memory | undefined): Memory | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Temporal.Instant.compare(one.time, other.time) <= 0 ? other : one;
}

/** Whether the branch has the run that last committed to the branch of a memory: then it is that branch, renamed. */
async function holdsLastFold(snapshot: Snapshot, memory: Memory | undefined): Promise<boolean> {
  if (memory?.folded === undefined) return false;
  const path = checksPath(memory.folded.time);
  return hasRun((await snapshot.read([path])).get(path), memory.folded.run);
}
