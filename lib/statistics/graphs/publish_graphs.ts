import { commitOf, listBlobs, makeCommits, readContents } from "../../git/objects.ts";
import type { Git } from "../../git/git.ts";
import {
  branchTips,
  fetchBranch,
  push,
  type PushAnswer,
  RemoteError,
  retryPush,
} from "../../git/remote.ts";
import { type RemoteRepository, RepositoryError } from "../../git/repository.ts";
import { packObjects } from "../../git/work_tree.ts";
import type { Change, Store } from "../../history/store/store.ts";
import type { Clock } from "../../io/clock.ts";
import {
  type Drawn,
  graphChanges,
  GRAPHS_FOLDER,
  isGraphOfAny,
  slugOfGraph,
} from "./graph_files.ts";

/** Metadata of a commit of graphs. */
type GraphsCommit = Omit<Change, "files" | "pending">;

/** Options for publishing graphs. */
export interface PublishOptions {
  /** The branch that contains nothing else. */
  branch: string;
  commit: GraphsCommit;
  clock: Clock;
}

/**
 * Replaces the single commit of the graphs' own branch by one with the drawn graphs and the graphs of other
 * folders of the repository. A remote without any branch is left alone: its first branch becomes the default.
 *
 * @throws {RepositoryError} If the branch is not for graphs alone.
 * @throws {RemoteError} If the remote does not answer, or refuses.
 */
export async function publishToOwnBranch(
  repository: RemoteRepository,
  drawn: Drawn,
  options: PublishOptions,
): Promise<"published" | "unchanged" | "unborn"> {
  const { branch, clock } = options;
  const place = `${branch} at ${repository.remote.name}`;
  return await retryPush(`publish graphs to ${place}`, clock, async () => {
    const answer = await publishOnce(repository, drawn, options);
    if (typeof answer === "string") return answer;
    if (answer.kind === "refused") {
      throw new RemoteError(
        `Cannot publish graphs to ${place}: the remote refused ${answer.reason}; let this token replace that branch there, or set graphs.branch to another name or to same`,
        false,
      );
    }
    if (answer.kind === "done") await packObjects(repository.git);
    return answer.kind === "done" ? "published" : "overtaken";
  });
}

/** One attempt to publish. */
async function publishOnce(
  repository: RemoteRepository,
  drawn: Drawn,
  { branch, commit }: PublishOptions,
): Promise<PushAnswer | "unchanged" | "unborn"> {
  const { git, prefix } = repository;
  const remote = { name: repository.remote.name, branch };
  const tips = await branchTips(git, remote);
  assertOurName(branch, { repository, others: [...tips.keys()] });
  if (tips.size === 0) return "unborn";
  const from = tips.get(branch);
  if (from !== undefined && await commitOf(git, from) === undefined) {
    await fetchBranch(git, remote);
    if (await commitOf(git, from) === undefined) return { kind: "overtaken" };
  }
  const blobs = await readOwnBlobs(git, from, remote);
  const held = [...blobs].flatMap(([path, blob]) => {
    const own = path.startsWith(prefix) ? path.slice(prefix.length) : "";
    return slugOfGraph(own) === undefined ? [] : [{ own, blob }];
  });
  const contents = await readContents(git, held.map(({ blob }) => blob));
  const changes = graphChanges(
    new Map(held.map(({ own }, index) => [own, contents[index]!])),
    // The branch is known to be ours, so a graph of any slug is.
    { ...drawn, monitored: undefined },
  );
  if (changes.size === 0) return "unchanged";
  const files = new Map([...changes].map(([path, content]) => [prefix + path, content]));
  const { run: id, time, author, message } = commit;
  const [made] = await makeCommits(git, [{ blobs, files, message }], { id, time, author });
  return await push(git, remote, { branch: made!, replaced: { from } });
}

/** Commits the graphs that differ to the branch of all other files. */
export async function publishToSameBranch(
  store: Store,
  drawn: Drawn,
  commit: GraphsCommit,
): Promise<{ published: boolean; place: string; notes: string[] }> {
  const { commit: made, place, notes } = await store.publish(async (snapshot) => {
    const isOurs = (path: string) => slugOfGraph(path) !== undefined;
    const files = graphChanges(await snapshot.readAll(GRAPHS_FOLDER, isOurs), drawn);
    return files.size === 0 ? undefined : { ...commit, files };
  });
  return { published: made !== undefined, place, notes };
}

const CURE = "set graphs.branch to another name, or to same";

/**
 * Asserts that the name of a branch allows to replace it, given all branches of the remote.
 *
 * @throws {RepositoryError} If it is not for graphs.
 */
function assertOurName(
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
  const refusal = (what: string) =>
    new RepositoryError(
      `Cannot publish graphs to ${branch}: that branch of ${name} holds ${what}, which would be lost; ${CURE}, or delete it if nobody needs it: git push ${name} --delete ${branch}`,
    );
  // The commit object names its parents even if they were never fetched.
  const [header = ""] = (await git.text(["cat-file", "commit", commit])).split("\n\n");
  if (/^parent /m.test(header)) throw refusal("commits of others");
  const blobs = await listBlobs(git, commit);
  const other = [...blobs.keys()].find((path) => !isGraphOfAny(path));
  if (other !== undefined) throw refusal(other);
  return blobs;
}
