import { excludeGenerated } from "../../git/exclude.ts";
import { RemoteError } from "../../git/remote.ts";
import { openRepository, type RemoteRepository, RepositoryError } from "../../git/repository.ts";
import type { Workspace } from "../../io/workspace.ts";
import type { Store } from "../../history/store/store.ts";
import {
  type Drawn,
  type GraphChanges,
  graphChanges,
  graphPath,
  GRAPHS_FOLDER,
  ignoreLine,
  slugOfGraph,
} from "./graph_files.ts";
import { type PublishOptions, publishToOwnBranch, publishToSameBranch } from "./publish_graphs.ts";

/** Value of `graphs.branch` for the branch of all other files. */
const SAME = "same";

/** Options of {@linkcode keepGraphs}. */
interface KeepGraphsOptions extends PublishOptions {
  root: string;
  workspace: Workspace;
  /** Store of the history. */
  store: Store;
}

/** Result of {@linkcode keepGraphs}. */
export interface KeptGraphs {
  /** Number of files in the workspace that were written. */
  written: number;
  /** Number of files that were removed from it. */
  removed: number;
  /** True if anything new was published. */
  published: boolean;
  /** Location of the graphs, for messages. */
  place: string;
  /** Notes for the user. */
  notes: string[];
  /** Error that prevented publishing; the graphs are in the workspace all the same. */
  refused?: Error;
}

type Publication = Omit<KeptGraphs, "written" | "removed">;

/** Writes the graphs that differ into the workspace and publishes them. */
export async function keepGraphs(
  drawn: Drawn,
  options: KeepGraphsOptions,
): Promise<KeptGraphs> {
  const { workspace, branch } = options;
  const changes = await pendingGraphs(workspace, drawn);
  // A commit to the branch brings its files along: those that exist before look like the user's edits.
  if (branch !== SAME) await writeGraphs(workspace, changes);
  const publication = await publish(drawn, options).catch(asRefusal).finally(async () =>
    await writeGraphs(workspace, await pendingGraphs(workspace, drawn))
  );
  const contents = [...changes.values()];
  const removed = contents.filter((content) => content === null).length;
  return { written: contents.length - removed, removed, ...publication };
}

/** The changes of {@linkcode keepGraphs} in the workspace. */
export async function pendingGraphs(workspace: Workspace, drawn: Drawn): Promise<GraphChanges> {
  const isOurs = (path: string) => slugOfGraph(path) !== undefined;
  return graphChanges(await workspace.readAll(GRAPHS_FOLDER, isOurs), drawn);
}

async function writeGraphs(workspace: Workspace, changes: GraphChanges): Promise<void> {
  for (const [path, content] of changes) {
    if (content === null) await workspace.remove(path);
    else await workspace.write(path, content);
  }
}

async function publish(drawn: Drawn, options: KeepGraphsOptions): Promise<Publication> {
  const { branch, root, store } = options;
  if (branch === SAME) return await publishToSameBranch(store, drawn, options.commit);
  const repository = await openRepository(root);
  if (typeof repository === "string") return filesOnly(repository);
  const { prefix } = repository;
  const notes = await excludeGenerated(repository, {
    line: ignoreLine(prefix),
    path: prefix + graphPath("any", "all", "light", "png"),
    name: "the graphs",
    tracked:
      `graphs are published by themselves, and your branch holds some too; to keep them out of it: git rm -r -q --cached ${GRAPHS_FOLDER}`,
  });
  const { remote } = repository;
  if (remote === undefined) return { ...filesOnly("there is no remote"), notes };
  return await publishThere({ ...repository, remote }, drawn, { ...options, notes });
}

async function publishThere(
  repository: RemoteRepository,
  drawn: Drawn,
  { notes, ...options }: PublishOptions & { notes: string[] },
): Promise<Publication> {
  const { name } = repository.remote;
  const place = `${options.branch} at ${name}`;
  try {
    const came = await publishToOwnBranch(repository, drawn, options);
    if (came !== "unborn") return { published: came === "published", place, notes };
    const note =
      `${name} has no branch yet, and would take that of the graphs for its main one, so they stay here; push yours first: git push -u ${name} ${repository.branch}`;
    return { ...filesOnly(`${name} has no branch yet`), notes: [...notes, note] };
  } catch (error) {
    return { ...asRefusal(error), notes };
  }
}

function filesOnly(reason: string): Publication {
  return { published: false, place: `files only, ${reason}`, notes: [] };
}

/** A failure to publish must neither lose the graphs nor hide the rest of the result. */
function asRefusal(error: unknown): Publication {
  if (!(error instanceof RemoteError || error instanceof RepositoryError)) throw error;
  return { ...filesOnly("they could not be published"), refused: error };
}
