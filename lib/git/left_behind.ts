import { systemClock } from "../io/clock.ts";
import { unlessMissingSync } from "../io/inside.ts";
import { holdTogether } from "../io/workspace.ts";
import { shellWord } from "../text/invocation.ts";
import { GitError } from "./git.ts";
import type { Repository } from "./repository.ts";

/** The file that every process holds while it makes commits. */
const HOLD = "build.lock";

/** Start of the refs that git needs while commits are made; none of them stays. */
export const BUILD_REFS = "refs/monitor/build/";

/**
 * Makes commits, after removing the refs that runs which were killed at that have left behind, and their locks. Those of
 * runs that are making commits now stay.
 */
export async function buildCommits<T>(
  repository: Pick<Repository, "git" | "ownFolder" | "buildFolder">,
  build: () => Promise<T>,
): Promise<T> {
  const { ownFolder } = repository;
  return await holdTogether(ownFolder, HOLD, {
    alone: () => removeBuilds(repository),
    action: build,
  });
}

async function removeBuilds(
  { git, buildFolder }: Pick<Repository, "git" | "buildFolder">,
): Promise<void> {
  const { NotCapable, PermissionDenied } = Deno.errors;
  try {
    // A lock would keep git from removing its ref.
    unlessMissingSync(() => Deno.removeSync(buildFolder, { recursive: true }));
    const packed = await git.text(["for-each-ref", "--format=delete %(refname)", BUILD_REFS]);
    if (packed !== "") await git.run(["update-ref", "--stdin"], { input: `${packed}\n` });
  } catch (error) {
    // They are in nobody's way, and the next run tries again.
    if (error instanceof GitError) return;
    if (!(error instanceof NotCapable || error instanceof PermissionDenied)) throw error;
  }
}

/** Milliseconds for which git never holds the lock of packed refs: it writes one file meanwhile. */
const LONGEST_HOLD = 1_000;

/**
 * Finds the lock of packed refs that a git which was killed has left behind, and returns a warning about it: while it
 * is there, git deletes no branch. If there is one, this waits to see whether it stays; clocks may be wrong.
 */
export async function findStaleLock(
  { packedRefsLock: path }: Pick<Repository, "packedRefsLock">,
): Promise<string | undefined> {
  const made = findTime(path);
  if (made === undefined) return undefined;
  await systemClock.wait(LONGEST_HOLD);
  if (findTime(path) !== made) return undefined;
  const command = Deno.build.os === "windows" ? `del "${path}"` : `rm ${shellWord(path)}`;
  return `A git that was killed has left ${path} behind, so that git can delete no branch; if no other git is running here: ${command}`;
}

/** Time of the last change of a file, in milliseconds since 1970; `undefined` if it is missing or can't be read. */
function findTime(path: string): number | undefined {
  try {
    return unlessMissingSync(() => Deno.lstatSync(path))?.mtime?.getTime();
  } catch (error) {
    const { NotCapable, PermissionDenied } = Deno.errors;
    if (error instanceof NotCapable || error instanceof PermissionDenied) return undefined;
    throw error;
  }
}
