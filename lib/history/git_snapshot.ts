import { listFolder, makeCommit, readFiles } from "../doors/git/objects.ts";
import type { Repository } from "../doors/git/repository.ts";
import type { Change, Snapshot } from "./store.ts";

/** The history as it stands in a commit; empty where there is none. */
export function snapshotOf({ git, prefix }: Repository, commit: string | undefined): Snapshot {
  return {
    commit,
    async read(paths) {
      if (commit === undefined || paths.length === 0) return new Map();
      const files = await readFiles(git, commit, paths.map((path) => prefix + path));
      return new Map([...files].map(([path, text]) => [path.slice(prefix.length), text]));
    },
    list: (folder) =>
      commit === undefined ? Promise.resolve([]) : listFolder(git, commit, prefix + folder),
  };
}

/** Paths of the files in a folder of the work tree that git does not track, also of those it ignores. */
export async function untrackedFiles(
  { git, prefix }: Repository,
  folder: string,
): Promise<string[]> {
  const output = await git.text([
    "ls-files",
    "--others",
    "-z",
    "--",
    `:(literal)${prefix}${folder}`,
  ]);
  return output.split("\0").filter((path) => path !== "").map((path) => path.slice(prefix.length));
}

/** Makes the commit of a change; nothing refers to it yet. */
export function buildCommit(
  { git, prefix }: Repository,
  parent: string | undefined,
  change: Change,
): Promise<string> {
  return makeCommit(git, {
    parent,
    files: new Map([...change.files].map(([path, text]) => [prefix + path, text])),
    message: change.message,
    author: change.author,
    time: change.time,
    id: change.run,
  });
}
