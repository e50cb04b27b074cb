import { createHash } from "node:crypto";
import { join } from "node:path";
import { dirname } from "node:path/posix";
import { FileReader } from "../io/file_reader.ts";
import type { Git } from "./git.ts";

/** A file of a commit that the work tree seems to hold. */
export interface HeldFile {
  /** In bytes. */
  size: number;
  /** Name of the blob that its content has to have; absent where git takes it for that one without a look. */
  blob?: string;
}

/**
 * Those files of a commit that the work tree seems to hold as they are there, by path from the top. git
 * tells of most without a look into them; of a copied folder it knows none, and only contents can tell.
 */
export async function heldFiles(
  { git, top }: { git: Git; top: string },
  commit: string,
  paths: readonly string[],
): Promise<Map<string, HeldFile>> {
  const folders = [...new Set(paths.map(dirname))];
  const [changed, ...listed] = await Promise.all([
    git.maybe([
      ...["diff-index", "--name-only", "--no-renames", "--ignore-submodules", "-z", commit, "--"],
      ...folders.map((folder) => `:(literal)${folder}`),
    ]),
    ...folders.map((folder) =>
      git.maybe(["ls-tree", "-l", "-z", "--full-tree", commit, `${folder}/`])
    ),
  ]);
  const wanted = new Set(paths);
  const others = changed === undefined ? wanted : new Set(changed.split("\0"));
  const held = new Map<string, HeldFile>();
  for (const line of listed.flatMap((lines = "") => lines.split("\0"))) {
    // No link and no folder.
    const [, blob, length, path] = /^100\d+ blob ([0-9a-f]+) +(\d+)\t(.*)$/s.exec(line) ?? [];
    if (path === undefined || !wanted.has(path)) continue;
    const size = Number(length);
    if (!others.has(path)) held.set(path, { size });
    else if (await sizeOf(join(top, path)) === size) held.set(path, { size, blob });
  }
  return held;
}

/** The length of a file in bytes; `undefined` where there is none. */
async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const { isFile, size } = await Deno.lstat(path);
    return isFile ? size : undefined;
  } catch {
    return undefined;
  }
}

/** Reads files of a work tree, given its top. Each is overwritten by the next. */
export class WorkTreeReader {
  readonly #top: string;
  readonly #reader = new FileReader();

  constructor(top: string) {
    this.#top = top;
  }

  /**
   * What a file holds, given its path from the top; `undefined` where it can't be read or is not what the
   * commit has: somebody has changed it, or git keeps it with other line ends.
   */
  async read(path: string, { size, blob }: HeldFile): Promise<Uint8Array | undefined> {
    try {
      const content = await this.#reader.read(join(this.#top, path), size);
      const isSame = content?.length === size && (blob === undefined || isBlob(content, blob));
      return isSame ? content : undefined;
    } catch {
      // Whatever is in the way there, git has it as well.
      return undefined;
    }
  }
}

/** Whether a content is that of a blob, by its name: a digest as long as the repository's objects have. */
function isBlob(content: Uint8Array, name: string): boolean {
  const algorithm = name.length === 64 ? "sha256" : "sha1";
  const hash = createHash(algorithm).update(`blob ${content.length}\0`).update(content);
  return hash.digest("hex") === name;
}
