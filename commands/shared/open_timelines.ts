import type { Config } from "../../lib/config/config.ts";
import { loadConfigIfAny } from "../../lib/config/load.ts";
import type { Context } from "./context.ts";
import { surroundingsOf } from "../../lib/git/repository.ts";
import { folderWorkspace } from "../../lib/io/workspace.ts";
import { readNewest } from "../../lib/pipeline/uncommitted.ts";
import { openReadOnlyStore } from "../../lib/history/store/open_store.ts";
import { bringTimelines, type BroughtTimelines, type TimelineCommit } from "./bring_timelines.ts";

/** What a command that shows incidents begins with. */
export interface OpenedTimelines extends BroughtTimelines {
  /** Absent where there is none, or nothing of it can be used. */
  config?: Config;
  /** Address of the git remote. */
  origin?: string;
}

/**
 * Opens the history of a folder, also where no branch is checked out or nothing is configured, and reads
 * the timelines of its incidents.
 */
export async function openTimelines(
  context: Context,
  commit: TimelineCommit,
): Promise<OpenedTimelines> {
  const { root, clock, log } = context;
  const workspace = folderWorkspace(root);
  const loaded = await loadConfigIfAny(workspace, context);
  const { config, file: lock = "" } = loaded ?? {};
  const warn = (text: string) => log.warn(text);
  // Without a configuration nothing tells where a timeline would be from, nor what runs share.
  const readOnly = context.dryRun || config === undefined;
  const opened = await openReadOnlyStore(root, { workspace, lock, clock, warn });
  const { store, isDetached } = opened;
  const [{ newest: snapshot, uncommitted }, surroundings] = await Promise.all([
    readNewest(store, workspace),
    surroundingsOf(root),
  ]);
  const history = { config, store, snapshot, uncommitted, surroundings };
  const brought = await bringTimelines(
    { ...history, readOnly: readOnly || isDetached },
    commit,
    context,
  );
  return { ...brought, config, origin: surroundings.origin };
}
