/** What the thread is begun with. */
export interface Begin {
  /** The folder that everything is written into. */
  top: string;
  /** As many integers as {@linkcode SHARED}; what stands in which is said below. */
  shared: Int32Array;
}

/** Files to be written, one behind the other. */
export interface Batch {
  content: Uint8Array<ArrayBuffer>;
  files: readonly (readonly [path: string, length: number])[];
}

/**
 * The files of a batch, each with the part of its memory that it is.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const files = [["a", 1], ["b", 2]] as const;
 * const parts = [...filesOf({ content: Uint8Array.of(1, 2, 3, 0), files })];
 * assertEquals(parts, [["a", Uint8Array.of(1)], ["b", Uint8Array.of(2, 3)]]);
 * ```
 */
export function* filesOf({ content, files }: Batch): Generator<[path: string, own: Uint8Array]> {
  let from = 0;
  for (const [path, length] of files) yield [path, content.subarray(from, from += length)];
}

/** What the thread is told: how it begins, what to write, and that it shall say what of that is not. */
export type Told = { begin: Begin } | { batch: Batch } | { settle: true };

/** Files that were not written. */
export type Unwritten = readonly (readonly [path: string, content: Uint8Array])[];

/** Where the state of the thread stands. */
export const STATE = 0;
/** The state before it listens. */
export const STARTING = 0;
/** The state in which it writes. */
export const READY = 1;
/** The state in which it writes nothing, because it could not write a file, until that is settled. */
export const STUCK = 2;
/** Where it stands how many batches the thread has taken. */
export const TAKEN = 1;
/** Where a 1 says that nothing more is to be written. */
export const GIVEN_UP = 2;
/** How many integers are shared. */
export const SHARED = 3;
