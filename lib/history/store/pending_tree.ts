import { listBlobs, type NewCommit, readBlobs } from "../../git/objects.ts";
import { commitOf, type RemoteRepository } from "../../git/repository.ts";
import type { Change, PendingTexts } from "./store.ts";

/** What waits beside the branches of a repository, each with a folder of its own. */
export interface PendingTree {
  /** Names of all blobs, by path. */
  blobs: ReadonlyMap<string, string>;
  /** What waits for this branch, and for this folder of the repository. */
  own: PendingTexts;
  /** The folders of the tree whose texts {@linkcode own} replaces. */
  replaced: readonly string[];
}

/** Where the texts of a branch stand: two branches, or two folders, never share what waits for them. */
function folderOf({ prefix, remote }: RemoteRepository, branch = remote.branch): string {
  return `${branch}/${prefix}`;
}

/**
 * Reads what waits; nothing where the ref is at no commit. Where nothing waits for the branch, what waits for one that is gone is taken
 * instead, so that a branch may be renamed. `branches` tells those the remote has.
 */
export async function readPendingTree(
  repository: RemoteRepository,
  commit: string | undefined,
  branches: (() => Promise<string[]>) | undefined,
): Promise<PendingTree> {
  // Whatever else somebody has put there is replaced.
  if (commit === undefined || await commitOf(repository.git, commit) === undefined) {
    return { blobs: new Map(), own: { texts: new Map(), isEmpty: true }, replaced: [] };
  }
  const blobs = await listBlobs(repository.git, commit);
  const folder = folderOf(repository);
  const own = namesIn(blobs, folder);
  if (own.length > 0 || blobs.size === 0) {
    const texts = await readTexts(repository, blobs, folder, own);
    return { blobs, own: { texts }, replaced: [folder] };
  }
  const orphan = branches && findOrphan(repository, blobs, await branches());
  if (orphan === undefined) return { blobs, own: { texts: new Map() }, replaced: [folder] };
  const left = folderOf(repository, orphan);
  const texts = await readTexts(repository, blobs, left, namesIn(blobs, left));
  return { blobs, own: { texts, from: orphan }, replaced: [folder, left] };
}

/** The commit that holds what waits from now on: without a parent, so that none is kept for ever. */
export function pendingCommit(
  repository: RemoteRepository,
  { blobs, replaced }: PendingTree,
  { pending, run }: Change,
): NewCommit {
  const folder = folderOf(repository);
  const others = [...blobs].filter(([path]) =>
    !replaced.some((one) => namesIn(new Map([[path, ""]]), one).length > 0)
  );
  return {
    blobs: new Map(others),
    files: new Map([...pending ?? []].map(([name, text]) => [folder + name, text])),
    message: `Keep what run ${run} found until the next commit [skip ci]`,
  };
}

/** Names of the texts in a folder, without those of the folders in it. */
function namesIn(blobs: ReadonlyMap<string, string>, folder: string): string[] {
  return [...blobs.keys()].filter((path) => path.startsWith(folder))
    .map((path) => path.slice(folder.length)).filter((name) => !name.includes("/"));
}

async function readTexts(
  { git }: RemoteRepository,
  blobs: ReadonlyMap<string, string>,
  folder: string,
  names: readonly string[],
): Promise<Map<string, string>> {
  const contents = await readBlobs(git, names.map((name) => blobs.get(folder + name)!));
  return new Map(names.map((name, index) => [name, contents[index] ?? ""]));
}

/**
 * The branch that the remote no longer has, and that something waits for; none where there are several.
 * What waits for a folder of a branch that is there stands under the name of that branch, and is not ours.
 */
function findOrphan(
  repository: RemoteRepository,
  blobs: ReadonlyMap<string, string>,
  branches: readonly string[],
): string | undefined {
  const end = `/${repository.prefix}`;
  const folders = new Set(
    [...blobs.keys()].map((path) => path.slice(0, path.lastIndexOf("/") + 1)),
  );
  const orphans = [...folders].filter((folder) => folder.endsWith(end))
    .map((folder) => folder.slice(0, -end.length))
    .filter((name) => !branches.some((branch) => `${name}/`.startsWith(`${branch}/`)));
  return orphans.length === 1 ? orphans[0] : undefined;
}
