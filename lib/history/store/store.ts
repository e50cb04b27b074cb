import type { Clock } from "../../io/clock.ts";
import type { Author } from "../../git/objects.ts";
import { dirname } from "node:path/posix";

/** Capabilities of a store; refusals of a remote are learnt while publishing. */
export interface Capabilities {
  /** True if the run state goes into the pending ref; without a remote that takes it, into files. */
  takesRef: boolean;
  /** True unless the remote refuses commits on the branch, as a protected one does. */
  commits: boolean;
  /** True if the store keeps pending texts on this machine, whatever the remote takes. */
  keeps?: boolean;
  /** True if nothing could be published, so that a change is kept on this machine alone. */
  isRefused?: boolean;
}

/** Files of a history, by paths from the monitored folder. */
export interface HistoryFiles {
  /** Texts by path, in the order of the paths; those without a file are missing. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Names of the files in a folder; an empty path is the monitored folder. */
  list(folder: string): Promise<readonly string[]>;
  /** Paths, from a folder, of the files in it and its sub-folders. */
  listAll(folder: string): Promise<readonly string[]>;
  /** Contents, by path, of the wanted files in a folder and its sub-folders. */
  readAll(
    folder: string,
    isWanted: (path: string) => boolean,
  ): Promise<ReadonlyMap<string, Uint8Array>>;
}

/** The history at one moment. */
export interface Snapshot extends HistoryFiles {
  /** Identifies this state; absent if files may change under it. */
  readonly version?: string;
  readonly capabilities: Capabilities;
  readonly pending: PendingTexts;
}

export interface PendingTexts {
  /** By name; empty if nothing is pending. */
  texts: ReadonlyMap<string, string>;
  /** True if the remote has answered that nothing is pending for any branch. */
  isEmpty?: boolean;
  /** True if the remote did not answer, so that something may be pending. */
  isUnknown?: boolean;
}

export interface Change {
  /** Id of the run, 8 hexadecimal digits. */
  run: string;
  time: Temporal.Instant;
  /** Whole contents of the files that change, by path; `null` removes one. Without any there is no commit. */
  files: ReadonlyMap<string, string | Uint8Array | null>;
  /** All texts of the pending ref, by name; absent if they stay as they are. */
  pending?: ReadonlyMap<string, string>;
  /** True if a store may keep the pending texts on this machine for some minutes: nobody else needs them yet. */
  canWait?: boolean;
  message: string;
  author: Author;
}

/** Turns the newest state into a change; `undefined` if nothing is left to do. */
export type Decide = (snapshot: Snapshot) => Promise<Change | undefined>;

/** A text that a location has sent, or the number of its bytes if that is too large to be read. */
export type SentText = string | number;

export interface Store {
  /** The place for people, as far as it is known. */
  readonly place: string;
  /** Calls `decide` with the newest state and publishes the result; again if another run was faster. */
  publish(decide: Decide): Promise<Published>;
  read(): Promise<Snapshot>;
  /** Paths of the files in a folder that git does not track; none outside of a repository. */
  untracked(folder: string): Promise<readonly string[]>;
  /** Texts that locations have sent, by the id of the location, as of the last read; absent without a remote. */
  readSent?(): Promise<ReadonlyMap<string, readonly SentText[]>>;
  /** Has git track files, so that a commit of the same contents does not collide with them. */
  track(paths: readonly string[]): Promise<void>;
}

export interface Published {
  /** Name of the commit; absent outside of a repository, and if the change is in the pending ref. */
  commit?: string;
  place: string;
  /** Identifies the state after the change, if it is known. */
  version?: string;
  /** The reason why the branch refused the change, which is in the pending ref then. */
  refused?: Error;
  notes: string[];
}

export interface GitStoreOptions {
  clock: Clock;
  /** Runs an action while no other run of this folder does. */
  exclusively<T>(action: () => Promise<T>): Promise<T>;
  /** True if nothing may be written, no ref either. */
  readOnly?: boolean;
  /** True if what locations have sent is fetched as well. @default Never */
  withLocations?(): boolean;
  /** True if the remote is not contacted; for reading only. */
  offline?: boolean;
  /** Milliseconds for which the last answer of the remote, or none, counts as the newest state. @default 0 */
  maxAge?: number;
  /** Reports trouble that the store gets over. */
  warn(text: string): void;
}

/** Overlays a snapshot with files that are not on the branch: refused by the remote, or not written yet. */
export function overlayFiles(snapshot: Snapshot, files?: ReadonlyMap<string, string>): Snapshot {
  if (files === undefined || files.size === 0) return snapshot;
  const own = (isWanted: (path: string) => boolean) =>
    [...files].filter(([path]) => isWanted(path));
  return {
    version: snapshot.version,
    capabilities: snapshot.capabilities,
    pending: snapshot.pending,
    async read(paths) {
      const texts = await snapshot.read(paths);
      return new Map(paths.flatMap((path): [string, string][] => {
        const text = files.get(path) ?? texts.get(path);
        return text === undefined ? [] : [[path, text]];
      }));
    },
    async list(folder) {
      const names = own((path) => dirname(path) === folder)
        .map(([path]) => path.slice(folder.length + 1));
      return [...new Set([...await snapshot.list(folder), ...names])];
    },
    async listAll(folder) {
      const names = own((path) => path.startsWith(`${folder}/`))
        .map(([path]) => path.slice(folder.length + 1));
      return [...new Set([...await snapshot.listAll(folder), ...names])];
    },
    async readAll(folder, isWanted) {
      const texts = own((path) => path.startsWith(`${folder}/`) && isWanted(path));
      const encoder = new TextEncoder();
      return new Map([
        ...await snapshot.readAll(folder, isWanted),
        ...texts.map(([path, text]) => [path, encoder.encode(text)] as const),
      ]);
    },
  };
}
