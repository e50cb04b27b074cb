import type { Snapshot } from "./store/store.ts";
import { streamTexts } from "./store/files_store.ts";

/** Overlays a snapshot with files that are not on the branch: refused by the remote, or not written yet. */
export function overlayFiles(snapshot: Snapshot, files?: ReadonlyMap<string, string>): Snapshot {
  if (files === undefined || files.size === 0) return snapshot;
  return {
    version: snapshot.version,
    capabilities: snapshot.capabilities,
    pending: snapshot.pending,
    readAll: (folder, isWanted) => snapshot.readAll(folder, isWanted),
    readBytes: (paths) => snapshot.readBytes(paths),
    async read(paths) {
      const own = paths.flatMap((path): [string, string][] => {
        const text = files.get(path);
        return text === undefined ? [] : [[path, text]];
      });
      return new Map([...await snapshot.read(paths), ...own]);
    },
    async *stream(paths) {
      yield* snapshot.stream(paths.filter((path) => !files.has(path)));
      yield* streamTexts(files, paths);
    },
    async list(folder) {
      const own = [...files.keys()].filter((path) =>
        path.slice(0, path.lastIndexOf("/")) === folder
      ).map((path) => path.slice(folder.length + 1));
      return [...new Set([...await snapshot.list(folder), ...own])];
    },
  };
}
