import type { Change, Decide, Published, Snapshot, Store } from "../../lib/history/store/store.ts";

/** A commit in a {@linkcode MemoryStore}. */
export interface MemoryCommit {
  time: Temporal.Instant;
  message: string;
  /** Of the files that it changed. */
  paths: string[];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A store in memory with a branch and pending files as texts, like a remote that accepts every push. */
export class MemoryStore implements Store {
  readonly place = "memory";
  readonly commits: MemoryCommit[] = [];
  /** Pending texts, by name. */
  pending: ReadonlyMap<string, string> = new Map();
  readonly #files = new Map<string, string>();
  /** Names by folder, of the newest commit. */
  readonly #folders = new Map<string, Set<string>>();
  readonly #commit: (change: Change) => Promise<void>;
  #changes = 0;

  /** `commit` is called for each change that makes a commit. */
  constructor(commit: (change: Change) => Promise<void> = () => Promise.resolve()) {
    this.#commit = commit;
  }

  /** Files of the newest commit: texts by path. */
  get files(): ReadonlyMap<string, string> {
    return this.#files;
  }

  /** The newest state; it is not to be read any more once a change was published. */
  read(): Promise<Snapshot> {
    const files = this.#files;
    const folders = this.#folders;
    const pending = this.pending;
    return Promise.resolve({
      version: String(this.#changes),
      capabilities: { takesRef: true, commits: true },
      pending: { texts: pending, isEmpty: pending.size === 0 },
      read: (paths) => Promise.resolve(new Map(paths.flatMap((path) => entryOf(files, path)))),
      list: (folder) => Promise.resolve([...folders.get(folder) ?? []]),
      listAll: (folder) =>
        Promise.resolve(
          [...files.keys()].filter((path) => path.startsWith(`${folder}/`))
            .map((path) => path.slice(folder.length + 1)),
        ),
      readAll: (folder, isWanted) =>
        Promise.resolve(
          new Map(
            [...files].filter(([path]) => path.startsWith(`${folder}/`) && isWanted(path))
              .map(([path, text]) => [path, encoder.encode(text)]),
          ),
        ),
    });
  }

  untracked(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }

  track(): Promise<void> {
    return Promise.resolve();
  }

  async publish(decide: Decide): Promise<Published> {
    const published = { place: this.place, notes: [] };
    const change = await decide(await this.read());
    if (change === undefined) return published;
    this.#changes++;
    this.pending = change.pending ?? this.pending;
    if (change.files.size === 0) return published;
    for (const [path, content] of change.files) this.#put(path, content);
    const { time, message } = change;
    this.commits.push({ time, message, paths: [...change.files.keys()] });
    await this.#commit(change);
    return { ...published, commit: String(this.commits.length) };
  }

  #put(path: string, content: string | Uint8Array | null): void {
    const end = path.lastIndexOf("/");
    const folder = path.slice(0, Math.max(0, end));
    const names = this.#folders.get(folder) ?? new Set();
    this.#folders.set(folder, names);
    if (content === null) {
      this.#files.delete(path);
      names.delete(path.slice(end + 1));
    } else {
      this.#files.set(path, typeof content === "string" ? content : decoder.decode(content));
      names.add(path.slice(end + 1));
    }
  }
}

function entryOf(files: ReadonlyMap<string, string>, path: string): [string, string][] {
  const text = files.get(path);
  return text === undefined ? [] : [[path, text]];
}
