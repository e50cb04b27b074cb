import type { Capabilities } from "../history/store/store.ts";
import { utcDay } from "../time.ts";
import { formatMemory, type Memory, statePath } from "./memory.ts";

/** What is to be kept: files of the branch, and what waits beside it. */
export interface Kept {
  /** Whole texts of the files that change, by path; `null` for one that goes. */
  files: Map<string, string | null>;
  /** Texts of the memory by name, where it goes into the ref. */
  pending?: Map<string, string>;
}

/** Where a memory goes. */
export interface MemoryPlace {
  /** Whether into the ref, or else among the files. */
  inRef: boolean;
  /** Files of an older one, which go. */
  left?: readonly string[];
}

/** Puts a memory where it belongs. */
export function placeMemory(memory: Memory, { inRef, left = [] }: MemoryPlace): Kept {
  const texts = formatMemory(memory);
  const files = new Map<string, string | null>(left.map((path) => [path, null]));
  if (inRef) return { files, pending: texts };
  for (const [name, text] of texts) files.set(statePath(name), text);
  return { files };
}

/** Whether the memory goes into the ref; one that the remote refuses is tried again on another day. */
export function takesRef(
  { pendingRef, commits }: Capabilities,
  memory: Memory | undefined,
  time: Temporal.Instant,
): boolean {
  if (pendingRef !== "open") return false;
  const refused = memory?.refused;
  return !commits || refused === undefined || utcDay(refused) !== utcDay(time);
}
