import type { Repository } from "../../git/repository.ts";
import { finishMove, WorkTreeError } from "../../git/move.ts";
import type { GitStoreOptions } from "./store.ts";

/** What a person should know of their own edits; `undefined` where the branch was not moved. */
export function keptNotes(paths: readonly string[] | undefined): string[] | undefined {
  if (paths === undefined) return undefined;
  if (paths.length === 0) return [];
  return [`your edits were left alone in ${paths.join(", ")}; the commit holds the new text`];
}

/** Files that can't follow a commit are a note: the commit is made, and a later run brings them along. */
export async function orNote<T>(move: () => Promise<T>): Promise<T | string[]> {
  try {
    return await move();
  } catch (error) {
    if (!(error instanceof WorkTreeError)) throw error;
    return [error.message];
  }
}

/** Finishes what a run before left undone, where nothing stands in the way. */
export async function tidyUp(
  repository: Repository,
  { exclusively, warn }: GitStoreOptions,
): Promise<void> {
  const notes = await orNote(() => exclusively(() => finishMove(repository)));
  for (const note of notes ?? []) warn(note);
}
