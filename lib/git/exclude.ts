import { dirname, resolve } from "node:path";
import type { Repository } from "./repository.ts";

/**
 * Has git ignore files in this clone alone, by a line in its `info/exclude`, unless it ignores `path`, one
 * of them, already. Returns whether it does then: that file may be out of reach.
 */
export async function exclude(
  { git, top }: Pick<Repository, "git" | "top">,
  { line, path }: { line: string; path: string },
): Promise<boolean> {
  if (await git.maybe(["check-ignore", "-q", "--no-index", "--", path]) !== undefined) return true;
  const file = resolve(top, await git.text(["rev-parse", "--git-path", "info/exclude"]));
  try {
    const text = await linesOf(file);
    // Where a rule of the user's own outweighs the line, it is not added again and again.
    if (text.split(/\r?\n/).includes(line)) return true;
    const end = text === "" || text.endsWith("\n") ? "" : "\n";
    await Deno.mkdir(dirname(file), { recursive: true });
    await Deno.writeTextFile(file, `${end}${line}\n`, { append: true });
    return true;
  } catch (error) {
    // The program may write into its own folder only, and the repository may reach further up.
    const { NotCapable, PermissionDenied } = Deno.errors;
    if (error instanceof NotCapable || error instanceof PermissionDenied) return false;
    throw error;
  }
}

async function linesOf(file: string): Promise<string> {
  try {
    return await Deno.readTextFile(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}

/** Whether git tracks any of the files that a pattern matches, given from the top of the repository. */
export async function tracksAny(
  { git }: Pick<Repository, "git">,
  pattern: string,
): Promise<boolean> {
  return await git.text(["ls-files", "-z", "--", `:(top,glob)${pattern}`]) !== "";
}
