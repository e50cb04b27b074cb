import type { Config } from "../../lib/config/config.ts";
import type { LoadedConfig } from "../../lib/config/load.ts";
import type { Context } from "../shared/context.ts";
import { surroundingsOf } from "../../lib/git/repository.ts";
import type { GitHub } from "../../lib/github/github.ts";
import type { Workspace } from "../../lib/io/workspace.ts";
import { incidentPath, listIncidents } from "../../lib/history/incident.ts";
import { knownMaintenance } from "../../lib/pipeline/known_maintenance.ts";
import { formatMaintenance, type Maintenance } from "../../lib/history/maintenance.ts";
import { SUMMARY_PATH } from "../../lib/statistics/summary/summary.ts";
import { maintenanceSummaryFiles } from "../../lib/pipeline/summary_files.ts";
import { reachGitHub } from "../shared/reach_github.ts";
import type { OpenStoreOptions } from "../../lib/history/store/open_store.ts";
import type { Decide, Published, Snapshot, Store } from "../../lib/history/store/store.ts";
import { renderBadge } from "../../templates/graph/badge.ts";

/** What was asked for, and what it is about. */
export interface MaintenanceWork {
  context: Context;
  /** The words after what is to be done. */
  words: readonly string[];
  loaded: LoadedConfig;
  config: Config;
  workspace: Workspace;
}

/** How the history that maintenance is kept in is opened. */
export function storeOptions(
  { context: { clock, log }, loaded, workspace }: MaintenanceWork,
): OpenStoreOptions {
  const warn = (text: string) => log.warn(text);
  return { workspace, lock: loaded.file, clock, warn };
}

/** The files that windows changed by hand are written to: their own, the summary and the status badges. */
export async function changedFiles(
  snapshot: Snapshot,
  changed: ReadonlyMap<string, Maintenance>,
  now: Temporal.Instant,
): Promise<Map<string, string>> {
  const ids = new Set(await listIncidents(snapshot));
  const { maintenance } = await knownMaintenance(snapshot, ids, now);
  const all = new Map([...maintenance, ...changed]).values();
  const summary = (await snapshot.read([SUMMARY_PATH])).get(SUMMARY_PATH) ?? "";
  return new Map([
    ...[...changed].map((
      [id, one],
    ): [string, string] => [incidentPath(id), formatMaintenance(one)]),
    ...maintenanceSummaryFiles(summary, { maintenance: all, now }, renderBadge),
  ]);
}

/**
 * Keeps what somebody does by hand, and tells what there is to know of that.
 *
 * @throws {Error} Where the branch takes no commits.
 */
export async function keepByHand(
  store: Store,
  decide: Decide,
  { context: { log } }: MaintenanceWork,
): Promise<Published> {
  const published = await store.publish(decide);
  if (published.refused !== undefined) {
    throw new Error(
      `Nothing was changed: ${published.refused.message}; plan maintenance in the configuration, or announce it by an issue`,
      { cause: published.refused },
    );
  }
  for (const note of published.notes) log.warn(note);
  return published;
}

/** Where issues announce maintenance, and for which folder; no GitHub client if there is no token or no repository. */
export async function announcementsOf(
  { context, config }: MaintenanceWork,
): Promise<{ github?: GitHub; folder: string }> {
  const { origin, prefix: folder } = await surroundingsOf(context.root);
  return { github: reachGitHub({ config, origin }, context), folder };
}
