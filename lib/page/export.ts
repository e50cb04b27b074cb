import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import * as v from "valibot";
import { time } from "../history/yaml_file.ts";
import { type FileTree, listFolders } from "../io/file_tree.ts";
import { formatTime } from "../time.ts";

export type PageFile = readonly [path: string, content: string | Uint8Array];

/** Result of {@linkcode syncPage}. */
export interface SyncedPage {
  /** Numbers of all files and of HTML files. */
  files: number;
  pages: number;
  /** Lengths in bytes of new and changed files, by path. */
  written: ReadonlyMap<string, number>;
  removed: readonly string[];
}

/** A repository's own files at the top of the folder. */
const GIT_FILES = /^\.git(?:\/|$)/;

/**
 * Makes a folder contain the files of a page and no others; equal files are not touched. `built` returns the files
 * with the build time, given the digests of all others. Files are requested one by one, to save memory.
 *
 * @throws {Error} If a file can't be written, or a path leads out of the folder.
 */
export async function syncPage(
  files: Iterable<PageFile>,
  { tree, built, onProgress }: {
    tree: FileTree;
    built(others: readonly string[]): Iterable<PageFile>;
    onProgress?(done: number): void;
  },
): Promise<SyncedPage> {
  const names = tree.names();
  const [ofFiles, folders] = [new Set(names.files), new Set(names.folders)];
  const held = new Set([...names.files, ...names.others]);
  const stale = new Set([...held].filter((path) => !GIT_FILES.test(path)));
  const paths = new Set<string>();
  const written = new Map<string, number>();
  // Files whose place is taken by something that has to be removed first.
  const blocked: [path: string, content: Uint8Array][] = [];
  const write = async ([path, given]: PageFile) => {
    assertInside(path);
    const content = typeof given === "string" ? new TextEncoder().encode(given) : given;
    paths.add(path);
    stale.delete(path);
    onProgress?.(paths.size);
    const before = ofFiles.has(path) ? tree.read(path) : undefined;
    if (before !== undefined && Buffer.compare(before, content) === 0) return;
    written.set(path, content.length);
    const isBlocked = folders.has(path) || listFolders(path).some((one) => held.has(one));
    if (isBlocked) blocked.push([path, content]);
    else await tree.write(path, content);
  };
  const digests: string[] = [];
  for (const file of files) {
    digests.push(digestFile(file));
    await write(file);
  }
  // If a file can't be written, the build time stays, and nothing is removed.
  for (const file of built(digests)) await write(file);
  for (const path of stale) tree.remove(path);
  const needed = new Set([...paths].flatMap(listFolders));
  for (const folder of names.folders.toReversed()) {
    if (!needed.has(folder) && !GIT_FILES.test(folder)) tree.removeFolder(folder);
  }
  for (const [path, content] of blocked) await tree.write(path, content);
  const pages = [...paths].filter((path) => path.endsWith(".html")).length;
  return { files: paths.size, pages, written, removed: [...stale].sort() };
}

function assertInside(path: string): void {
  if (path.split("/").some((part) => /^\.{0,2}$|[\0\\]/.test(part))) {
    throw new Error(`Cannot write a page as ${JSON.stringify(path)}: that is no path in the page`);
  }
}

export function digestFile([path, content]: PageFile): string {
  return createHash("sha256").update(`${path}\0`).update(content).digest("hex");
}

/**
 * Combines the digests of files, in any order.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const [one, other] = [digestFile(["a.html", "A"]), digestFile(["b.html", "B"])];
 * assertEquals(combineDigests([one, other]), combineDigests([other, one]));
 * ```
 */
export function combineDigests(digests: Iterable<string>): string {
  return createHash("sha256").update([...digests].sort().join("\n")).digest("hex");
}

/** The build of a page, by when it last changed, and a digest of all files but `build.json`. */
export interface Build {
  built: Temporal.Instant;
  digest: string;
}

const BUILD = v.pipe(v.string(), v.parseJson(), v.object({ built: time(), digest: v.string() }));

/**
 * Parses `build.json`; `undefined` if it is something else.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const built = Temporal.Instant.from("2026-11-21T10:06:00Z");
 * const build = { built, generator: "monitor-action v1.41.0", digest: "9f3c01ab" };
 * assertEquals(parseBuild(formatBuild(build)), { built, digest: "9f3c01ab" });
 * assertEquals(parseBuild("[]"), undefined);
 * ```
 */
export function parseBuild(text: string): Build | undefined {
  const read = v.safeParse(BUILD, text);
  return read.success ? read.output : undefined;
}

/** Formats `build.json`; `checks` is the time of the last check, if there was one. */
export function formatBuild(
  { built, checks, generator, digest }: Build & { checks?: Temporal.Instant; generator: string },
): string {
  const times = {
    built: formatTime(built),
    checks: checks === undefined ? null : formatTime(checks),
  };
  return `${JSON.stringify({ ...times, generator, digest })}\n`;
}
