import { commitOf, type Repository } from "../../git/repository.ts";
import { fastForward, moveBranch } from "../../git/move.ts";
import { GitError } from "../../git/git.ts";
import { keptNotes } from "./branch_notes.ts";

/** Times that the local branch may move meanwhile. */
const RACES = 10;

/** What has been published: a commit, and the one it was built on. */
interface Step {
  /** Absent where it is the first. */
  parent: string | undefined;
  /** The same as the parent where nothing was committed. */
  commit: string;
}

/** Brings the checked-out branch along with the remote's, unless it holds work of the user. Returns what to know of that. */
export async function follow(
  repository: Repository,
  remote: string,
  step: Step,
): Promise<string[]> {
  const stays = `your branch ${repository.branch} stays where it is`;
  try {
    return await bringAlong(repository, step, { remote, stays });
  } catch (error) {
    if (!(error instanceof GitError && error.locked)) throw error;
    return [`${stays}: ${error.message}`];
  }
}

async function bringAlong(
  repository: Repository,
  { parent, commit }: Step,
  { remote, stays }: { remote: string; stays: string },
): Promise<string[]> {
  const { git } = repository;
  for (let attempt = 1; attempt <= RACES; attempt++) {
    const head = await commitOf(git, "HEAD");
    if (head !== undefined && await isAncestor(repository, commit, head)) return [];
    if (head !== undefined && head !== parent) {
      if (parent === undefined || !await isAncestor(repository, head, parent)) {
        return [`${stays}: it has commits that ${remote} does not have`];
      }
      const forwarded = await fastForward(repository, head, parent);
      if (forwarded === undefined) continue;
      if (!forwarded) return [`${stays}: files you have edited changed at ${remote}`];
      if (parent === commit) return [];
    }
    const from = head === undefined ? undefined : parent;
    const notes = keptNotes(await moveBranch(repository, from, commit));
    if (notes !== undefined) return notes;
  }
  return [stays];
}

async function isAncestor({ git }: Repository, older: string, newer: string): Promise<boolean> {
  if (older === newer) return true;
  const { code } = await git.run(["merge-base", "--is-ancestor", older, newer], { accept: [1] });
  return code === 0;
}
