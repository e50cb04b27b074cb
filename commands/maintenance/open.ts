import type { Config } from "../../lib/config/config.ts";
import type { LoadedConfig } from "../../lib/config/load.ts";
import type { Context } from "../../lib/context.ts";
import { surroundingsOf } from "../../lib/doors/git/repository.ts";
import type { Platform } from "../../lib/doors/platform/platform.ts";
import type { Workspace } from "../../lib/doors/workspace.ts";
import { reachPlatform } from "../../lib/reach_platform.ts";
import { openStore, type OpenStoreOptions } from "../../lib/store/open_store.ts";
import type { Store } from "../../lib/store/store.ts";

/** What was asked for, and what it is about. */
export interface MaintenanceWork {
  context: Context;
  /** The words after what is to be done. */
  words: readonly string[];
  loaded: LoadedConfig;
  config: Config;
  workspace: Workspace;
}

/** Opens the history that maintenance is kept in. */
export async function openStoreOf(
  { context, loaded, workspace }: MaintenanceWork,
  options: Pick<OpenStoreOptions, "readOnly">,
): Promise<Store> {
  const { root, clock, log } = context;
  const warn = (text: string) => log.warn(text);
  return await openStore(root, { workspace, lock: loaded.file, clock, warn, ...options });
}

/** Where issues announce maintenance, and for which folder; no platform where there is no token or no repository. */
export async function announcementsOf(
  { context, config }: MaintenanceWork,
): Promise<{ platform?: Platform; folder: string }> {
  const { origin, prefix: folder } = await surroundingsOf(context.root);
  return { platform: reachPlatform({ config, origin }, context), folder };
}
