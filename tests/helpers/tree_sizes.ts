import { join } from "node:path";
import { git } from "./scratch.ts";

/** What is large in a tree of files. */
export interface TreeSizes {
  files: number;
  largestFile: Large;
  largestFolder: Large;
}

interface Large {
  path: string;
  /** Bytes of a file, entries of a folder. */
  size: number;
}

/** Measures the tree of a revision, without files of the user. */
export async function measureRevision(
  repository: string,
  revision: string,
  isOurs: (path: string) => boolean = () => true,
): Promise<TreeSizes> {
  const listed = await git(repository, "ls-tree", "-r", "-l", "-z", revision);
  return measureTree(
    listed.split("\0").flatMap((line) => {
      const [, bytes, path] = /^\S+ blob \S+ +(\d+)\t(.*)$/s.exec(line) ?? [];
      return path === undefined || !isOurs(path) ? [] : [[path, Number(bytes)] as const];
    }),
  );
}

/** Measures the files of a folder. */
export async function measureFolder(folder: string): Promise<TreeSizes> {
  const files: [path: string, bytes: number][] = [];
  const collect = async (path: string) => {
    for await (const { name, isDirectory } of Deno.readDir(join(folder, path))) {
      const own = path === "" ? name : `${path}/${name}`;
      if (isDirectory) await collect(own);
      else files.push([own, (await Deno.stat(join(folder, own))).size]);
    }
  };
  await collect("");
  return measureTree(files);
}

function measureTree(files: readonly (readonly [path: string, bytes: number])[]): TreeSizes {
  const entries = new Map<string, Set<string>>();
  for (const [path] of files) {
    const parts = path.split("/");
    for (let depth = 0; depth < parts.length; depth++) {
      const folder = parts.slice(0, depth).join("/");
      const own = entries.get(folder) ?? new Set();
      entries.set(folder, own.add(parts[depth]!));
    }
  }
  return {
    files: files.length,
    largestFile: findLargest(files),
    largestFolder: findLargest([...entries].map(([path, own]) => [path, own.size] as const)),
  };
}

function findLargest(all: readonly (readonly [path: string, size: number])[]): Large {
  const none: Large = { path: "", size: 0 };
  return all.reduce((most, [path, size]) => size > most.size ? { path, size } : most, none);
}
