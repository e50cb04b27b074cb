import { commitOf, listBlobs, type NewCommit, readBlobs } from "../../git/objects.ts";
import { branchTips } from "../../git/remote.ts";
import type { RemoteRepository } from "../../git/repository.ts";
import type { Change, PendingTexts } from "./store.ts";

/** Content of the pending ref. */
export interface PendingTree {
  /** Names of all blobs, by path. */
  blobs: ReadonlyMap<string, string>;
  /** The texts for this branch and this folder of the repository. */
  own: PendingTexts;
  /** The folders of the tree whose texts {@linkcode own} replaces. */
  replaced: readonly string[];
}

/** The folder of a branch's texts: two branches, or two monitored folders, never share one. */
function folderOf({ prefix, remote }: RemoteRepository, branch = remote.branch): string {
  return `${branch}/${prefix}`;
}

/**
 * Reads the pending ref. If nothing is pending for the branch, what is pending for one that is gone is taken
 * instead, because a branch may be renamed. Offline, a missing ref means nothing: clones don't fetch it.
 */
export async function readPendingTree(
  repository: RemoteRepository,
  commit: string | undefined,
  { offline }: { offline: boolean },
): Promise<PendingTree> {
  const { git, remote } = repository;
  const own = offline ? { isUnknown: true } : {};
  // Anything else that somebody has put there is replaced.
  if (commit === undefined || await commitOf(git, commit) === undefined) {
    const isEmpty = !offline;
    return { blobs: new Map(), own: { texts: new Map(), isEmpty, ...own }, replaced: [] };
  }
  const blobs = await listBlobs(git, commit);
  const folder = folderOf(repository);
  const isOrphaned = namesIn(blobs, folder).length === 0 && blobs.size > 0 && !offline;
  const from = isOrphaned
    ? findOrphan(repository, blobs, [...(await branchTips(git, remote)).keys()])
    : undefined;
  const source = from === undefined ? folder : folderOf(repository, from);
  const names = namesIn(blobs, source);
  const contents = await readBlobs(git, names.map((name) => blobs.get(source + name)!));
  const texts = new Map(names.map((name, index) => [name, contents[index] ?? ""]));
  return { blobs, own: { texts, from, ...own }, replaced: [folder, source] };
}

/** The next commit of the pending ref: without a parent, so that old ones are not kept for ever. */
export function pendingCommit(
  repository: RemoteRepository,
  { blobs, replaced }: PendingTree,
  { pending = new Map(), run }: Change,
): NewCommit {
  const folder = folderOf(repository);
  const isReplaced = (path: string) => replaced.includes(path.slice(0, path.lastIndexOf("/") + 1));
  return {
    blobs: new Map([...blobs].filter(([path]) => !isReplaced(path))),
    files: new Map([...pending].map(([name, text]) => [folder + name, text])),
    message: `Keep what run ${run} found until the next commit [skip ci]`,
  };
}

/** Names of the texts in a folder, without those of its sub-folders. */
function namesIn(blobs: ReadonlyMap<string, string>, folder: string): string[] {
  return [...blobs.keys()].filter((path) => path.startsWith(folder))
    .map((path) => path.slice(folder.length)).filter((name) => !name.includes("/"));
}

/** The only branch with pending texts for this folder that the remote no longer has. */
function findOrphan(
  { prefix }: RemoteRepository,
  blobs: ReadonlyMap<string, string>,
  branches: readonly string[],
): string | undefined {
  const end = `/${prefix}`;
  const folders = new Set(
    [...blobs.keys()].map((path) => path.slice(0, path.lastIndexOf("/") + 1)),
  );
  const orphans = [...folders].filter((folder) => folder.endsWith(end))
    .map((folder) => folder.slice(0, -end.length))
    // A folder of a branch that exists starts with its name.
    .filter((name) => !branches.some((branch) => `${name}/`.startsWith(`${branch}/`)));
  return orphans.length === 1 ? orphans[0] : undefined;
}
