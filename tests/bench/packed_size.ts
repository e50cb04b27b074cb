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
  /** The pictures of graphs, of which only the newest are there. */
  graphs: number;
  /** Incidents, statistics, badges, folders, commits and indexes. */
  rest: number;
}

const MB = 1_000_000;

/** Measures the size of a repository's objects. */
export async function packedSize(folder: string): Promise<PackedSize> {
  const total = await sizeOf(join(folder, ".git", "objects")) / MB;
  const { stdout } = await new Deno.Command("sh", {
    args: [
      "-c",
      "git rev-list --objects --all | git cat-file --batch-check='%(objecttype) %(objectsize:disk) %(rest)'",
    ],
    cwd: folder,
    env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  }).output();
  const [logs = 0, records = 0, summary = 0, graphs = 0] = [
    /^blob (\d+) history\/checks\//gm,
    /^blob (\d+) history\/(?:state\/..\/)?[^/]+\.yml$/gm,
    /^blob (\d+) history\/summary(?:\/..)?\.json$/gm,
    /^blob (\d+) graphs\//gm,
  ].map((pattern) => sum(new TextDecoder().decode(stdout).matchAll(pattern)) / MB);
  const rest = total - logs - records - summary - graphs;
  return { total, logs, records, summary, graphs, rest };
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
