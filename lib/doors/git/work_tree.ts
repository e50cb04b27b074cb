import { join } from "node:path";
import { type Git, GitError } from "./git.ts";
import { forgetCommits } from "./objects.ts";
import type { Repository } from "./repository.ts";

/** Remembers, for the time of a move, the tree that index and work tree come from. */
const JOURNAL = "refs/worktree/monitor/moving";

/** A file that differs between two trees; a name is all zeros where a side does not have it. */
interface ChangedFile {
  path: string;
  mode: string;
  before: string;
  after: string;
}

/**
 * Moves the checked-out branch to a commit, and with it the files that differ. What the user has
 * staged or edited stays as it is. Returns the paths left alone; `undefined` where the branch had
 * meanwhile moved on.
 *
 * A move that is cut off is finished by {@linkcode finishMove}.
 *
 * @throws {WorkTreeLockedError} Where the branch was moved and the files could not follow.
 */
export async function moveBranch(
  repository: Repository,
  from: string | undefined,
  to: string,
): Promise<string[] | undefined> {
  const { git, branch } = repository;
  const tree = await beginMove(git, from);
  const moved = await git.run(
    ["update-ref", "-m", "monitor: record checks", `refs/heads/${branch}`, to, from ?? ""],
    { accept: [1, 128] },
  );
  const kept = moved.code === 0 ? await unlessLocked(followTree(repository, tree, to)) : undefined;
  await git.run(["update-ref", "-d", JOURNAL]);
  return kept;
}

/** Notes where files come from; those of a move that is not finished yet come from further back. */
async function beginMove(git: Git, from: string | undefined): Promise<string> {
  const unfinished = await git.maybe(["rev-parse", "-q", "--verify", JOURNAL]);
  if (unfinished !== undefined) return unfinished;
  const tree = from === undefined
    ? await emptyTree(git)
    : await git.text(["rev-parse", `${from}^{tree}`]);
  await git.run(["update-ref", JOURNAL, tree]);
  return tree;
}

/** Index and work tree can't follow a commit for now; a later run brings them along. */
export class WorkTreeLockedError extends Error {
  override readonly name = "WorkTreeLockedError";
}

async function unlessLocked<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof GitError) || !error.locked) throw error;
    throw new WorkTreeLockedError(`your files stay as they were: ${error.message}`, {
      cause: error,
    });
  }
}

/** Finishes what a killed run left half done, so that its files don't look like the user's edits. */
export async function finishMove(repository: Repository): Promise<void> {
  const { git } = repository;
  await forgetCommits(git);
  const tree = await git.maybe(["rev-parse", "-q", "--verify", JOURNAL]);
  if (tree === undefined) return;
  const head = await git.maybe(["rev-parse", "-q", "--verify", "HEAD"]);
  if (head !== undefined) await unlessLocked(followTree(repository, tree, head));
  await git.run(["update-ref", "-d", JOURNAL]);
}

/**
 * Brings the checked-out branch forward to a commit that others made; `false` where the user's edits
 * are in the way, and nothing is changed; `undefined` where the branch had meanwhile moved on.
 */
export async function fastForward(
  { git, branch }: Repository,
  from: string,
  to: string,
): Promise<boolean | undefined> {
  if (!await unlessLocked(canMerge(git, from, to))) return false;
  await beginMove(git, from);
  const moved = await git.run(
    ["update-ref", "-m", "monitor: fast-forward", `refs/heads/${branch}`, to, from],
    { accept: [1, 128] },
  );
  if (moved.code === 0) await unlessLocked(git.run(["read-tree", "-m", "-u", from, to]));
  await git.run(["update-ref", "-d", JOURNAL]);
  return moved.code === 0 ? true : undefined;
}

async function canMerge(git: Git, from: string, to: string): Promise<boolean> {
  // A file that was only touched or copied would look edited.
  await git.run(["update-index", "-q", "--refresh"], { accept: [1] });
  try {
    await git.run(["read-tree", "-m", "-u", "--dry-run", from, to]);
    return true;
  } catch (error) {
    if (!(error instanceof GitError) || error.locked) throw error;
    return false;
  }
}

