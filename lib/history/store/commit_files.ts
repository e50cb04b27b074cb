import { dirname } from "node:path";
import { listBlobs, type NewCommit, readBlobs, readContents } from "../../git/objects.ts";
import type { Repository } from "../../git/repository.ts";
import type { Change, HistoryFiles } from "./store.ts";

/** Paths in one folder from which on it is listed instead: git searches a folder from its start for each path. */
const MANY = 100;

export function commitFiles({ git, prefix }: Repository, commit: string | undefined): HistoryFiles {
  const toTop = (folder: string) => prefix + (folder === "" ? "" : `${folder}/`);
  // A commit never changes.
  const listed = new Map<string, Promise<ReadonlyMap<string, string>>>();
  const listFolder = (commit: string, folder: string, isDeep: boolean) =>
    listed.getOrInsertComputed(
      `${isDeep} ${folder}`,
      () => listBlobs(git, commit, toTop(folder), { isDeep }),
    );
  const nameBlobs = async (
    commit: string,
    folder: string,
    paths: readonly string[],
  ): Promise<[path: string, name: string][]> => {
    if (paths.length < MANY) return paths.map((path) => [path, `${commit}:${prefix}${path}`]);
    const blobs = await listFolder(commit, folder === "." ? "" : folder, false);
    return paths.flatMap((path) =>
      blobs.has(prefix + path) ? [[path, blobs.get(prefix + path)!]] : []
    );
  };
  return {
    async read(paths) {
      if (commit === undefined) return new Map();
      const folders = [...Map.groupBy(paths, (path) => dirname(path))];
      const named = await Promise.all(
        folders.map(([folder, own]) => nameBlobs(commit, folder, own)),
      );
      const blobs = named.flat();
      const texts = await readBlobs(git, blobs.map(([, name]) => name));
      const files = blobs.map(([path], index) => [path, texts[index]] as const);
      return new Map(files.filter((file): file is [string, string] => file[1] !== undefined));
    },
    async list(folder) {
      if (commit === undefined) return [];
      const files = await listFolder(commit, folder, false);
      return [...files.keys()].map((path) => path.slice(toTop(folder).length));
    },
    async listAll(folder) {
      if (commit === undefined) return [];
      const files = await listFolder(commit, folder, true);
      return [...files.keys()].map((path) => path.slice(toTop(folder).length));
    },
    async readAll(folder, isWanted) {
      if (commit === undefined) return new Map();
      const blobs = [...await listFolder(commit, folder, true)]
        .map(([path, blob]) => ({ path: path.slice(prefix.length), blob }))
        .filter(({ path }) => isWanted(path));
      const contents = await readContents(git, blobs.map(({ blob }) => blob));
      return new Map(blobs.map(({ path }, index) => [path, contents[index]!]));
    },
  };
}

/** The commit of a change on a branch. */
export function commitOnto(
  { prefix }: Repository,
  parent: string | undefined,
  { files, message }: Change,
): NewCommit {
  const own = new Map([...files].map(([path, content]) => [prefix + path, content]));
  return { parent, files: own, message };
}
