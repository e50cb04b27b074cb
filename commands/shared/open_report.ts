import { type Config, hasAllSites } from "../../lib/config/config.ts";
import { isUsable } from "../../lib/io/problem.ts";
import { type Context, loadReported, storeOptions } from "./context.ts";
import { folderWorkspace, type Workspace } from "../../lib/io/workspace.ts";
import { incidentPath } from "../../lib/history/incident.ts";
import { type ReadHistories, readHistories } from "../../lib/history/read_histories.ts";
import type { Report } from "../../lib/statistics/report/report.ts";
import { selectPublicReport } from "../../lib/statistics/report/public_report.ts";
import { computeReport } from "../../lib/statistics/report/report_of.ts";
import { readNewest } from "../../lib/pipeline/uncommitted.ts";
import { createProgress } from "./progress.ts";
import { openStore, openStoreOrFolder } from "../../lib/history/store/open_store.ts";
import type { Snapshot, Store } from "../../lib/history/store/store.ts";

export interface OpenedReport {
  config: Config;
  file: string;
  /** True if the configuration {@linkcode hasAllSites}. */
  listsAllSites: boolean;
  /** True if every location of the configuration can be read. */
  listsAllLocations: boolean;
  workspace: Workspace;
  store: Store;
  snapshot: Snapshot;
  /** Files of it that are not committed yet. */
  uncommitted: ReadonlyMap<string, string>;
  /** True if HEAD is detached, so the files of the folder were read. */
  isDetached: boolean;
  read: ReadHistories;
  /** The report of everything that is published: hidden sites are not in it. */
  report: Report;
  /** The report of all sites, for the people who run the monitor. */
  fullReport: Report;
}

/**
 * Loads configuration and history, logs problems, and makes the report; `undefined` if the configuration
 * has no usable site. With `isShown` nothing is written: with a detached HEAD the files of the folder are read.
 */
export async function openReport(
  context: Context,
  { isShown = false }: { isShown?: boolean } = {},
): Promise<OpenedReport | undefined> {
  const { root, clock, log } = context;
  const workspace = folderWorkspace(root);
  const { config, problems, file } = await loadReported(context);
  const listsAllSites = hasAllSites(problems, context.config);
  const listsAllLocations = listsAllSites &&
    !problems.some(({ severity, path: [key] }) => severity === "error" && key === "locations");
  if (config === undefined || (config.sites.length === 0 && !isUsable(problems))) return undefined;
  const options = storeOptions(context, file, isShown);
  const { store, isDetached } = isShown
    ? await openStoreOrFolder(root, options)
    : { store: await openStore(root, options), isDetached: false };
  const { newest: snapshot, uncommitted } = await readNewest(store, workspace);
  const read = await readHistories(
    snapshot,
    config.sites,
    createProgress("Reading the history", context),
  );
  log.endProgress();
  for (const path of read.illegible) {
    log.warn(
      `${path} can't be read, so its checks are left out: the first line has to list the columns, separated by commas`,
    );
  }
  const { ids, incidents } = read.stored;
  for (const id of ids) {
    if (!incidents.has(id)) {
      log.warn(`${incidentPath(id)} can't be read, so its incident is left out`);
    }
  }
  const fullReport = computeReport(config, read, clock.now());
  const report = selectPublicReport(fullReport, read);
  const opened = {
    config,
    file,
    listsAllSites,
    listsAllLocations,
    workspace,
    store,
    snapshot,
    uncommitted,
  };
  return { ...opened, isDetached, read, report, fullReport };
}
