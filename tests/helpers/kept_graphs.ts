import { join } from "node:path";
import { folderWorkspace } from "../../lib/io/workspace.ts";
import { type Drawn, graphPath } from "../../lib/statistics/graphs/graph_files.ts";
import { keepGraphs, type KeptGraphs } from "../../lib/statistics/graphs/keep_graphs.ts";
import { openStore } from "../../lib/history/store/open_store.ts";
import type { Store } from "../../lib/history/store/store.ts";
import { NOW } from "./outcomes.ts";
import { output, type ProgramResult, runProcess, spawnModule } from "./program.ts";
import { cloneRemote } from "./repositories.ts";
import { makeRemote, type Scratch } from "./scratch.ts";
import { StillClock } from "./still_clock.ts";

/** The lock that runs of a folder share in these tests. */
export const LOCK = ".monitorrc.yml";

/** The default branch for graphs. */
export const BRANCH = "monitor-graphs";

/** The files of a repository whose graphs are kept in these tests. */
export const CONFIGURED = { [LOCK]: "sites: []\n" };

/** A remote with a repository's files, and a clone of it, made with options of git's. */
export async function makeClone(
  scratch: Scratch,
  files: Readonly<Record<string, string>> = CONFIGURED,
  ...options: string[]
): Promise<{ remote: string; clone: string }> {
  const remote = await makeRemote(scratch.path, files);
  return { remote, clone: await cloneRemote(remote, join(scratch.path, "clone"), ...options) };
}

/** A monitored folder inside another one. */
export async function makeFolder(parent: string, name: string): Promise<string> {
  const folder = join(parent, name);
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(join(folder, LOCK), "");
  return folder;
}

/** The file of the graph that {@linkcode drawnOf} draws of a site. */
export function graphIn(folder: string, slug = "shop"): Promise<Uint8Array | undefined> {
  return folderWorkspace(folder).readBytes(dayGraph(slug));
}

/** A day's graph of each site, with bytes that no text has. */
export function drawnOf(contents: Readonly<Record<string, number>>): Drawn {
  const files = Object.entries(contents).map(([slug, number]): [string, Uint8Array] => [
    dayGraph(slug),
    bytesOf(number),
  ]);
  return { files: new Map(files), configured: new Set(Object.keys(contents)) };
}

/** The path of the graph that {@linkcode drawnOf} draws of a site. */
export function dayGraph(slug: string): string {
  return graphPath(slug, "day", "light", "png");
}

/** The contents of that graph. */
export function bytesOf(number: number): Uint8Array {
  return Uint8Array.of(0x89, 0x50, 0xff, 0, 0x0d, 0x0a, number);
}

/** A folder's graphs, and how they are to be kept. */
export interface GraphsRun {
  folder: string;
  contents: Record<string, number>;
  branch?: string;
  run?: string;
}

/** Publishes graphs in a process of its own group. The output is the result as JSON. */
export function graphsProcess(
  run: GraphsRun,
  env: Readonly<Record<string, string>> = {},
): Promise<ProgramResult> {
  return output(spawnModule(import.meta.filename!, run, env));
}

/** The same with the permissions of a task, which may write into its own folder only. */
export function graphsTask(run: GraphsRun): Promise<ProgramResult> {
  const args = [JSON.stringify(run)];
  return runProcess("update", { folder: run.folder, main: import.meta.filename!, args });
}

/** How {@linkcode keep} keeps graphs. */
export interface KeepOptions {
  branch?: string;
  run?: string;
  /** The store of the history, if it is open already. */
  store?: Store;
}

/** Keeps graphs of a folder as a command does. */
export async function keep(
  root: string,
  drawn: Drawn,
  { branch = BRANCH, run = "9f3c01ab", ...opened }: KeepOptions = {},
): Promise<KeptGraphs> {
  const clock = new StillClock();
  const workspace = folderWorkspace(root);
  const store = opened.store ??
    await openStore(root, { workspace, lock: LOCK, clock, warn: () => {} });
  if (opened.store === undefined) await store.read();
  return await keepGraphs(drawn, {
    root,
    workspace,
    store,
    branch,
    clock,
    commit: {
      run,
      time: NOW,
      message: "Draw graphs [skip ci]",
      author: { name: "Jo", email: "jo@example.com" },
    },
  });
}

if (import.meta.main) {
  const { folder, contents, ...options }: GraphsRun = JSON.parse(Deno.args.at(-1)!);
  const { refused, ...kept } = await keep(folder, drawnOf(contents), options);
  if (refused !== undefined) throw refused;
  await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(kept)));
}
