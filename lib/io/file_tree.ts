import { join } from "node:path";
import { folderWorkspace } from "./workspace.ts";

/** Contents of a folder: paths relative to it, with `/` between their parts. */
interface TreeNames {
  files: string[];
  /** Neither files nor folders, such as links, which are not followed. */
  others: string[];
  /** Parents come before their children. */
  folders: string[];
}

/** A folder with all that is in it. Most calls are synchronous: for thousands of small files that is faster. */
export interface FileTree {
  /** The contents; empty if the folder is missing. */
  names(): TreeNames;
  /** Reads a file; `undefined` if it is missing. */
  read(path: string): Uint8Array | undefined;
  writer(): FileWriter;
  /** Replaces a file atomically. */
  replace(path: string, content: Uint8Array): Promise<void>;
  remove(path: string): void;
  /** Removes a folder if nothing is in it. */
  removeFolder(path: string): void;
}

/** Opens a folder, given by its path in a workspace. */
export function openTree(root: string, folder: string): FileTree {
  const workspace = folderWorkspace(root);
  const top = join(root, folder);
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
    writer: () => new FileWriter(top, replace),
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

/** Files that are written at once. */
const AT_ONCE = 16;

/** Writes new files into a folder, several at once; after an error it starts no more. */
class FileWriter {
  readonly #top: string;
  readonly #replace: FileTree["replace"];
  readonly #folders = new Map<string, Promise<void>>();
  readonly #writing = new Set<Promise<void>>();
  #error: unknown;

  constructor(top: string, replace: FileTree["replace"]) {
    this.#top = top;
    this.#replace = replace;
  }

  /**
   * Starts writing a file, given its path in the folder.
   *
   * @throws {Error} If an earlier file couldn't be written.
   */
  async write(path: string, content: Uint8Array): Promise<void> {
    while (this.#writing.size >= AT_ONCE) await Promise.race(this.#writing);
    if (this.#error !== undefined) throw this.#error;
    const writing: Promise<void> = this.#create(path, content)
      .catch((error) => void (this.#error ??= error))
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  /**
   * Waits for all files.
   *
   * @throws {Error} If one couldn't be written.
   */
  async settle(): Promise<void> {
    await Promise.all(this.#writing);
    if (this.#error !== undefined) throw this.#error;
  }

  async #create(path: string, content: Uint8Array): Promise<void> {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    const made = this.#folders.get(folder) ??
      Deno.mkdir(`${this.#top}/${folder}`, { recursive: true });
    this.#folders.set(folder, made);
    try {
      await made;
      await Deno.writeFile(`${this.#top}/${path}`, content, { createNew: true });
    } catch {
      // It says what is in the way.
      await this.#replace(path, content);
    }
  }
}

/** Returns the kind of the entry at a folder's path in a workspace. */
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
