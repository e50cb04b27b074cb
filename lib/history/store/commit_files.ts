import { dirname } from "node:path/posix";
import { listBlobs, type NewCommit, readBlobs, readContents } from "../../git/objects.ts";
import { type Repository, RepositoryError } from "../../git/repository.ts";
import type { Change, HistoryFiles } from "./store.ts";

/** The history files of a commit; none if there is no commit. */
export function commitFiles({ git, prefix }: Repository, commit: string | undefined): HistoryFiles {
  return {
    async read(paths) {
      if (commit === undefined) return new Map();
      const texts = await readBlobs(git, paths.map((path) => `${commit}:${prefix}${path}`));
      const files = paths.map((path, index) => [path, texts[index]] as const);
      return new Map(files.filter((file): file is [string, string] => file[1] !== undefined));
    },
    async list(folder) {
      if (commit === undefined) return [];
      const top = prefix + (folder === "" ? "" : `${folder}/`);
      const files = await listBlobs(git, commit, top, { isDeep: false });
      return [...files.keys()].map((path) => path.slice(top.length));
    },
    async readAll(folder, isWanted) {
      if (commit === undefined) return new Map();
      const blobs = [...await listBlobs(git, commit, `${prefix}${folder}/`)]
        .map(([path, blob]) => ({ path: path.slice(prefix.length), blob }))
        .filter(({ path }) => isWanted(path));
      const contents = await readContents(git, blobs.map(({ blob }) => blob));
      return new Map(blobs.map(({ path }, index) => [path, contents[index]!]));
    },
  };
}

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
