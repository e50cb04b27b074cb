import { basename, dirname, join } from "node:path";
import { UsageError } from "../text/arguments.ts";
import { findMeant } from "../text/nearest.ts";
import { createInsideAssertion } from "./inside.ts";

/** Files of a folder, by paths with `/`. A file that can't be read or written is an error with its cure. */
export interface Workspace {
  /** The text of a file; `undefined` if it is missing. */
  read(path: string): Promise<string | undefined>;
  /** The content of a file; `undefined` if it is missing. */
  readBytes(path: string): Promise<Uint8Array | undefined>;
  /** The bytes that a file has, without reading it; `undefined` if it is missing. */
  size(path: string): Promise<number | undefined>;
  /** Names of the files in a folder; none if it is missing. */
  list(folder: string): Promise<string[]>;
  /** Paths, from a folder, of the files in it and in the folders within it; none if it is missing. */
  listAll(folder: string): Promise<string[]>;
  /** Contents, by path, of those files in a folder and in the folders within it that are wanted. */
  readAll(folder: string, isWanted: (path: string) => boolean): Promise<Map<string, Uint8Array>>;
  /**
   * Writes a file atomically: readers see the old content or the new.
   *
   * @throws {Error} If the file can't be written, or a link leads out of the folder.
   */
  write(path: string, content: string | Uint8Array): Promise<void>;
  /** True if a file, folder or link has the name, even a broken link. */
  has(path: string): Promise<boolean>;
  remove(path: string): Promise<void>;
  /** Runs `action` while no other process of this program does so for the same file. */
  exclusively<T>(path: string, action: () => Promise<T>): Promise<T>;
}

export function folderWorkspace(root: string): Workspace {
  const assertInside = createInsideAssertion(root);
  return {
    read: (path) => unlessUnread(path, Deno.readTextFile(join(root, path))),
    readBytes: (path) => unlessUnread(path, Deno.readFile(join(root, path))),
    size: (path) => unlessUnread(path, Deno.stat(join(root, path)).then(({ size }) => size)),
    async list(folder) {
      const names: string[] = [];
      const entries = Deno.readDir(join(root, folder));
      await unlessUnread(
        folder,
        (async () => {
          for await (const entry of entries) if (entry.isFile) names.push(entry.name);
        })(),
      );
      return names.sort();
    },
    async listAll(folder) {
      const paths = await filesUnder(root, folder);
      return paths.map((path) => path.slice(folder.length + 1));
    },
    async readAll(folder, isWanted) {
      const files = new Map<string, Uint8Array>();
      for (const path of (await filesUnder(root, folder)).filter(isWanted)) {
        const content = await unlessUnread(path, Deno.readFile(join(root, path)));
        if (content !== undefined) files.set(path, content);
      }
      return files;
    },
    async write(path, content) {
      assertInside(path, "write");
      const target = join(root, path);
      const temporary = `${target}.${crypto.randomUUID().slice(0, 8)}.tmp`;
      // A page has thousands of files, and waiting for each step takes longer than the step.
      try {
        Deno.mkdirSync(dirname(target), { recursive: true });
        if (typeof content === "string") Deno.writeTextFileSync(temporary, content);
        else Deno.writeFileSync(temporary, content);
        Deno.renameSync(temporary, target);
      } catch (error) {
        await unlessMissing(Deno.remove(temporary), undefined);
        throw await toWriteError(root, path, error);
      }
    },
    has: (path) => unlessMissing(Deno.lstat(join(root, path)).then(() => true), false),
    async remove(path) {
      assertInside(path, "remove");
      await unlessMissing(Deno.remove(join(root, path)), undefined);
    },
    async exclusively(path, action) {
      using file = await Deno.open(join(root, path));
      await file.lock(true);
      return await action();
    },
  };
}

/**
 * Refuses a folder that does not exist, and names the one beside it that is probably meant. Nothing is known of a folder
 * that the program may not read.
 *
 * @throws {UsageError} If the path, given as `typed`, leads to a file or, unless it may be missing, to nothing.
 */
export async function assertFolder(
  path: string,
  typed: string,
  { mayBeMissing }: { mayBeMissing: boolean },
): Promise<void> {
  const info = await unlessMissing(unlessNotAllowed(Deno.stat(path)), null);
  if (info === undefined || info?.isDirectory === true || info === null && mayBeMissing) return;
  if (info !== null) throw new UsageError(`Cannot work in ${typed}: it is a file, not a folder`);
  const near = findMeant(basename(path), await listFolderNames(dirname(path)));
  const hint = near === undefined ? "" : `, did you mean "${join(dirname(typed), near)}"?`;
  throw new UsageError(`Cannot find ${typed}: the folder does not exist${hint}`);
}

/** Names of the folders in a folder; none if it is missing or may not be read. */
async function listFolderNames(path: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name, isFile } of Deno.readDir(path)) if (!isFile) names.push(name);
  } catch {
    // Only the hint is lost.
  }
  return names.sort();
}

/**
 * Finds the nearest folder with one of some files, from `start` up to the top of its repository. `isForbidden`
 * is true if the search ended at a folder that the program may not read.
 */
