import {
  listBlobs,
  listFolder,
  type NewCommit,
  readContents,
  readFiles,
} from "../doors/git/objects.ts";
import type { Repository } from "../doors/git/repository.ts";
import type { Change, Snapshot } from "./store.ts";

/** What a commit holds of the history; nothing where there is none. */
export function filesOf(
  { git, prefix }: Repository,
  commit: string | undefined,
): Pick<Snapshot, "read" | "list" | "readAll"> {
  const folders = new Map<string, Promise<string[]>>();
  return {
    async read(paths) {
      if (commit === undefined || paths.length === 0) return new Map();
      const files = await readFiles(git, commit, paths.map((path) => prefix + path));
      return new Map([...files].map(([path, text]) => [path.slice(prefix.length), text]));
    },
    list(folder) {
      if (commit === undefined) return Promise.resolve([]);
      const known = folders.get(folder) ?? listFolder(git, commit, prefix + folder);
      folders.set(folder, known);
      return known;
    },
    async readAll(folder, isWanted) {
      if (commit === undefined) return new Map();
      const blobs = [...await listBlobs(git, commit, prefix + folder)]
        .map(([path, blob]) => ({ path: path.slice(prefix.length), blob }))
        .filter(({ path }) => isWanted(path));
      const contents = await readContents(git, blobs.map(({ blob }) => blob));
      return new Map(blobs.map(({ path }, index) => [path, contents[index]!]));
    },
  };
}

/** The history as it stands in a commit of a branch that nothing waits beside. */
export function localSnapshot(repository: Repository, commit: string | undefined): Snapshot {
  return {
    version: commit,
    ways: { pending: "none", commits: true, atomic: true },
    ...filesOf(repository, commit),
    readPending: () => Promise.resolve({ texts: new Map() }),
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

/** The commit that a change makes of the files on its branch. */
export function commitOnto(
  { prefix }: Repository,
  parent: string | undefined,
  { files, message }: Change,
): NewCommit {
  return {
    parent,
    files: new Map([...files].map(([path, content]) => [prefix + path, content])),
    message,
  };
}
