import type { Workspace } from "../doors/workspace.ts";
import type { Snapshot, Store } from "./store.ts";

/** Keeps the history as plain files, where there is no repository for it. `lock` is a file all runs share, `reason` says why, for people. */
export function filesStore(
  workspace: Workspace,
  lock: string,
  reason: string,
): Store {
  const snapshot: Snapshot = {
    ways: { pending: "none", commits: true, atomic: true },
    async read(paths) {
      const files = new Map<string, string>();
      for (const path of paths) {
        const text = await workspace.read(path);
        if (text !== undefined) files.set(path, text);
      }
      return files;
    },
    async readBytes(paths) {
      const files = new Map<string, Uint8Array>();
      for (const path of paths) {
        const content = await workspace.readBytes(path);
        if (content !== undefined) files.set(path, content);
      }
      return files;
    },
    async *stream(paths) {
      for (const path of paths) {
        const content = await workspace.readBytes(path);
        if (content !== undefined) yield [path, content];
      }
    },
    list: (folder) => workspace.list(folder),
    readAll: (folder, isWanted) => workspace.readAll(folder, isWanted),
    readPending: () => Promise.resolve({ texts: new Map() }),
  };
  const place = `files only, ${reason}`;
  return {
    place,
    read: () => Promise.resolve(snapshot),
    untracked: () => Promise.resolve([]),
    publish: (decide) =>
      workspace.exclusively(lock, async () => {
        const change = await decide(snapshot);
        for (const [path, content] of change?.files ?? []) {
          if (content === null) await workspace.remove(path);
          else await workspace.write(path, content);
        }
        return { place, notes: [] };
      }),
  };
}