export async function findFolder(
  start: string,
  files: readonly string[],
): Promise<{ folder?: string; isForbidden: boolean }> {
  const isThere = (folder: string) => (file: string) => folderWorkspace(folder).has(file);
  try {
    for (let folder = start;; folder = dirname(folder)) {
      const found = await Promise.all(files.map(isThere(folder)));
      if (found.includes(true)) return { folder, isForbidden: false };
      if (dirname(folder) === folder || await isThere(folder)(".git")) break;
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
    return { isForbidden: true };
  }
  return { isForbidden: false };
}

/** Paths of the files in a folder and in the folders within it; links are not followed. */
async function filesUnder(root: string, folder: string): Promise<string[]> {
  const paths: string[] = [];
  const look = async () => {
    for await (const { name, isFile, isDirectory } of Deno.readDir(join(root, folder))) {
      if (isFile) paths.push(`${folder}/${name}`);
      else if (isDirectory) paths.push(...await filesUnder(root, `${folder}/${name}`));
    }
  };
  await unlessUnread(folder, look());
  return paths.sort();
}

/** The error of a write with its cure, if a part of the path is in the way or its folder can't be written. */
async function toWriteError(root: string, path: string, cause: unknown): Promise<unknown> {
  const obstacle = await obstacleTo(root, path);
  if (obstacle !== undefined) {
    return new Error(`Cannot write ${path}: ${obstacle}; move it away`, { cause });
  }
  const folder = await nearestFolder(join(root, path));
  if (cause instanceof Deno.errors.PermissionDenied) {
    const reason = `you have no permission to write in ${folder}; change its owner or rights`;
    return new Error(`Cannot write ${path}: ${reason}`, { cause });
  }
  if (cause instanceof Error && "code" in cause && cause.code === "EROFS") {
    const reason = `the file system of ${folder} is read-only; work in a copy elsewhere`;
    return new Error(`Cannot write ${path}: ${reason}`, { cause });
  }
  return cause;
}

async function nearestFolder(path: string): Promise<string> {
  const folder = dirname(path);
  const isThere = await unlessMissing(Deno.stat(folder).then(() => true), false);
  return isThere || dirname(folder) === folder ? folder : await nearestFolder(folder);
}

/** The obstacle on the path to a file, if a part of it is of the wrong kind. */
async function obstacleTo(root: string, path: string): Promise<string | undefined> {
  const parts = path.split("/");
  for (let length = 1; length <= parts.length; length++) {
    const part = parts.slice(0, length).join("/");
    const found = await unlessMissing(Deno.stat(join(root, part)), undefined);
    if (found === undefined) return undefined;
    const isWhole = length === parts.length;
    if (isWhole && found.isDirectory) return `${part} is a folder`;
    if (!isWhole && !found.isDirectory) return `${part} is a file`;
  }
  return undefined;
}

/** The result of reading; `undefined` if the file is missing. A missing permission is an error with its cure. */
async function unlessUnread<T>(path: string, reading: Promise<T>): Promise<T | undefined> {
  const { FilesystemLoop, IsADirectory, PermissionDenied } = Deno.errors;
  try {
    return await unlessMissing(reading, undefined);
  } catch (error) {
    if (error instanceof FilesystemLoop) {
      throw new Error(`Cannot read ${path}: a link on the way leads back to itself; remove it`, {
        cause: error,
      });
    }
    if (error instanceof IsADirectory) {
      throw new Error(`Cannot read ${path}: that is a folder; put a file in its place`, {
        cause: error,
      });
    }
    if (error instanceof PermissionDenied) {
      const reason =
        "you have no permission to read it; change its rights, or those of its folders";
      throw new Error(`Cannot read ${path}: ${reason}`, { cause: error });
    }
    throw error;
  }
}

/** The result of reading; `undefined` if this program lacks the permission. */
export async function unlessNotAllowed<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return undefined;
    throw error;
  }
}

/** A path through a file is missing like a path through a missing folder. */
async function unlessMissing<T>(work: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return otherwise;
    }
    throw error;
  }
}

/**
 * Holds a file, which is created if it is missing, until the result is disposed of; `undefined` if another process
 * holds it.
 *
 * @throws {UsageError} If the program has no permission to write in its folder.
 */
export async function holdFile(root: string, path: string): Promise<Disposable | undefined> {
  await assertWritable(root);
  const file = await createFile(root, path);
  if (await file.tryLock(true)) return file;
  file.close();
  return undefined;
}

/** Returns when a file was last changed; `undefined` if it is missing. */
export async function readFileTime(path: string): Promise<Temporal.Instant | undefined> {
  const found = await unlessMissing(Deno.stat(path), undefined);
  return found?.mtime?.toTemporalInstant();
}

export async function setFileTime(path: string, time: Temporal.Instant): Promise<void> {
  const moment = new Date(time.epochMilliseconds);
  await Deno.utime(path, moment, moment);
}

/**
 * Holds a file, which is created if it is missing, together with others during an action; before that runs `alone` if
 * nobody else holds it. Where no file may be written, the action runs without it.
 */
export async function holdTogether<T>(
  root: string,
  path: string,
  { alone, action }: { alone(): Promise<void>; action(): Promise<T> },
): Promise<T> {
  using file = await createFile(root, path).catch(() => undefined);
  if (file !== undefined && await file.tryLock(true)) {
    await alone();
    await file.unlock();
  }
  await file?.lock(false);
  return await action();
}

async function createFile(root: string, path: string): Promise<Deno.FsFile> {
  createInsideAssertion(root)(path, "write");
  try {
    await Deno.mkdir(dirname(join(root, path)), { recursive: true });
    return await Deno.open(join(root, path), { write: true, create: true });
  } catch (error) {
    throw await toWriteError(root, path, error);
  }
}

/**
 * Fails early if the folder is not writable.
 *
 * @throws {UsageError} If the program has no permission to write in the folder.
 */
export async function assertWritable(root: string): Promise<void> {
  if (await mayWrite(root)) return;
  const cure = root.includes(",")
    ? "a comma in the name of a folder ends a permission of Deno; rename the folder, or work in a copy"
    : "a task may write only in the folder it is run from; run it in that folder";
  throw new UsageError(`Cannot write in ${root}: ${cure}`);
}

export async function mayWrite(root: string): Promise<boolean> {
  const { state } = await Deno.permissions.query({ name: "write", path: root });
  return state === "granted";
}
