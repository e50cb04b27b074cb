import type { Workspace } from "../../io/workspace.ts";
import type { Capabilities, HistoryFiles, Snapshot, Store } from "./store.ts";

/** Capabilities without a remote. */
export const LOCAL: Capabilities = { takesRef: false, commits: true };

/** Stores the history as plain files without a repository. `lock` is a file that all runs share. */
export function filesStore(workspace: Workspace, lock: string, reason: string): Store {
  const snapshot: Snapshot = {
    capabilities: LOCAL,
    pending: { texts: new Map() },
    ...workspaceFiles(workspace),
  };
  const place = `files only, ${reason}`;
  return {
    place,
    read: () => Promise.resolve(snapshot),
    untracked: () => Promise.resolve([]),
    track: () => Promise.resolve(),
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

/** The files of a folder, as those of a commit are read. */
export function workspaceFiles(workspace: Workspace): HistoryFiles {
  return {
    async read(paths) {
      const files = new Map<string, string>();
      for (const path of paths) {
        const text = await workspace.read(path);
        if (text !== undefined) files.set(path, text);
      }
      return files;
    },
    list: workspace.list,
    listAll: workspace.listAll,
    readAll: workspace.readAll,
  };
}
