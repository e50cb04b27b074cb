import { join } from "node:path";
import { createInsideAssertion, unlessMissingSync } from "./inside.ts";
import { folderWorkspace } from "./workspace.ts";

/** A folder with all that is in it, by paths relative to it with `/` between their parts. */
export interface FileTree {
  /** The contents, parents first; none if the folder is missing. `others` are links and the like. */
  names(): { files: string[]; folders: string[]; others: string[] };
  /** Reads a file; `undefined` if it is missing. */
  read(path: string): Uint8Array | undefined;
  /**
   * Writes a file atomically: readers see the old content or the new.
   *
   * @throws {Error} If the file can't be written.
   */
  write(path: string, content: Uint8Array): Promise<void>;
  remove(path: string): void;
  removeFolder(path: string): void;
}

export function openTree(root: string, folder: string): FileTree {
  const workspace = folderWorkspace(root);
  const assertInside = createInsideAssertion(root);
  const place = (path: string) => join(root, folder, path);
  const entries = (path: string) =>
    unlessMissingSync(() => [...Deno.readDirSync(place(path))]) ?? [];
  return {
    names() {
      const names: ReturnType<FileTree["names"]> = { files: [], folders: [], others: [] };
      const collect = (path: string) => {
        for (const { name, isFile, isDirectory } of entries(path)) {
          const own = path === "" ? name : `${path}/${name}`;
          (isFile ? names.files : isDirectory ? names.folders : names.others).push(own);
          if (isDirectory) collect(own);
        }
      };
      collect("");
      return names;
    },
    read: (path) => unlessMissingSync(() => Deno.readFileSync(place(path))),
    write: (path, content) => workspace.write(`${folder}/${path}`, content),
    remove(path) {
      assertInside(`${folder}/${path}`, "remove");
      unlessMissingSync(() => Deno.removeSync(place(path)));
    },
    removeFolder(path) {
      if (entries(path).length === 0) this.remove(path);
    },
  };
}

export function placeKind(
  root: string,
  folder: string,
): "folder" | "link" | "other" | "nothing" {
  const found = unlessMissingSync(() => Deno.lstatSync(join(root, folder)));
  if (found === undefined) return "nothing";
  return found.isDirectory ? "folder" : found.isSymlink ? "link" : "other";
}

/** Lists the folders around a path, the outermost first. */
export function listFolders(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}
