import { findCommit, makeCommits } from "../../git/objects.ts";
import { type Repository, RepositoryError } from "../../git/repository.ts";
import { advanceBranch, finishMove, packObjects } from "../../git/work_tree.ts";
import { commitFiles, commitOnto } from "./commit_files.ts";
import { LOCAL } from "./files_store.ts";
import type { Decide, GitStoreOptions, Snapshot, Store } from "./store.ts";

/** Times that the branch may move under a run before it gives up. */
const RACES = 10;

/** Stores the history as commits on the checked-out branch of a repository without a remote. */
export function localStore(
  repository: Repository,
  { exclusively }: Pick<GitStoreOptions, "exclusively">,
): Store {
  const place = `branch ${repository.branch}, no remote`;
  return {
    place,
    read: () => headSnapshot(repository),
    untracked: (folder) => untrackedFiles(repository, folder),
    track: (paths) => trackFiles(repository, paths),
    async publish(decide) {
      const commit = await exclusively(() => commitLocally(repository, decide));
      return { commit, notes: [], place };
    },
  };
}

/** The history in the commit that is checked out. */
export async function headSnapshot(repository: Repository): Promise<Snapshot> {
  const head = await findCommit(repository.git, "HEAD");
  return {
    version: head,
    capabilities: LOCAL,
    pending: { texts: new Map() },
    ...commitFiles(repository, head),
  };
}

/**
 * Commits a change on the checked-out branch, and brings its files along.
 *
 * @throws {RepositoryError} If the user has edited files that the change writes.
 */
export async function commitLocally(
  repository: Repository,
  decide: Decide,
): Promise<string | undefined> {
  const { git, branch } = repository;
  for (let attempt = 1; attempt <= RACES; attempt++) {
    const snapshot = await headSnapshot(repository);
    const change = await decide(snapshot);
    if (change === undefined) return undefined;
    const { run: id, time, author } = change;
    const { version: head } = snapshot;
    if (head !== undefined) await finishMove(repository, head);
    const made = commitOnto(repository, head, change);
    const [commit] = await makeCommits(repository, [made], { author, time, id });
    const advanced = await advanceBranch(repository, head, commit!);
    if (advanced.kind === "blocked") {
      throw new RepositoryError(
        `Cannot commit to ${branch}: ${advanced.reason}`,
      );
    }
    if (advanced.kind === "overtaken") continue;
    await packObjects(git);
    return commit;
  }
  throw new RepositoryError(`Cannot commit to ${branch}: it kept moving`);
}

/** Paths of the files in a folder of the work tree that git does not track, ignored ones included. */
export async function untrackedFiles(
  { git, prefix }: Repository,
  folder: string,
): Promise<string[]> {
  const paths = ["--", `:(literal)${prefix}${folder}`];
  const output = await git.text(["ls-files", "--others", "-z", ...paths]);
  return output.split("\0").filter((path) => path !== "").map((path) => path.slice(prefix.length));
}

/** Adds files of the work tree to the index. */
export async function trackFiles(
  { git, prefix }: Repository,
  paths: readonly string[],
): Promise<void> {
  const input = paths.map((path) => `${prefix}${path}\0`).join("");
  await git.run(["update-index", "--add", "-z", "--stdin"], { input });
}
