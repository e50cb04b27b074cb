import { excludeGenerated } from "../../git/exclude.ts";
import { RemoteError } from "../../git/remote.ts";
import { openRepository, RepositoryError } from "../../git/repository.ts";
import type { Store } from "../../history/store/store.ts";
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
} from "./graph_files.ts";
import { type GraphsCommit, publishToOwnBranch } from "./publish_graphs.ts";

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
