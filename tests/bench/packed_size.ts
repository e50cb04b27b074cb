import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { join } from "node:path";
import { git } from "../helpers/scratch.ts";

/** The size of a repository's objects, in MB. */
export interface PackedSize {
  /** All files in the folder of objects. */
  total: number;
  /** The logs of checks. */
  logs: number;
  /** The records of sites. */
  records: number;
  /** The summary of all sites. */
  summary: number;
  /** Statistics and badges. */
  api: number;
  /** The pictures of graphs, of which only the newest are there. */
  graphs: number;
  /** Incidents, folders, commits and indexes. */
  rest: number;
}

const MB = 1_000_000;

const KINDS: readonly [kind: Exclude<keyof PackedSize, "total" | "rest">, path: RegExp][] = [
  ["logs", /^history\/checks\//],
  ["records", /^history\/[^/]+\.yml$/],
  ["summary", /^history\/summary\.json$/],
  ["api", /^api\//],
  ["graphs", /^graphs\//],
];

/** Measures the size of a repository's objects. */
export async function packedSize(folder: string): Promise<PackedSize> {
  const total = await sizeOf(join(folder, ".git", "objects")) / MB;
  const list = new Deno.Command("sh", {
    args: [
      "-c",
      "git rev-list --objects --all | git cat-file --batch-check='%(objecttype) %(objectsize:disk) %(rest)'",
    ],
    cwd: folder,
    env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    stdout: "piped",
  }).spawn();
  const sizes = { logs: 0, records: 0, summary: 0, api: 0, graphs: 0 };
  for await (const line of createInterface({ input: Readable.from(list.stdout) })) {
    const [, size, path = ""] = /^blob (\d+) (.*)$/.exec(line) ?? [];
    const [kind] = KINDS.find(([, pattern]) => pattern.test(path)) ?? [];
    if (kind !== undefined) sizes[kind] += Number(size) / MB;
  }
  await list.status;
  const rest = Object.values(sizes).reduce((left, size) => left - size, total);
  return { total, ...sizes, rest };
}

/** The size of the branch's files, in MB. */
export async function treeSize(folder: string): Promise<number> {
  const files = await git(folder, "ls-tree", "-r", "-l", "main");
  return sum(files.matchAll(/^\d+ blob \w+ +(\d+)/gm)) / MB;
}

function sum(matches: Iterable<RegExpExecArray>): number {
  let bytes = 0;
  for (const [, size] of matches) bytes += Number(size);
  return bytes;
}

/** Bytes of all files in a folder and its folders. */
export async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    bytes += isDirectory ? await sizeOf(path) : (await Deno.stat(path)).size;
  }
  return bytes;
}
