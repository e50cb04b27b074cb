import { excludeGenerated } from "../../git/exclude.ts";
import { branchTips, fetchBranch, push, RemoteError, retryPush } from "../../git/remote.ts";
import { openRepository, type RemoteRepository, RepositoryError } from "../../git/repository.ts";
import type { Change, Store } from "../../history/store/store.ts";
import type { Clock } from "../../io/clock.ts";
import type { Workspace } from "../../io/workspace.ts";
import {
  type Drawn,
  findGraphSlug,
  type GraphChanges,
  graphChanges,
  graphPath,
  GRAPHS_FOLDER,
  ignoreLine,
  isGraphOfAny,
} from "./graph_files.ts";
import type { Git } from "../../git/git.ts";
import { findCommit, listBlobs, makeCommits, readContents } from "../../git/objects.ts";
import { packObjects } from "../../git/work_tree.ts";

/** Value of `graphs.branch` for the branch of all other files. */
const SAME = "same";

interface KeepGraphsOptions {
  root: string;
  workspace: Workspace;
  store: Store;
  branch: string;
  commit: GraphsCommit;
  clock: Clock;
}

export interface KeptGraphs {
  written: number;
  removed: number;
  /** True if anything new was published. */
  published: boolean;
  /** Location of the graphs, for messages. */
  place: string;
  notes: string[];
  /** Error that prevented publishing; the graphs are in the workspace anyway. */
  refused?: Error;
}

type Publication = Omit<KeptGraphs, "written" | "removed">;

const isOurs = (path: string) => findGraphSlug(path) !== undefined;

/** Writes the graphs that differ into the workspace and publishes them. */
export async function keepGraphs(drawn: Drawn, options: KeepGraphsOptions): Promise<KeptGraphs> {
  const { workspace, branch } = options;
  const changes = await pendingGraphs(workspace, drawn);
  // A commit to the branch brings its files along: those that exist before look like the user's edits.
  if (branch !== SAME) await writeGraphs(workspace, changes);
  const publication = await publish(drawn, options).finally(async () =>
    await writeGraphs(workspace, await pendingGraphs(workspace, drawn))
  );
  const contents = [...changes.values()];
  const removed = contents.filter((content) => content === null).length;
  return { written: contents.length - removed, removed, ...publication };
}

async function pendingGraphs(workspace: Workspace, drawn: Drawn): Promise<GraphChanges> {
  return graphChanges(await workspace.readAll(GRAPHS_FOLDER, isOurs), drawn);
}

async function writeGraphs(workspace: Workspace, changes: GraphChanges): Promise<void> {
  for (const [path, content] of changes) {
    if (content === null) await workspace.remove(path);
    else await workspace.write(path, content);
  }
}

/** Publishes graphs. A failure must neither lose the graphs nor hide the rest of the result. */
async function publish(drawn: Drawn, options: KeepGraphsOptions): Promise<Publication> {
  const { branch, root, store, commit } = options;
  const notes: string[] = [];
  const filesOnly = (reason: string, refused?: Error): Publication => (
    { published: false, place: `files only, ${reason}`, notes, refused }
  );
  try {
    if (branch === SAME) {
      const { commit: made, place, notes } = await store.publish(async (snapshot) => {
        const files = graphChanges(await snapshot.readAll(GRAPHS_FOLDER, isOurs), drawn);
        return files.size === 0 ? undefined : { ...commit, files };
      });
      return { published: made !== undefined, place, notes };
    }
    const repository = await openRepository(root);
    if (typeof repository === "string") return filesOnly(repository);
    const { prefix, remote } = repository;
    const [path = graphPath("any", "all", "light", "png")] = drawn.files.keys();
    notes.push(
      ...await excludeGenerated(repository, {
        line: ignoreLine(prefix),
        path: prefix + path,
        name: "the graphs",
        tracked:
          `graphs are published by themselves, and your branch holds some too; to keep them out of it: git rm -r -q --cached ${GRAPHS_FOLDER}`,
      }),
    );
    if (remote === undefined) return filesOnly("no remote");
    const published = await publishToOwnBranch({ ...repository, remote }, drawn, options);
    return { published, place: `${branch} at ${remote.name}`, notes };
  } catch (error) {
    if (!(error instanceof RemoteError || error instanceof RepositoryError)) throw error;
    return filesOnly("they could not be published", error);
  }
}

type GraphsCommit = Omit<Change, "files" | "pending">;

const CURE = "set graphs.branch to another name, or to same";

/**
 * Replaces the single commit of the graphs' own branch by one with the drawn graphs and the graphs of other
 * folders of the repository. Returns true if that changes anything.
 *
 * @throws {RepositoryError} If the branch is not for graphs alone.
 * @throws {RemoteError} If the remote does not answer, or refuses.
 */
async function publishToOwnBranch(
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
