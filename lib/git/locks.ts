import { isAbsolute, join, relative } from "node:path";

/** What git says where it gave up because another one was at the same thing. */
const LOCKED =
  /unable to lock|cannot lock|\.lock': File exists|could not lock|Unable to create '.*\.lock'/;
/** The same, where that other one is still at it, or was killed. */
const HELD = /Unable to create '(.+\.lock)': File exists/;

/** Age from which the lock of a ref is one that a killed git has left behind: git holds them for a moment. */
const STALE = { minutes: 10 };

/** Whether git's own messages, and not those of a remote, tell of a lock. */
export function tellsOfLock(stderr: string): boolean {
  return LOCKED.test(ownMessages(stderr));
}

/** The lock file that git's own messages say is in the way. */
export function heldLock(stderr: string): string | undefined {
  return HELD.exec(ownMessages(stderr))?.[1];
}

function ownMessages(stderr: string): string {
  return stderr.split("\n").filter((line) => !line.startsWith("remote:")).join("\n");
}

/**
 * Whether a lock file may go, by its age: that of a ref in one of the folders in which git keeps them.
 * That of the index is the user's: an editor may hold it for hours.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * const now = Temporal.Instant.from("2026-11-21T10:05:00Z");
 * const folders = ["/shop/.git"];
 * const before = now.subtract({ hours: 1 });
 * assert(isStale("/shop/.git/refs/heads/main.lock", { folders, modified: before, now }));
 * assert(!isStale("/shop/.git/refs/heads/main.lock", { folders, modified: now, now }));
 * assert(!isStale("/shop/.git/index.lock", { folders, modified: before, now }));
 * assert(!isStale("/shop/deno.lock", { folders, modified: before, now }));
 * ```
 */
export function isStale(
  lock: string,
  { folders, modified, now }: {
    folders: readonly string[];
    modified: Temporal.Instant;
    now: Temporal.Instant;
  },
): boolean {
  const ofRef = folders.some((folder) => {
    const path = relative(folder, lock);
    return /^(?:refs[/\\].*|HEAD|packed-refs)\.lock$/.test(path);
  });
  return ofRef && Temporal.Instant.compare(modified.add(STALE), now) < 0;
}

/** Removes the lock that a killed git has left behind on a ref; `false` where it is none, or can't be removed. */
export async function removeStaleLock(
  lock: string,
  { root, folders }: { root: string; folders: readonly string[] },
): Promise<boolean> {
  const path = isAbsolute(lock) ? lock : join(root, lock);
  try {
    const { mtime } = await Deno.lstat(path);
    if (mtime === null) return false;
    const modified = Temporal.Instant.fromEpochMilliseconds(mtime.getTime());
    if (!isStale(path, { folders, modified, now: Temporal.Now.instant() })) return false;
    await Deno.remove(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return true;
    // The program may write into its own folder only, and the repository may reach further up.
    const { NotCapable, PermissionDenied } = Deno.errors;
    if (error instanceof NotCapable || error instanceof PermissionDenied) return false;
    throw error;
  }
}
