import type { Store } from "../../history/store/store.ts";
import { type Drawn, graphChanges } from "./graph_changes.ts";
import { GRAPHS_FOLDER, slugOfGraph } from "./graph_files.ts";
import type { GraphsCommit } from "./publish_apart.ts";

/** Commits graphs beside everything else, where they differ from those that the branch holds. */
export async function publishBeside(
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
