import { dirname, isAbsolute, join, relative, sep } from "node:path";

/**
 * Returns a function that fails if the folder of a file is outside of a root, as it is behind a link that somebody
 * has committed. The last part of the path may be a link: that is replaced or removed, and not followed. The root
 * may be one as well.
 */
export function createInsideAssertion(
  root: string,
): (path: string, verb: "write" | "remove") => void {
  const known = new Set<string>();
  const missing = new Set<string>();
  return (path, verb) => {
    const folder = dirname(path);
    if (known.has(folder)) return;
    const fault = findWayOut(root, folder, { known, missing });
    if (fault !== undefined) throw new Error(`Cannot ${verb} ${path}: ${fault}`);
    for (let own = folder; dirname(own) !== own; own = dirname(own)) known.add(own);
  };
}

/**
 * The part of a path that leads out of the root, or to nothing, with the cure. Folders that are `known` don't, nor do
 * those in one that was `missing`: the program has made them.
 */
function findWayOut(
  root: string,
  folder: string,
  { known, missing }: { known: ReadonlySet<string>; missing: Set<string> },
): string | undefined {
  const isOutside = (way: string) => isAbsolute(way) || way === ".." || way.startsWith(`..${sep}`);
  const way = relative(root, join(root, folder));
  if (isOutside(way)) return `it is outside of ${root}; name a file in that folder`;
  const parts = way === "" ? [] : way.split(sep);
  for (let length = 1; length <= parts.length; length++) {
    const part = parts.slice(0, length).join("/");
    if (known.has(part)) continue;
    const place = join(root, part);
    const isNew = missing.has(dirname(part));
    const info = isNew ? undefined : unlessMissingSync(() => Deno.lstatSync(place));
    if (info === undefined) {
      missing.add(part);
      continue;
    }
    if (!info.isSymlink) continue;
    const real = realPath(place);
    if (real === undefined) {
      return `${part} is a link to nothing; remove it, or put a folder in its place`;
    }
    if (isOutside(relative(Deno.realPathSync(root), real))) {
      return `${part} is a link that leads out of this folder, to ${real}; put a folder in its place`;
    }
  }
  return undefined;
}

/** The path without links; `undefined` if they lead to nothing, or the program may not look. */
function realPath(path: string): string | undefined {
  try {
    return unlessMissingSync(() => Deno.realPathSync(path));
  } catch (error) {
    const { FilesystemLoop, NotCapable } = Deno.errors;
    if (error instanceof FilesystemLoop || error instanceof NotCapable) return undefined;
    throw error;
  }
}

/** The result of work; `undefined` if the path is missing, as one through a file is. */
export function unlessMissingSync<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    const { NotFound, NotADirectory } = Deno.errors;
    if (error instanceof NotFound || error instanceof NotADirectory) return undefined;
    throw error;
  }
}
