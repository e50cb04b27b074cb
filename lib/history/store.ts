import type { Clock } from "../doors/clock.ts";
import type { Author } from "../doors/git/objects.ts";

/** The files of the history at one moment. */
export interface Snapshot {
  /** Name of the commit it shows; absent where files may change under it. */
  readonly commit?: string;
  /** Texts by path; paths without a file are missing. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Names of the files in a folder. */
  list(folder: string): Promise<readonly string[]>;
}

/** What one run adds to the history. */
export interface Change {
  /** The run's own name, 8 hexadecimal digits. */
  run: string;
  time: Temporal.Instant;
  /** Whole texts of the files that change, by path. */
  files: ReadonlyMap<string, string>;
  message: string;
  author: Author;
}

/** Where and how the history is kept. */
export interface Store {
  /** Where the history goes as far as is known, for people. */
  readonly place: string;
  /** Calls `decide` with the newest state and keeps what it returns, again where somebody else was faster. */
  publish(decide: (snapshot: Snapshot) => Promise<Change>): Promise<Published>;
  /** The newest state. */
  read(): Promise<Snapshot>;
  /** Paths of the files in a folder that no commit is known to hold; none outside of a repository. */
  untracked(folder: string): Promise<readonly string[]>;
}

/** How the history was kept. */
export interface Published {
  /** Name of the commit; absent where there is no repository. */
  commit?: string;
  /** Where it was kept, for people. */
  place: string;
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
  /** Tells of trouble that the store gets over. */
  warn(text: string): void;
}
