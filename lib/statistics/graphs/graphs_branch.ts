import type { Git } from "../../git/git.ts";
import { listBlobs } from "../../git/objects.ts";
import { type RemoteRepository, RepositoryError } from "../../git/repository.ts";
import { isGraphOfAny } from "./graph_files.ts";

const CURE = "set graphs.branch to another name, or to same";

/**
 * Makes sure that a branch may be replaced as far as its name tells. `others` are the branches that the
 * remote has.
 *
 * @throws {RepositoryError} Where it is not for graphs.
 */
export function assertOurName(
  branch: string,
  { repository, others }: { repository: RemoteRepository; others: readonly string[] },
): void {
  const { name, branch: upstream } = repository.remote;
  const plain = branch.toLowerCase();
  if ([repository.branch, upstream].some((one) => one.toLowerCase() === plain)) {
    throw new RepositoryError(
      `Cannot publish graphs to ${branch}: it is the monitored branch, and would be replaced; ${CURE}`,
    );
  }
  const parent = others.find((one) => `${branch}/`.startsWith(`${one}/`) && one !== branch);
  const child = others.find((one) => `${one}/`.startsWith(`${branch}/`) && one !== branch);
  const rival = parent ?? child;
  if (rival !== undefined) {
    throw new RepositoryError(
      `Cannot publish graphs to ${branch}: ${name} has the branch ${rival}, and git can't keep both; ${CURE}`,
    );
  }
}

/**
 * Names of the blobs that the graphs' branch holds, by path; none where it is at no commit.
 *
 * @throws {RepositoryError} Where it holds anything that is not ours, which shall not be lost.
 */
export async function ownBlobs(
  git: Git,
  commit: string | undefined,
  { name, branch }: { name: string; branch: string },
): Promise<Map<string, string>> {
  if (commit === undefined) return new Map();
  const foreign = (what: string) =>
    new RepositoryError(
      `Cannot publish graphs to ${branch}: that branch of ${name} holds ${what}, which would be lost; ${CURE}, or delete it where nobody needs it: git push ${name} --delete ${branch}`,
    );
  // The commit itself tells also where its parents were never fetched.
  const [header = ""] = (await git.text(["cat-file", "commit", commit])).split("\n\n");
  if (/^parent /m.test(header)) throw foreign("commits of others");
  const blobs = await listBlobs(git, commit);
  const other = [...blobs.keys()].find((path) => !isGraphOfAny(path));
  if (other !== undefined) throw foreign(other);
  return blobs;
}
