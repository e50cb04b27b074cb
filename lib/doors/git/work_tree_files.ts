import { dirname } from "node:path/posix";
import { join } from "node:path";
import type { Git } from "./git.ts";

/**
 * Sizes of those files that the work tree holds as a commit has them, as far as git knows without a look
 * into them; by path, from the top. That they are the same once they are read, their size has to tell.
 */
export async function unchangedFiles(
  git: Git,
  commit: string,
  paths: readonly string[],
): Promise<Map<string, number>> {
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
  if (changed === undefined) return new Map();
  const others = new Set(changed.split("\0"));
  const wanted = new Set(paths);
  return new Map(
    listed.flatMap((lines = "") => lines.split("\0")).flatMap((line) => {
      // No link and no folder.
      const [, size, path] = /^100\d+ blob [0-9a-f]+ +(\d+)\t(.*)$/s.exec(line) ?? [];
      const isSame = path !== undefined && wanted.has(path) && !others.has(path);
      return isSame ? [[path, Number(size)] as const] : [];
    }),
  );
}

/** Reads files of a work tree, given its top. Each is overwritten by the next. */
export class WorkTreeReader {
  readonly #top: string;
  #room = new Uint8Array();

  constructor(top: string) {
    this.#top = top;
  }

  /**
   * What a file holds, given its path from the top; `undefined` where it can't be read or is not of a size:
   * somebody has changed it meanwhile, or git keeps it with other line ends.
   */
  async read(path: string, size: number): Promise<Uint8Array | undefined> {
    try {
      using file = await Deno.open(join(this.#top, path));
      // One more, to see that it ends.
      if (this.#room.length <= size) this.#room = new Uint8Array(size + 1);
      let length = 0;
      for (let read: number | null = 0; read !== null && length <= size; length += read ?? 0) {
        read = await file.read(this.#room.subarray(length, size + 1));
      }
      return length === size ? this.#room.subarray(0, size) : undefined;
    } catch {
      // Whatever is in the way there, git has it as well.
      return undefined;
    }
  }
}
