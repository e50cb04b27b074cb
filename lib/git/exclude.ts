import { dirname, resolve } from "node:path";
import type { Repository } from "./repository.ts";

/**
 * Has git ignore generated files in this clone, by an ignore pattern and one of the files, both from the top of
 * the repository. Returns notes for the user: `tracked` if the branch contains some of them all the same.
 */
export async function excludeGenerated(
  repository: Pick<Repository, "git" | "top">,
  { line, path, name, tracked }: { line: string; path: string; name: string; tracked: string },
): Promise<string[]> {
  const pattern = `:(top,glob)${line.slice(1)}`;
  const isTracked = await repository.git.text(["ls-files", "-z", "--", pattern]) !== "";
  const notes = isTracked ? [tracked] : [];
  if (await exclude(repository, { line, path })) return notes;
  return [
    ...notes,
    `git takes ${name} for your own new files; to keep them out of your commits, write ${line} into a .gitignore at the top of the repository`,
  ];
}

/** The start of an ignore pattern for files of a folder, given the folder's path from the top of the repository. */
export function ignorePrefix(prefix: string): string {
  return `/${prefix.replace(/[\\*?[]/g, "\\$&")}`;
}

/** Adds a line to `info/exclude` unless git ignores `path`; returns `false` if that file can't be written. */
async function exclude(
  { git, top }: Pick<Repository, "git" | "top">,
  { line, path }: { line: string; path: string },
): Promise<boolean> {
  if (await git.maybe(["check-ignore", "-q", "--no-index", "--", path]) !== undefined) return true;
  const file = resolve(top, await git.text(["rev-parse", "--git-path", "info/exclude"]));
  const { NotCapable, NotFound, PermissionDenied } = Deno.errors;
  try {
    const text = await Deno.readTextFile(file).catch((error) => {
      if (error instanceof NotFound) return "";
      throw error;
    });
    // If a rule of the user's own outweighs the line, it is not added again and again.
    if (text.split(/\r?\n/).includes(line)) return true;
    const end = text === "" || text.endsWith("\n") ? "" : "\n";
    await Deno.mkdir(dirname(file), { recursive: true });
    await Deno.writeTextFile(file, `${end}${line}\n`, { append: true });
    return true;
  } catch (error) {
    // The program may write into its own folder only, and the repository may reach further up.
    if (error instanceof NotCapable || error instanceof PermissionDenied) return false;
    throw error;
  }
}
