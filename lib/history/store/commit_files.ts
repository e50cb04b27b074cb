import { dirname } from "node:path/posix";
import {
  listBlobs,
  listFolder,
  type NewCommit,
  readContents,
  streamContents,
} from "../../git/objects.ts";
import { type Repository, RepositoryError } from "../../git/repository.ts";
import type { Change, HistoryFiles } from "./store.ts";

/** The history files of a commit; none if there is no commit. */
export function commitFiles({ git, prefix }: Repository, commit: string | undefined): HistoryFiles {
  if (commit === undefined) return NO_FILES;
  const folders = new Map<string, Promise<Map<string, string>>>();
  const entriesOf = (folder: string) => {
    const known = folders.get(folder) ?? listFolder(git, commit, prefix + folder);
    folders.set(folder, known);
    return known;
  };
  /** Names of blobs: git looks a path up from the root each time, which is slow for thousands in one listed folder. */
  const find = async (paths: readonly string[]) => {
    const found: { path: string; name: string }[] = [];
    for (const path of paths) {
      const slash = path.lastIndexOf("/");
      const entries = await folders.get(path.slice(0, Math.max(0, slash)));
      const name = entries === undefined
        ? `${commit}:${prefix}${path}`
        : entries.get(path.slice(slash + 1));
      if (name !== undefined) found.push({ path, name });
    }
    return found;
  };
  const readBytes = async (paths: readonly string[]) => {
    const found = await find(paths);
    const contents = await readContents(git, found.map(({ name }) => name));
    const files = found.map(({ path }, index) => [path, contents[index]] as const);
    return new Map(files.filter((file): file is [string, Uint8Array] => file[1] !== undefined));
  };
  return {
    readBytes,
    async read(paths) {
      const decoder = new TextDecoder();
      const contents = await readBytes(paths);
      return new Map([...contents].map(([path, content]) => [path, decoder.decode(content)]));
    },
    async *stream(paths) {
      const found = await find(paths);
      let index = 0;
      for await (const content of streamContents(git, found.map(({ name }) => name))) {
        const { path } = found[index++]!;
        if (content !== undefined) yield [path, content];
      }
    },
    list: async (folder) => [...(await entriesOf(folder)).keys()],
    async readAll(folder, isWanted) {
      const blobs = [...await listBlobs(git, commit, prefix + folder)]
        .map(([path, blob]) => ({ path: path.slice(prefix.length), blob }))
        .filter(({ path }) => isWanted(path));
      const contents = await readContents(git, blobs.map(({ blob }) => blob));
      return new Map(blobs.map(({ path }, index) => [path, contents[index]!]));
    },
  };
}

const NO_FILES: HistoryFiles = {
  read: () => Promise.resolve(new Map()),
  readBytes: () => Promise.resolve(new Map()),
  async *stream() {},
  list: () => Promise.resolve([]),
  readAll: () => Promise.resolve(new Map()),
};

/**
 * The commit of a change on a branch.
 *
 * @throws {RepositoryError} If the branch has a file at the place of one of our folders, which would be lost.
 */
export async function commitOnto(
  { git, prefix }: Repository,
  parent: string | undefined,
  { files, message }: Change,
): Promise<NewCommit> {
  const own = new Map([...files].map(([path, content]) => [prefix + path, content]));
  const folders = new Set([...own.keys()].flatMap(foldersOf));
  const listed = parent === undefined || folders.size === 0
    ? ""
    : await git.text(["ls-tree", "-z", "--full-tree", parent, "--", ...folders]);
  for (const line of listed.split("\0")) {
    const path = line.slice(line.indexOf("\t") + 1);
    if (!folders.has(path) || /^\d+ tree /.test(line)) continue;
    throw new RepositoryError(
      `Cannot write into ${path}: it is a file of the branch; move it away`,
    );
  }
  return { parent, files: own, message };
}

/** The folders that contain a file, outermost first. */
function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === "." ? [] : [...foldersOf(folder), folder];
}
