import { findStaleLock } from "../../git/left_behind.ts";
import { openRefText } from "../../git/objects.ts";
import { DetachedError, NO_GIT, openRepository, RepositoryError } from "../../git/repository.ts";
import { join, relative } from "node:path";
import {
  folderWorkspace,
  holdFile,
  mayWrite,
  readFileTime,
  setFileTime,
  unlessNotAllowed,
  type Workspace,
} from "../../io/workspace.ts";
import { shortHash } from "../../text/words.ts";
import { STATE_FOLDER } from "../../config/record_path.ts";
import { BufferedStore, type BufferFile } from "./buffered_store.ts";
import { filesStore } from "./files_store.ts";
import { localStore } from "./local_store.ts";
import { RemoteStore } from "./remote_store.ts";
import type { GitStoreOptions, Store } from "./store.ts";

export interface OpenStoreOptions extends Omit<GitStoreOptions, "exclusively"> {
  workspace: Workspace;
  /** A file that all runs of the folder share. */
  lock: string;
  /** True if changes that can wait are kept on this machine, which one process may do at a time. */
  keeps?: boolean;
  /** True if what can't be published is kept on this machine for the next run. */
  keepsRefused?: boolean;
  /** Aborted when the program ends and the remote gets no more time. */
  ending?: AbortSignal;
}

/** Name of the file with the pending texts that are on this machine only. */
const BUFFER = "waiting.json";
/** Name of the file with the beats that the endpoint of an earlier version received. */
const BEATS = "beats.json";
/** Name of the file that the process which keeps them holds. */
const HOLDER = "watch.lock";

/**
 * Opens the store of a folder: commits if it belongs to a repository, plain files otherwise.
 *
 * @throws {RepositoryError} If the repository is in a state in which nothing can be recorded.
 */
export async function openStore(
  root: string,
  options: OpenStoreOptions & { keeps: true },
): Promise<BufferedStore>;
export async function openStore(root: string, options: OpenStoreOptions): Promise<Store>;
export async function openStore(root: string, options: OpenStoreOptions): Promise<Store> {
  const { workspace, lock, keeps = false, keepsRefused = false, ending, ...rest } = options;
  const { clock } = options;
  const repository = await openRepository(root, ending);
  if (repository === NO_GIT) {
    rest.warn("git is not on the PATH, so the history is kept as files and nothing is committed");
  }
  const buffered = async (store: Store) => {
    const own = ownFolder(repository, root);
    const { file, hold } = openBuffer(own, repository, root);
    const holder = keeps ? await holdFile(own.root, own.path(HOLDER)) : undefined;
    if (keeps && holder === undefined) {
      throw new RepositoryError(
        "Cannot watch: another process watches in this folder; stop it, or work in another clone",
      );
    }
    const isThere = keeps || keepsRefused || await file.read() !== undefined;
    const options = { file, clock, holder, hold: keepsRefused ? hold : undefined };
    return isThere ? new BufferedStore(store, options) : store;
  };
  if (typeof repository === "string") {
    return await buffered(filesStore(workspace, lock, repository));
  }
  const exclusively = <T>(action: () => Promise<T>) => workspace.exclusively(lock, action);
  const stale = rest.readOnly ? undefined : await findStaleLock(repository);
  if (stale !== undefined) rest.warn(stale);
  const { remote } = repository;
  const store = remote === undefined
    ? localStore(repository, { exclusively })
    : new RemoteStore({ ...repository, remote }, { ...rest, exclusively });
  return await buffered(store);
}

type Opened = Awaited<ReturnType<typeof openRepository>>;

/** The folder of the files that stay on this machine, and paths in it. */
function ownFolder(repository: Opened, root: string) {
  const [top, ...folders] = typeof repository === "string"
    ? [root, STATE_FOLDER]
    : [repository.ownFolder, repository.branch, repository.prefix];
  return { root: top, path: (name: string) => join(...folders, name) };
}

/** Opens the file with the beats that the endpoint of an earlier version of `watch` received. */
export async function openBeatsFile(root: string): Promise<Omit<BufferFile, "write">> {
  return openFile(ownFolder(await openRepository(root), root), BEATS);
}

/** The last time at which `watch` made checks: that of the file by which it holds the folder. */
export interface WatchMark {
  /** Returns the time; `undefined` if `watch` has never run here. */
  read(): Promise<Temporal.Instant | undefined>;
  set(time: Temporal.Instant): Promise<void>;
}

export async function openWatchMark(root: string): Promise<WatchMark> {
  const own = ownFolder(await openRepository(root), root);
  const path = join(own.root, own.path(HOLDER));
  return {
    read: () => unlessNotAllowed(readFileTime(path)),
    set: (time) => setFileTime(path, time),
  };
}

/**
 * The pending texts on this machine, and the hold on them. They are in a file, or in a ref of the work tree if the
 * program may not write among git's own files: those of a sub-folder or a linked work tree are outside of it.
 */
function openBuffer(own: ReturnType<typeof ownFolder>, repository: Opened, root: string) {
  const { read, write, remove } = openFile(own, BUFFER);
  const file: BufferFile = { read: () => unlessNotAllowed(read()), write, remove };
  const hold = () => holdFile(own.root, own.path(HOLDER));
  if (typeof repository === "string" || !relative(root, own.root).startsWith("..")) {
    return { file, hold };
  }
  const { git, branch, prefix } = repository;
  const ref = openRefText(git, `refs/worktree/monitor/${shortHash(`${branch}:${prefix}`)}`);
  const chosen = async () => await mayWrite(own.root) ? file : ref;
  return {
    file: {
      read: async () => await file.read() ?? await ref.read(),
      write: async (text: string) => (await chosen()).write(text),
      remove: async () => (await chosen()).remove(),
    },
    hold: async () => await mayWrite(own.root) ? await hold() : { [Symbol.dispose]() {} },
  };
}

function openFile(own: ReturnType<typeof ownFolder>, name: string): BufferFile {
  const [{ read, write, remove }, path] = [folderWorkspace(own.root), own.path(name)];
  return { read: () => read(path), write: (text) => write(path, text), remove: () => remove(path) };
}

/**
 * Opens the store of a folder; if no branch is checked out, one of the files in the folder.
 *
 * @throws {RepositoryError} If the repository can't be read.
 */
export async function openStoreOrFolder(
  root: string,
  options: OpenStoreOptions,
): Promise<{ store: Store; isDetached: boolean }> {
  try {
    return { store: await openStore(root, options), isDetached: false };
  } catch (error) {
    if (!(error instanceof DetachedError)) throw error;
    const { workspace, lock, warn } = options;
    warn("no branch is checked out (HEAD is detached), so this is what the folder holds");
    return { store: filesStore(workspace, lock, "no branch is checked out"), isDetached: true };
  }
}
