import type { Workspace } from "../../io/workspace.ts";
import type { Snapshot, Store } from "./store.ts";
import { workspaceFiles } from "./workspace_files.ts";

/** Keeps the history as plain files, where there is no repository for it. `lock` is a file all runs share, `reason` says why, for people. */
export function filesStore(
  workspace: Workspace,
  lock: string,
  reason: string,
): Store {
  const snapshot: Snapshot = {
    ways: { pending: "none", commits: true, atomic: true },
    ...workspaceFiles(workspace),
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
