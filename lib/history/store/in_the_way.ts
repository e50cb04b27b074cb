import { dirname } from "node:path/posix";
import type { Git } from "../../git/git.ts";
import { RepositoryError } from "../../git/repository.ts";

/**
 * A file where a folder of ours belongs would be replaced without a word, with all that is in it.
 *
 * @throws {RepositoryError} Where a commit holds such a file.
 */
export async function assertNoneInTheWay(
  git: Git,
  commit: string | undefined,
  paths: readonly string[],
): Promise<void> {
  if (commit === undefined) return;
  const folders = new Set(paths.flatMap(foldersOf));
  // Of a folder that is asked for together with one in it, git tells all that it holds.
  const output = await git.text(["ls-tree", "-z", "--full-tree", commit, "--", ...folders]);
  const files = output.split("\0").filter((line) => line !== "" && !/^\d+ tree /.test(line));
  const path = files.map((line) => line.slice(line.indexOf("\t") + 1))
    .find((file) => folders.has(file));
  if (path === undefined) return;
  throw new RepositoryError(`Cannot write into ${path}: it is a file of the branch; move it away`);
}

/** The folders that a file is in, outermost first. */
function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === "." ? [] : [...foldersOf(folder), folder];
}
