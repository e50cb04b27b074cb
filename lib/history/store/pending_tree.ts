import { findCommit, listBlobs, type NewCommit, readBlobs } from "../../git/objects.ts";
import type { RemoteRepository } from "../../git/repository.ts";
import { isStateName } from "../run_state.ts";
import type { Change, PendingTexts } from "./store.ts";

export interface PendingTree {
  /** Names of the blobs of other branches and other monitored folders, by path. */
  others: ReadonlyMap<string, string>;
  /** Names of the own blobs, by the name of their text. */
  names: ReadonlyMap<string, string>;
  own: PendingTexts;
}

/** The folder of a branch's texts: two branches, or two monitored folders, never share one. */
function toFolder({ prefix, remote }: RemoteRepository): string {
  return `${remote.branch}/${prefix}`;
}

/** Reads the pending ref. Offline, a missing ref means nothing: clones don't fetch it. */
export async function readPendingTree(
  repository: RemoteRepository,
  commit: string | undefined,
  { offline }: { offline: boolean },
): Promise<PendingTree> {
  const { git } = repository;
  // Anything but a commit that somebody has put there is replaced.
  const isThere = commit !== undefined && await findCommit(git, commit) !== undefined;
  const blobs = isThere ? [...await listBlobs(git, commit)] : [];
  const folder = toFolder(repository);
  const isOwn = ([path]: [string, string]) =>
    path.startsWith(folder) && isStateName(path.slice(folder.length));
  const names = blobs.filter(isOwn);
  const contents = await readBlobs(git, names.map(([, blob]) => blob));
  const texts = names.map(([path], index): [string, string] => [
    path.slice(folder.length),
    contents[index] ?? "",
  ]);
  return {
    others: new Map(blobs.filter((one) => !isOwn(one))),
    names: new Map(names.map(([path, blob]) => [path.slice(folder.length), blob])),
    own: {
      texts: new Map(texts),
      ...isThere ? {} : { isEmpty: !offline },
      ...offline ? { isUnknown: true } : {},
    },
  };
}

/** The next commit of the pending ref: without a parent, so that old ones are not kept for ever. */
export function pendingCommit(
  repository: RemoteRepository,
  { others, names, own }: PendingTree,
  { pending = new Map(), run }: Change,
): NewCommit {
  const folder = toFolder(repository);
  const kept = [...names].filter(([name]) => pending.get(name) === own.texts.get(name));
  const files = new Map(pending);
  for (const [name] of kept) files.delete(name);
  return {
    blobs: new Map([...others, ...kept.map(([name, blob]) => [folder + name, blob] as const)]),
    files: new Map([...files].map(([name, text]) => [folder + name, text])),
    message: `Keep what run ${run} found until the next commit [skip ci]`,
  };
}
