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
import { publishApart, publishBeside, type PublishOptions } from "./publish_graphs.ts";

/** Stands for the branch that everything else is committed to. */
const SAME = "same";

/** What keeping graphs takes. */
export interface KeepGraphsOptions extends PublishOptions {
  root: string;
  workspace: Workspace;
  /** Where everything else is kept. */
  store: Store;
}

/** What became of graphs. */
export interface KeptGraphs {
  /** Number of files in the workspace that have got another content. */
  written: number;
  /** Number of files that went from there. */
  removed: number;
  /** Whether anything new was published. */
  published: boolean;
  /** Where they are, for people. */
  place: string;
  /** Things the user should know, for people. */
  notes: string[];
  /** Why they could not be published; they are in the workspace all the same. */
  refused?: Error;
}

type Publication = Omit<KeptGraphs, "written" | "removed">;

/** Writes graphs into the workspace, where they differ, and publishes them to where they belong. */
export async function keepGraphs(
  drawn: Drawn,
  options: KeepGraphsOptions,
): Promise<KeptGraphs> {
  const { workspace, branch } = options;
  const changes = await pendingGraphs(workspace, drawn);
  // What is committed to the branch comes with it: files that are there before look like the user's edits.
  if (branch !== SAME) await writeGraphs(workspace, changes);
  const publication = await publish(drawn, options).catch(asRefusal).finally(async () =>
    await writeGraphs(workspace, await pendingGraphs(workspace, drawn))
  );
  const contents = [...changes.values()];
  const removed = contents.filter((content) => content === null).length;
  return { written: contents.length - removed, removed, ...publication };
}

/** What {@linkcode keepGraphs} changes in the workspace. */
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
  if (branch === SAME) return await publishBeside(store, drawn, options.commit);
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
    const came = await publishApart(repository, drawn, options);
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

/** What keeps graphs from being published is no reason to lose them, or to say nothing of the rest. */
function asRefusal(error: unknown): Publication {
  if (!(error instanceof RemoteError || error instanceof RepositoryError)) throw error;
  return { ...filesOnly("they could not be published"), refused: error };
}
