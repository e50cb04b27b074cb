import type { Clock } from "../../io/clock.ts";
import type { Author } from "../../git/objects.ts";

/** What a store can do with a change; some of it is learnt only where a remote refuses. */
export interface Ways {
  /**
   * The ref beside the branch, in which a change may wait: `open`, `refused` by the remote in this
   * run, or `none` where there is no remote.
   */
  pending: "open" | "refused" | "none";
  /** Whether the branch takes commits. */
  commits: boolean;
  /** Whether branch and ref are changed both or neither. */
  atomic: boolean;
}

/** The history at one moment. */
export interface Snapshot {
  /** Tells this state from others; absent where files may change under it. */
  readonly version?: string;
  readonly ways: Ways;
  /** Texts by path; paths without a file are missing. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Contents by path, whatever bytes they are; paths without a file are missing. */
  readBytes(paths: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  /**
   * Contents by path, one after the other, so that never all of them are held: each may be overwritten by
   * the next. Paths without a file are missing.
   */
  stream(paths: readonly string[]): AsyncIterable<readonly [path: string, content: Uint8Array]>;
  /** Names of the files in a folder; at the top where that is empty. */
  list(folder: string): Promise<readonly string[]>;
  /** Contents, by path, of those files in a folder and in the folders within it that are wanted. */
  readAll(
    folder: string,
    isWanted: (path: string) => boolean,
  ): Promise<ReadonlyMap<string, Uint8Array>>;
  /** What waits beside the branch. */
  readPending(): Promise<PendingTexts>;
}

/** Texts that wait beside a branch. */
export interface PendingTexts {
  /** By name; none where nothing waits. */
  texts: ReadonlyMap<string, string>;
  /** Set if the remote has answered that nothing waits for any branch. */
  isEmpty?: true;
  /** Set if the remote did not answer, so that something may wait there. */
  isUnknown?: true;
  /** The branch they were kept for, where that is another one, which is gone. */
  from?: string;
}

/** What one run adds to the history. */
export interface Change {
  /** The run's own name, 8 hexadecimal digits. */
  run: string;
  time: Temporal.Instant;
  /** Whole contents of the files that change, by path; `null` for one that goes. Without any, nothing is committed. */
  files: ReadonlyMap<string, string | Uint8Array | null>;
  /** All texts that wait beside the branch from now on, by name; absent where they stay as they are. */
  pending?: ReadonlyMap<string, string>;
  message: string;
  author: Author;
}

/** Makes of the newest state what is to be kept; `undefined` where nothing is left to do. */
export type Decide = (snapshot: Snapshot) => Promise<Change | undefined>;

/** Where and how the history is kept. */
export interface Store {
  /** Where the history goes as far as is known, for people. */
  readonly place: string;
  /** Calls `decide` with the newest state and keeps what it returns, again where somebody else was faster. */
  publish(decide: Decide): Promise<Published>;
  /** The newest state. */
  read(): Promise<Snapshot>;
  /** Paths of the files in a folder that no commit is known to hold; none outside of a repository. */
  untracked(folder: string): Promise<readonly string[]>;
}

/** How the history was kept. */
export interface Published {
  /** Name of the commit; absent where there is no repository, and where the change waits beside the branch. */
  commit?: string;
  /** Where it was kept, for people. */
  place: string;
  /** Why the branch could not take it; it waits beside the branch then. */
  refused?: Error;
  /** Things the user should know, for people. */
  notes: string[];
}

/** What a store that keeps commits needs beside the repository. */
export interface GitStoreOptions {
  clock: Clock;
  /** Runs an action while no other run of this folder does. */
  exclusively<T>(action: () => Promise<T>): Promise<T>;
  /** Whether nothing may be written, no ref, no index and no file; only {@linkcode Store.read} is asked for. */
  readOnly?: boolean;
  /** Whether no remote is asked: what is known here has to do. Only for reading. */
  offline?: boolean;
  /** Tells of trouble that the store gets over. */
  warn(text: string): void;
}
