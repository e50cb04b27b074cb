import { exclude, tracksAny } from "../doors/git/exclude.ts";
import type { Repository } from "../doors/git/repository.ts";
import { graphPath, GRAPHS_FOLDER, ignoreLine } from "./graph_files.ts";

/** Keeps the graphs out of the commits that the user makes in this clone. Returns what to know of that. */
export async function keepOut(repository: Repository): Promise<string[]> {
  const { prefix } = repository;
  const line = ignoreLine(prefix);
  const path = prefix + graphPath("any", "all", "light", "png");
  const notes: string[] = [];
  if (await tracksAny(repository, line.slice(1))) {
    notes.push(
      `graphs are published by themselves, and your branch holds some too; to keep them out of it: git rm -r -q --cached ${GRAPHS_FOLDER}`,
    );
  }
  if (!await exclude(repository, { line, path })) {
    notes.push(
      `git takes the graphs for new files of yours; to keep them out of your commits, write ${line} into a .gitignore at the top of the repository`,
    );
  }
  return notes;
}
