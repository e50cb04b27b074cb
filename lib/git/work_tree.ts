import { findReason, type Git, GitError } from "./git.ts";
import { findCommit } from "./objects.ts";
import type { Repository } from "./repository.ts";

/** The message of a move of the branch in its reflog. */
const MOVE = "monitor: record checks";
/** Most consecutive moves whose runs were killed. */
const MOST_KILLED = 5;

/** The outcome of moving a branch: `overtaken` if it moved meanwhile, `blocked` if files of the user are in the way. */
type Advanced = { kind: "done" | "overtaken" } | { kind: "blocked"; reason: string };

/**
 * Moves the checked-out branch forward to a commit, and index and files with it. Other edits of the user stay
 * as they are; if one is in the way, nothing changes. `from` is absent if the branch has no commit yet.
 */
export async function advanceBranch(
  { git, branch }: Repository,
  from: string | undefined,
  to: string,
): Promise<Advanced> {
  const before = await findBase(git, from, to);
  if ("reason" in before) return { kind: "blocked", ...before };
  const moved = await git.run(
    ["update-ref", "-m", MOVE, `refs/heads/${branch}`, to, from ?? ""],
    { accept: [1, 128] },
  );
  if (moved.code !== 0) return { kind: "overtaken" };
  try {
    await git.run(["read-tree", "-m", "-u", before.base, to]);
    return { kind: "done" };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return { kind: "blocked", reason: error.message };
  }
}

/**
 * Brings index and files to the commit of the branch, if runs were killed after they had moved it. Does nothing if
 * the user has staged or edited something.
 */
export async function finishMove({ git, branch }: Repository, commit: string): Promise<void> {
  const isIndexAt = async (one: string) =>
    (await git.run(["diff-index", "--cached", "--quiet", one], { accept: [1, 128] })).code === 0;
  if (await isIndexAt(commit)) return;
  const reflog = ["log", "-g", `-${MOST_KILLED + 1}`, "--format=%H %gs", `refs/heads/${branch}`];
  const moves = (await git.maybe(reflog) ?? "").split("\n");
  for (const [index, move] of moves.entries()) {
    const before = moves[index + 1]?.split(" ")[0];
    if (!move.endsWith(` ${MOVE}`) || before === undefined) return;
    if (!await isIndexAt(before)) continue;
    await git.run(["read-tree", "-m", "-u", before, commit], { accept: [1, 128] });
    return;
  }
}

/** Finds the commit (or empty tree) of index and files: after a killed run, one behind the branch. */
async function findBase(
  git: Git,
  from: string | undefined,
  to: string,
): Promise<{ base: string } | { reason: string }> {
  const base = from ??
    await git.text(["hash-object", "-t", "tree", "-w", "--stdin"], { input: "" });
  const accept = [1, 128];
  const check = (commit: string) =>
    git.run(["read-tree", "-m", "-u", "--dry-run", commit, to], { accept });
  try {
    if ((await check(base)).code === 0) return { base };
    // A file that was only touched or copied looks edited until the index is refreshed.
    await git.run(["update-index", "-q", "--refresh"], { accept });
    const refreshed = await check(base);
    if (refreshed.code === 0) return { base };
    const previous = from === undefined ? undefined : await findCommit(git, `${from}~1`);
    if (previous !== undefined && (await check(previous)).code === 0) return { base: previous };
    const reason = findReason(refreshed);
    const cure = /Permission denied|Read-only file system/.test(reason)
      ? "make that folder writable, or work in a copy elsewhere"
      : "commit, restore or move the file that you have changed";
    return { reason: `${reason}; ${cure}` };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return { reason: error.message };
  }
}

/** True if a commit is another one, or an ancestor of it. */
export async function isAncestor(git: Git, older: string, newer: string): Promise<boolean> {
  if (older === newer) return true;
  const { code } = await git.run(["merge-base", "--is-ancestor", older, newer], { accept: [1] });
  return code === 0;
}

/** Packs loose objects if there are many, as git is configured: each run adds some. */
export async function packObjects(git: Git): Promise<void> {
  await git.run(["-c", "gc.cruftPacks=true", "gc", "--auto", "--quiet"], { accept: [1, 128] });
}
