import * as v from "valibot";
import { Buffer } from "node:buffer";
import type { FileTree, TreeNames } from "../io/file_tree.ts";
import { createHash } from "node:crypto";
import { time } from "../history/time_value.ts";
import { formatTime } from "../time.ts";

/** A file of the page, by its path from the top. */
export type PageFile = readonly [path: string, content: string | Uint8Array];

/** What keeping a page takes. */
interface KeepExportOptions {
  tree: FileTree;
  /** Whether nothing is written. */
  dryRun: boolean;
  /** Files that say when the page was built, given the digests of all others. */
  built(others: readonly string[]): Iterable<PageFile>;
  /** Is told of each file. */
  onProgress?(done: number): void;
}

/** What became of a page, or would. */
export interface KeptExport {
  /** Number of its files. */
  files: number;
  /** Number of those that are shown as pages. */
  pages: number;
  /** Paths of those with another content than before, with their lengths in bytes. */
  written: ReadonlyMap<string, number>;
  /** Paths of those that are no longer part of it. */
  removed: readonly string[];
}

/** At the top, what others keep a folder of a repository with. */
const NEVER_OURS = /^\.git(?:\/|$)/;

/**
 * Makes a folder hold the files of a page and no others. What does not differ is not touched, so that
 * the same page leaves all as it is. Files are asked for one by one: of thousands never all are held.
 *
 * @throws {Error} Where something stands in the way of a file, or a path leads out of the folder.
 */
export async function keepExport(
  files: Iterable<PageFile>,
  { tree, dryRun, built, onProgress }: KeepExportOptions,
): Promise<KeptExport> {
  const names = tree.names();
  const [held, folders] = [new Set(names.files), new Set(names.folders)];
  const others = new Set(names.others);
  const stale = new Set([...held, ...others].filter((path) => !NEVER_OURS.test(path)));
  const isSame = (path: string, content: Uint8Array) => {
    const before = held.has(path) ? tree.read(path) : undefined;
    return before !== undefined && Buffer.compare(before, content) === 0;
  };
  const isClear = (path: string) =>
    !folders.has(path) && !foldersOf(path).some((one) => held.has(one) || others.has(one));
  const paths = new Set<string>();
  const written = new Map<string, number>();
  // What is in the way of a file has to go before it.
  const waiting: [path: string, content: Uint8Array][] = [];
  using writer = tree.writer();
  const keep = async (path: string, content: Uint8Array) => {
    assertInside(path);
    paths.add(path);
    stale.delete(path);
    onProgress?.(paths.size);
    if (isSame(path, content)) return;
    written.set(path, content.length);
    if (dryRun) return;
    if (held.has(path)) {
      await writer.settle();
      await tree.replace(path, content);
    } else if (isClear(path)) await writer.write(path, content);
    else waiting.push([path, content.slice()]);
  };
  const bytesOf = encoder();
  const digests: string[] = [];
  for (const [path, given] of files) {
    const content = bytesOf(given);
    digests.push(fileDigest([path, content]));
    await keep(path, content);
  }
  // Where a file can't be written the page does not say that it is another, and nothing goes.
  await writer.settle();
  for (const [path, content] of built(digests)) await keep(path, bytesOf(content));
  await writer.settle();
  if (!dryRun) {
    removeStale(tree, { names, stale, paths });
    for (const [path, content] of waiting) await writer.write(path, content);
    await writer.settle();
  }
  const pages = [...paths].filter((path) => path.endsWith(".html")).length;
  return { files: paths.size, pages, written, removed: [...stale].sort() };
}

/** Removes what is no part of a page, and the folders that nothing of it lies in. */
function removeStale(
  tree: FileTree,
  { names, stale, paths }: {
    names: TreeNames;
    stale: ReadonlySet<string>;
    paths: ReadonlySet<string>;
  },
): void {
  for (const path of stale) tree.remove(path);
  // A first page needn't look for the folders of thousands of files.
  if (names.folders.length === 0) return;
  const needed = new Set([...paths].flatMap(foldersOf));
  for (const folder of names.folders.toReversed()) {
    if (!needed.has(folder) && !NEVER_OURS.test(folder)) tree.removeFolder(folder);
  }
}

/** Makes texts into bytes, each where the one before was: memory for thousands of pages would take longer. */
function encoder(): (content: string | Uint8Array) => Uint8Array {
  const utf8 = new TextEncoder();
  let room = new Uint8Array();
  return (content) => {
    if (typeof content !== "string") return content;
    const most = 3 * content.length;
    if (room.length < most) room = new Uint8Array(most);
    return room.subarray(0, utf8.encodeInto(content, room).written);
  };
}

function assertInside(path: string): void {
  if (path.split("/").some((part) => /^\.{0,2}$|[\0\\]/.test(part))) {
    throw new Error(`Cannot write a page as ${JSON.stringify(path)}: that is no path in the page`);
  }
}

/** Tells one file from all others. */
export function fileDigest([path, content]: PageFile): string {
  return createHash("sha256").update(`${path}\0`).update(content).digest("hex");
}

/**
 * Tells files from all others, whatever their order, given the digest of each.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const [one, other] = [fileDigest(["a.html", "A"]), fileDigest(["b.html", "B"])];
 * assertEquals(digestOf([one, other]), digestOf([other, one]));
 * ```
 */
export function digestOf(files: Iterable<string>): string {
  return createHash("sha256").update([...files].sort().join("\n")).digest("hex");
}

/** What the page says of itself, for programs. */
interface Build {
  /** When it was built: when it last became another. */
  built: Temporal.Instant;
  /** The last check that it shows; absent where there was none. */
  checks?: Temporal.Instant;
  /** The program that built it, and its version. */
  generator: string;
  /** Tells the page from others: of all its files but this one. */
  digest: string;
}

/** What a page is known by later. */
export type KnownBuild = Pick<Build, "built" | "digest">;

const BUILD = v.pipe(v.string(), v.parseJson(), v.object({ built: time(), digest: v.string() }));

/**
 * What the text of the file says; `undefined` where that is none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const built = Temporal.Instant.from("2026-11-21T10:06:00Z");
 * const build = { built, generator: "monitor-action v1.41.0", digest: "9f3c01ab" };
 * assertEquals(readBuild(formatBuild(build)), { built, digest: "9f3c01ab" });
 * assertEquals(readBuild("[]"), undefined);
 * ```
 */
export function readBuild(text: string): KnownBuild | undefined {
  const read = v.safeParse(BUILD, text);
  return read.success ? read.output : undefined;
}

/** The text of the file. */
export function formatBuild({ built, checks, generator, digest }: Build): string {
  const times = {
    built: formatTime(built),
    checks: checks === undefined ? null : formatTime(checks),
  };
  return `${JSON.stringify({ ...times, generator, digest })}\n`;
}

/** The folders that a file lies in, the outermost first. */
export function foldersOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}
