import type { Git } from "../../git/git.ts";
import { findCommit, listBlobs, makeCommits, readContents } from "../../git/objects.ts";
import { branchTips, fetchBranch, push, RemoteError, retryPush } from "../../git/remote.ts";
import { type RemoteRepository, RepositoryError } from "../../git/repository.ts";
import { packObjects } from "../../git/work_tree.ts";
import type { Change } from "../../history/store/store.ts";
import type { Clock } from "../../io/clock.ts";
import { type Drawn, findGraphSlug, graphChanges, isGraphOfAny } from "./graph_files.ts";

export type GraphsCommit = Omit<Change, "files" | "pending">;

const CURE = "set graphs.branch to another name, or to same";

/**
 * Replaces the single commit of the graphs' own branch by one with the drawn graphs and the graphs of other
 * folders of the repository. Returns true if that changes anything.
 *
 * @throws {RepositoryError} If the branch is not for graphs alone.
 * @throws {RemoteError} If the remote does not answer, or refuses.
 */
export async function publishToOwnBranch(
  repository: RemoteRepository,
  drawn: Drawn,
  { branch, commit, clock }: { branch: string; commit: GraphsCommit; clock: Clock },
): Promise<boolean> {
  const { git, prefix, remote: { name, branch: upstream } } = repository;
  const place = `${branch} at ${name}`;
  const isMonitored = [repository.branch, upstream]
    .some((one) => one.toLowerCase() === branch.toLowerCase());
  if (isMonitored) {
    throw new RepositoryError(
      `Cannot publish graphs to ${branch}: it is the monitored branch, and would be replaced; ${CURE}`,
    );
  }
  return await retryPush(`publish graphs to ${place}`, clock, async () => {
    const tips = await branchTips(git, { name });
    // GitHub takes the first branch of a repository for the main one.
    if (tips.size === 0) {
      throw new RepositoryError(
        `Cannot publish graphs to ${branch}: ${name} has no branch yet; push yours first: git push -u ${name} ${repository.branch}`,
      );
    }
    const from = tips.get(branch);
    if (from !== undefined && await findCommit(git, from) === undefined) {
      await fetchBranch(git, { name, branch });
      if (await findCommit(git, from) === undefined) return "overtaken";
    }
    const blobs = await readOwnBlobs(git, from, { name, branch });
    const held = [...blobs].flatMap(([path, blob]) => {
      const own = path.startsWith(prefix) ? path.slice(prefix.length) : "";
      return findGraphSlug(own) === undefined ? [] : [{ own, blob }];
    });
    const contents = await readContents(git, held.map(({ blob }) => blob));
    const changes = graphChanges(
      new Map(held.map(({ own }, index) => [own, contents[index]!])),
      // The branch is known to be ours, so a graph of any slug is.
      { ...drawn, monitored: undefined },
    );
    if (changes.size === 0) return false;
    const files = new Map([...changes].map(([path, content]) => [prefix + path, content]));
    const { run: id, time, author, message } = commit;
    const [made] = await makeCommits(repository, [{ blobs, files, message }], { id, time, author });
    const answer = await push(git, { name, branch }, { branch: made!, replaced: { from } });
    if (answer.kind === "overtaken") return "overtaken";
    if (answer.kind === "refused") {
      throw new RemoteError(
        `Cannot publish graphs to ${place}: the remote refused ${answer.reason}; let this token replace that branch there, or ${CURE}`,
        false,
      );
    }
    await packObjects(git);
    return true;
  });
}

/**
 * The blobs of the graphs' branch, by path; none without a commit.
 *
 * @throws {RepositoryError} If it contains anything that is not ours, which must not be lost.
 */
async function readOwnBlobs(
  git: Git,
  commit: string | undefined,
  { name, branch }: { name: string; branch: string },
): Promise<Map<string, string>> {
  if (commit === undefined) return new Map();
  // The commit object names its parents even if they were never fetched.
  const [header = ""] = (await git.text(["cat-file", "commit", commit])).split("\n\n");
  const blobs = await listBlobs(git, commit);
  const other = /^parent /m.test(header)
    ? "commits of others"
    : [...blobs.keys()].find((path) => !isGraphOfAny(path));
  if (other === undefined) return blobs;
  throw new RepositoryError(
    `Cannot publish graphs to ${branch}: that branch of ${name} holds ${other}, which would be lost; ${CURE}, or delete it if nobody needs it: git push ${name} --delete ${branch}`,
  );
}
