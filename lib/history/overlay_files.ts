import { dirname } from "node:path/posix";
import type { Snapshot } from "./store/store.ts";

/** Overlays a snapshot with files that are not on the branch: refused by the remote, or not written yet. */
export function overlayFiles(snapshot: Snapshot, files?: ReadonlyMap<string, string>): Snapshot {
  if (files === undefined || files.size === 0) return snapshot;
  const own = (isWanted: (path: string) => boolean) =>
    [...files].filter(([path]) => isWanted(path));
  return {
    version: snapshot.version,
    capabilities: snapshot.capabilities,
    pending: snapshot.pending,
    read: async (paths) =>
      new Map([...await snapshot.read(paths), ...own((path) => paths.includes(path))]),
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