async function followTree({ git, top }: Repository, tree: string, to: string): Promise<string[]> {
  const changed = await changedFiles(git, tree, to);
  const indexed = await indexedFiles(git, changed);
  const present = await presentFiles(git, top, changed);
  const ours = changed.filter(({ path, before, after }) => {
    const entry = indexed.get(path) ?? NONE;
    return same(entry.blob, before) || same(entry.blob, after);
  });
  const writable = ours.filter(({ path, before }) =>
    same(present.get(path), before) && !indexed.get(path)?.skipped
  );
  const skipped = ours.filter(({ path }) => indexed.get(path)?.skipped);

  const entries = ours.map(({ mode, after, path }) =>
    `${same(after, undefined) ? "0" : mode} ${after}\t${path}\0`
  );
  await git.run(["update-index", "-z", "--index-info"], { input: entries.join("") });
  await git.run(["update-index", "-z", "--skip-worktree", "--stdin"], { input: listed(skipped) });
  const kept = writable.filter(({ after }) => !same(after, undefined));
  await git.run(["checkout-index", "-f", "-u", "-z", "--stdin"], { input: listed(kept) });
  for (const { path } of writable.filter((file) => !kept.includes(file))) {
    await Deno.remove(join(top, path));
  }

  const done = new Set([...writable, ...skipped].map(({ path }) => path));
  const settled = ({ path, after }: ChangedFile) =>
    done.has(path) || same(present.get(path), after);
  return changed.filter((file) => !settled(file)).map(({ path }) => path);
}

const NONE: { blob?: string; skipped: boolean } = { skipped: false };

/** Whether two names of a file's content agree, where none and all zeros both mean that there is no file. */
function same(one: string | undefined, other: string | undefined): boolean {
  const absent = (blob: string | undefined) => blob === undefined || /^0+$/.test(blob);
  return one === other || (absent(one) && absent(other));
}

function listed(files: readonly ChangedFile[]): string {
  return files.map(({ path }) => `${path}\0`).join("");
}

async function changedFiles(git: Git, from: string, to: string): Promise<ChangedFile[]> {
  const output = await git.text(["diff-tree", "-r", "-z", "--no-renames", from, to]);
  const fields = output.split("\0");
  const files: ChangedFile[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [, mode, before, after] = fields[index]!.split(" ");
    files.push({ path: fields[index + 1]!, mode: mode!, before: before!, after: after! });
  }
  return files;
}

async function indexedFiles(git: Git, changed: readonly ChangedFile[]) {
  const wanted = new Set(changed.map(({ path }) => path));
  const files = new Map<string, { blob?: string; skipped: boolean }>();
  for (const line of (await git.text(["ls-files", "-s", "-t", "-z"])).split("\0")) {
    const [, tag, blob, path] = /^(\S) \d+ (\S+) \d\t(.*)$/s.exec(line) ?? [];
    if (path !== undefined && wanted.has(path)) files.set(path, { blob, skipped: tag === "S" });
  }
  return files;
}

async function presentFiles(git: Git, top: string, changed: readonly ChangedFile[]) {
  const paths: string[] = [];
  for (const { path } of changed) {
    if (!path.includes("\n") && await isFile(join(top, path))) paths.push(path);
  }
  if (paths.length === 0) return new Map<string, string>();
  const output = await git.text(["hash-object", "--stdin-paths"], {
    input: paths.join("\n") + "\n",
  });
  const blobs = output.split("\n");
  return new Map(paths.map((path, index) => [path, blobs[index]!]));
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await Deno.lstat(path)).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return false;
    }
    throw error;
  }
}

async function emptyTree(git: Git): Promise<string> {
  return await git.text(["hash-object", "-t", "tree", "-w", "--stdin"], { input: "" });
}
