import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { type CheckRow, parseRows } from "../../lib/history/checks_log.ts";
import { parseRunState } from "../../lib/history/run_state.ts";
import { parseParts, type RunState } from "../../lib/pipeline/run_state.ts";
import { type Incident, parseIncident } from "../../lib/history/incident.ts";
import { PENDING_REF } from "../../lib/git/remote.ts";
import { git, makeRemote, type Scratch } from "./scratch.ts";

/**
 * A configuration of sites by name, whose failures are confirmed at once, and of which each is an incident.
 * Checks wait for a change or for midnight unless `top` has other keys of the history: the full hour, at which
 * they are committed by default, may come while a test runs.
 */
export function configText(sites: Readonly<Record<string, string>>, top = ""): string {
  const history = /^history:/m.test(top) ? "" : ONCE_A_DAY;
  const items = Object.entries(sites).map(([name, url]) =>
    `  - ${JSON.stringify({ name, url })}\n`
  );
  return `retry: { delays: [0.05] }\nrecheckDelay: 0.05\nreopenWithin: 0\ncanaries: []\n${history}${top}sites:\n${
    items.join("")
  }`;
}

/** Top-level keys with which every run commits, and no checks wait. */
export const EVERY_RUN = "history: { commitEvery: 0 }\n";

/** Top-level keys with which checks wait for a change, or for midnight. */
export const ONCE_A_DAY = "history: { commitEvery: 1d }\n";

/** Clones over the transport that supports shallow clones. */
export async function cloneRemote(
  remote: string,
  folder: string,
  ...options: string[]
): Promise<string> {
  await git(join(remote, ".."), "clone", "--quiet", ...options, `file://${remote}`, folder);
  return folder;
}

/** Makes a remote with a configuration and some files on `main`, and a clone of it. */
export async function remoteAndClone(
  scratch: Scratch,
  config: string,
  files: Readonly<Record<string, string>> = {},
): Promise<{ remote: string; folder: string }> {
  const remote = await makeRemote(scratch.path, { ".monitorrc.yml": config, ...files });
  return { remote, folder: await cloneRemote(remote, join(scratch.path, "clone")) };
}

/** Makes a repository with its files committed and no remote. */
export async function makeRepository(
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  await Deno.mkdir(folder, { recursive: true });
  await git(folder, "init", "--quiet");
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(join(folder, name), text);
  }
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message", "Begin");
  return folder;
}

/** Commits a file as its user does. */
export async function commitFile(folder: string, name: string, text: string): Promise<void> {
  await Deno.writeTextFile(join(folder, name), text);
  await git(folder, "add", "--", name);
  await git(folder, "commit", "--quiet", "--message", `Write ${name}`);
}

/** The hash of the commit of a revision. */
export function tip(folder: string, revision = "HEAD"): Promise<string> {
  return git(folder, "rev-parse", "--verify", revision);
}

/** git's status of work tree and index. */
export function status(folder: string): Promise<string> {
  return git(folder, "status", "--porcelain", "--untracked-files=all");
}

/** The paths in a commit. */
export async function pathsAt(folder: string, revision = "HEAD"): Promise<string[]> {
  return (await git(folder, "ls-tree", "-r", "-z", "--name-only", revision)).split("\0")
    .filter((path) => path !== "");
}

/** All rows of the log in a commit, including duplicates. */
export async function rowsAt(folder: string, revision = "HEAD", prefix = ""): Promise<CheckRow[]> {
  const rows: CheckRow[] = [];
  for (const path of await pathsAt(folder, revision)) {
    if (!path.startsWith(`${prefix}history/checks/`)) continue;
    rows.push(...wholeRows(await git(folder, "cat-file", "blob", `${revision}:${path}`)));
  }
  return rows;
}

/** The run state with pending checks at a remote; fails if the ref has a parent. */
export async function runStateAt(remote: string, branch = "main"): Promise<RunState | undefined> {
  const texts = await pendingAt(remote, branch);
  if (texts.size === 0) return undefined;
  const { runState, rows } = parseRunState(texts);
  const place = { rows, onBranch: [], isInRef: true, isRefMissing: false, unreadable: [] };
  return parseParts({ runState, ...place }).runState;
}

/** All rows of the logs in a folder, as {@linkcode rowsAt} returns them. */
export async function rowsIn(folder: string): Promise<CheckRow[]> {
  const logs = join(folder, "history", "checks");
  const rows: CheckRow[] = [];
  for await (const { name } of Deno.readDir(logs)) {
    rows.push(...wholeRows(await Deno.readTextFile(join(logs, name))));
  }
  return rows;
}

/** The pending texts at a remote, by name; empty if there are none. Fails if the ref has a parent. */
export async function pendingAt(remote: string, branch = "main"): Promise<Map<string, string>> {
  // A run may replace the ref meanwhile: all is read of the same commit.
  const found = await git(remote, "for-each-ref", "--format=%(objectname) %(parent)", PENDING_REF);
  const [commit, ...parents] = found.split(" ");
  if (!commit) return new Map();
  assertEquals(parents, []);
  const own = (await pathsAt(remote, commit)).filter((path) => path.startsWith(`${branch}/`));
  return new Map(
    await Promise.all(own.map(async (path): Promise<[string, string]> => {
      const text = await git(remote, "cat-file", "blob", `${commit}:${path}`);
      return [path.slice(branch.length + 1), `${text}\n`];
    })),
  );
}

/** All rows of a remote, committed and pending ones, including duplicates. */
export async function allRowsAt(remote: string, branch = "main"): Promise<CheckRow[]> {
  const waiting = (await pendingAt(remote, branch)).get("checks.csv");
  return [...await rowsAt(remote, branch), ...waiting === undefined ? [] : wholeRows(waiting)];
}

/** The rows that wait on the machine of a clone, also while a program changes them. */
export async function waitingRowsIn(folder: string): Promise<CheckRow[]> {
  const path = join(folder, ".git", "monitor", "main", "waiting.json");
  const text = await Deno.readTextFile(path).catch(() => "{}");
  return parseRows(JSON.parse(text).texts?.["checks.csv"] ?? "");
}

/** The rows of a log; fails if a line is not a row or is a duplicate. */
function wholeRows(text: string): CheckRow[] {
  const rows = parseRows(`${text.trimEnd()}\n`);
  assertEquals(rows.length, text.trimEnd().split("\n").length - 1, text);
  return rows;
}

/** The incidents in a commit. */
export async function incidentsAt(folder: string, revision = "HEAD"): Promise<Incident[]> {
  const paths = (await pathsAt(folder, revision)).filter((path) =>
    /(?:^|\/)history\/incidents\//.test(path)
  );
  return await Promise.all(
    paths.map(async (path) =>
      parseIncident(await git(folder, "cat-file", "blob", `${revision}:${path}`))!
    ),
  );
}

/** Installs a hook in git's folder of hooks. */
export async function writeHook(repository: string, name: string, script: string): Promise<void> {
  const folder = join(repository, "hooks");
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/** Removes the locks that killed git processes have left in a repository, as its user would. */
export async function removeLocks(folder: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory && name !== "objects") await removeLocks(path);
    else if (name.endsWith(".lock")) await Deno.remove(path);
  }
}
