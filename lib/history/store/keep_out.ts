import { exclude, tracksAny } from "../../git/exclude.ts";
import type { Repository } from "../../git/repository.ts";

/** Files that a program makes and that are nobody's to commit. */
export interface MadeFiles {
  /** The line by which git ignores them, from the top of the repository. */
  line: string;
  /** One of them, from there. */
  path: string;
  /** What they are called. */
  name: string;
  /** What people have to know where their branch holds some of them all the same. */
  tracked: string;
}

/** Keeps files out of the commits that the user makes in this clone. Returns what to know of that. */
export async function keepOut(
  repository: Repository,
  { line, path, name, tracked }: MadeFiles,
): Promise<string[]> {
  const notes: string[] = [];
  if (await tracksAny(repository, line.slice(1))) notes.push(tracked);
  if (!await exclude(repository, { line, path })) {
    notes.push(
      `git takes ${name} for new files of yours; to keep them out of your commits, write ${line} into a .gitignore at the top of the repository`,
    );
  }
  return notes;
}
