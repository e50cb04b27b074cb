import type { Workspace } from "../../io/workspace.ts";
import type { Snapshot } from "./store.ts";

/** What a folder holds, as a commit is read. */
export function workspaceFiles(
  workspace: Workspace,
): Pick<Snapshot, "read" | "readBytes" | "stream" | "list" | "readAll"> {
  return {
    read: (paths) => filesThere(paths, workspace.read),
    readBytes: (paths) => filesThere(paths, workspace.readBytes),
    stream: workspace.stream,
    list: workspace.list,
    readAll: workspace.readAll,
  };
}

async function filesThere<T>(
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
