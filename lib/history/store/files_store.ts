import type { Workspace } from "../../io/workspace.ts";
import type { Capabilities, HistoryFiles, Snapshot, Store } from "./store.ts";

/** Capabilities without a remote. */
export const LOCAL: Capabilities = { pendingRef: "none", commits: true };

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
    read: (paths) => readEach(paths, workspace.read),
    readBytes: (paths) => readEach(paths, workspace.readBytes),
    stream: workspace.stream,
    list: workspace.list,
    readAll: workspace.readAll,
  };
}

async function readEach<T>(
  paths: readonly string[],
  read: (path: string) => Promise<T | undefined>,
): Promise<Map<string, T>> {
  const files = new Map<string, T>();
  for (const path of paths) {
    const content = await read(path);
    if (content !== undefined) files.set(path, content);
  }
  return files;
}

/** Texts as a snapshot streams files; paths without one are missing. */
export async function* streamTexts(
  texts: ReadonlyMap<string, string>,
  paths: readonly string[],
): AsyncGenerator<readonly [path: string, content: Uint8Array]> {
  const encoder = new TextEncoder();
  for (const path of paths) {
    const text = texts.get(path);
    if (text !== undefined) yield [path, encoder.encode(text)];
  }
}
