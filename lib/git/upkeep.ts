import { type Git, GitError } from "./git.ts";

/** Objects that nothing refers to any more are packed too, where git knows how: each run leaves some. */
const SETTING = "gc.cruftPacks=true";

/**
 * Lets git pack what lies loose where there is much of it, as the user has set it, in the background. A
 * clone in which runs are made for years would otherwise fill with files of a few bytes.
 */
export async function keepHouse(git: Git): Promise<void> {
  await git.run(["-c", SETTING, "gc", "--auto", "--quiet"], { upkeep: true, accept: [1, 128] });
}

/**
 * Lets go of what a branch of a remote held before: its log would keep that for a month, though nobody asks
 * for it any more.
 */
export async function forgetReplaced(
  git: Git,
  { name, branch }: { name: string; branch: string },
): Promise<void> {
  const ref = `refs/remotes/${name}/${branch}`;
  try {
    await git.run(["reflog", "expire", "--expire=now", ref], {
      accept: [1, 128, 255],
      attempts: 3,
    });
  } catch (error) {
    if (!(error instanceof GitError && error.locked)) throw error;
  }
}
