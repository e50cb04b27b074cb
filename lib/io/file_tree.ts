import { join } from "node:path";
import { TreeWriter } from "./tree_writer/tree_writer.ts";
import { folderWorkspace } from "./workspace.ts";

/** What lies in a folder, by paths relative to it with `/` between their parts. */
export interface TreeNames {
  files: string[];
  /** What is neither a file nor a folder, such as a link, which is not followed. */
  others: string[];
  /** Each after the one that it lies in. */
  folders: string[];
}

/**
 * A folder with all that is in it. With thousands of small files waiting for each takes longer than
 * the files do, so nothing is waited for but the end of all.
 */
export interface FileTree {
  /** What there is; nothing where there is no such folder. */
  names(): TreeNames;
  /** The content of a file that {@linkcode names} has told of; `undefined` where it has gone. */
  read(path: string): Uint8Array | undefined;
  /** What writes files that are not there yet. */
  writer(): TreeWriter;
  /** Writes a file whole in place of what is there: whoever reads meanwhile sees the old content or the new. */
  replace(path: string, content: Uint8Array): Promise<void>;
  remove(path: string): void;
  /** Removes a folder if nothing is in it. */
  removeFolder(path: string): void;
}

/** The tree of a folder, given by its path in the one of a workspace. */
export function openTree(root: string, folder: string): FileTree {
  const workspace = folderWorkspace(root);
  const top = join(root, folder);
  // Paths are plain, and there are thousands: `join` would look at each sign of them.
  const place = (path: string) => path === "" ? top : `${top}/${path}`;
  const replace = (path: string, content: Uint8Array) =>
    workspace.write(`${folder}/${path}`, content);
  return {
    replace,
    names: () => {
      const names: TreeNames = { files: [], others: [], folders: [] };
      collect(top, "", names);
      return names;
    },
    read: (path) => unlessMissing(() => Deno.readFileSync(place(path))),
    writer: () => new TreeWriter(top, replace),
    remove: (path) => unlessMissing(() => Deno.removeSync(place(path))),
    removeFolder: (path) => {
      const names = unlessMissing(() => Deno.readDirSync(place(path)));
      if (names !== undefined && names[Symbol.iterator]().next().done) {
        unlessMissing(() => Deno.removeSync(place(path)));
      }
    },
  };
}

function collect(place: string, path: string, names: TreeNames): void {
  const entries = unlessMissing(() => [...Deno.readDirSync(join(place, path))]) ?? [];
  for (const { name, isFile, isDirectory } of entries) {
    const own = path === "" ? name : `${path}/${name}`;
    if (isFile) names.files.push(own);
    else if (!isDirectory) names.others.push(own);
    else {
      names.folders.push(own);
      collect(place, own, names);
    }
  }
}

/** What has the name of a folder of a workspace: one by itself, something else such as a link to another, or nothing. */
export function placeKind(
  root: string,
  folder: string,
): "folder" | "link" | "other" | "nothing" {
  const found = unlessMissing(() => Deno.lstatSync(join(root, folder)));
  if (found === undefined) return "nothing";
  return found.isDirectory ? "folder" : found.isSymlink ? "link" : "other";
}

function unlessMissing<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    const { NotFound, NotADirectory } = Deno.errors;
    if (error instanceof NotFound || error instanceof NotADirectory) return undefined;
    throw error;
  }
}
