import { type Git, GitError } from "./git.ts";
import { followTree } from "./follow_tree.ts";
import { forgetCommits } from "./objects.ts";
import type { Repository } from "./repository.ts";

/** Remembers, for the time of a move, the commit (or the empty tree) that index and work tree come from. */
const JOURNAL = "refs/worktree/monitor/moving";

/**
 * Moves the checked-out branch to a commit, and with it the files that differ. What the user has
 * staged or edited stays as it is. Returns the paths left alone; `undefined` where the branch had
 * meanwhile moved on.
 *
 * A move that is cut off is finished by {@linkcode finishMove}.
 *
 * @throws {WorkTreeError} Where the branch was moved and the files could not follow.
 */
export async function moveBranch(
  repository: Repository,
  from: string | undefined,
  to: string,
): Promise<string[] | undefined> {
  const { git, branch } = repository;
  const move = await beginMove(git, from);
  const moved = await git.run(
    ["update-ref", "-m", "monitor: record checks", `refs/heads/${branch}`, to, from ?? ""],
    { accept: [1, 128] },
  );
  const kept = moved.code === 0
    ? await orLater(followTree(repository, move.origin, to, move))
    : undefined;
  await endMove(git);
  return kept;
}

/** Notes where files come from; those of a move that is not finished yet come from further back. */
async function beginMove(
  git: Git,
  from: string | undefined,
): Promise<{ origin: string; isResumed: boolean }> {
  const unfinished = await git.maybe(["rev-parse", "-q", "--verify", JOURNAL]);
  if (unfinished !== undefined) return { origin: unfinished, isResumed: true };
  const origin = from ?? await emptyTree(git);
  await unlessLocked(git.run(["update-ref", JOURNAL, origin], { attempts: 3 }));
  return { origin, isResumed: false };
}

/** Forgets a move that is finished; where it can't, a later run finds that there is nothing left to do. */
async function endMove(git: Git): Promise<void> {
  await unlessLocked(git.run(["update-ref", "-d", JOURNAL], { attempts: 3 }));
}

/** A lock on what helps to tidy up after a killed run is no reason to record nothing. */
async function unlessLocked(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof GitError && error.locked)) throw error;
  }
}

/** Index and work tree can't follow a commit for now; a later run brings them along. */
export class WorkTreeError extends Error {
  override readonly name = "WorkTreeError";
}

/** Whatever keeps the files back, the commit is made: no later run may fail because of it. */
async function orLater<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new WorkTreeError(`your files stay as they were: ${reason}`, { cause: error });
  }
}

/** Finishes what a killed run left half done, so that its files don't look like the user's edits. */
export async function finishMove(repository: Repository): Promise<void> {
  const { git } = repository;
  await forgetCommits(git);
  const origin = await git.maybe(["rev-parse", "-q", "--verify", JOURNAL]);
  if (origin === undefined) return;
  const head = await git.maybe(["rev-parse", "-q", "--verify", "HEAD"]);
  if (head !== undefined) {
    await orLater(followTree(repository, origin, head, { isResumed: true }));
  }
  await endMove(git);
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
  if (!await orLater(canMerge(git, from, to))) return false;
  await beginMove(git, from);
  const moved = await git.run(
    ["update-ref", "-m", "monitor: fast-forward", `refs/heads/${branch}`, to, from],
    { accept: [1, 128] },
  );
  if (moved.code === 0) await orLater(git.run(["read-tree", "-m", "-u", from, to]));
  await endMove(git);
  return moved.code === 0 ? true : undefined;
}

async function canMerge(git: Git, from: string, to: string): Promise<boolean> {
  // A file that was only touched or copied would look edited.
  await git.run(["update-index", "--refresh"], { accept: [1] });
  try {
    await git.run(["read-tree", "-m", "-u", "--dry-run", from, to]);
    return true;
  } catch (error) {
    if (!(error instanceof GitError) || error.locked) throw error;
    return false;
  }
}

async function emptyTree(git: Git): Promise<string> {
  return await git.text(["hash-object", "-t", "tree", "-w", "--stdin"], { input: "" });
}
