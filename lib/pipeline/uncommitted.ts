import { API_FOLDER, isApiPath } from "../history/api_path.ts";
import { findRecordSlug, HISTORY_FOLDER, STATE_FOLDER } from "../config/record_path.ts";
import type { Workspace } from "../io/workspace.ts";
import { overlayFiles, type Snapshot, type Store } from "../history/store/store.ts";
import { CHECKS_FOLDER, parseRows } from "../history/checks_log.ts";
import { findIncidentId } from "../history/incident.ts";
import { isRunState } from "../history/run_state.ts";
import { parseRecord } from "../history/record.ts";
import { parseStoredIncident } from "../history/stored_incidents.ts";
import { parseSummary, SUMMARY_PATH } from "../statistics/summary.ts";

function isOurs(path: string, text: string): boolean {
  if (isApiPath(path)) return true;
  if (path === SUMMARY_PATH) return parseSummary(text).size > 0;
  if (findRecordSlug(path) !== undefined) return parseRecord(text) !== undefined;
  if (path.startsWith(`${CHECKS_FOLDER}/`)) return parseRows(text).length > 0;
  if (path.startsWith(`${STATE_FOLDER}/`)) return isRunState(text);
  return findIncidentId(path) !== undefined && parseStoredIncident(text) !== undefined;
}

/**
 * Reads the newest state of a history. If no history is committed yet, it consists of the files that were kept
 * before the folder became a repository: those that git does not track and that are ours, by path.
 */
export async function readNewest(
  store: Store,
  workspace: Workspace,
): Promise<{ newest: Snapshot; uncommitted: ReadonlyMap<string, string> }> {
  const newest = await store.read();
  const uncommitted = new Map<string, string>();
  if ((await newest.list(HISTORY_FOLDER)).length > 0) return { newest, uncommitted };
  const own = await store.untracked(HISTORY_FOLDER);
  const derived = own.length > 0 ? await store.untracked(API_FOLDER) : [];
  for (const path of [...own, ...derived]) {
    const text = await workspace.read(path);
    if (text !== undefined && isOurs(path, text)) uncommitted.set(path, text);
  }
  if (uncommitted.size === 0) return { newest, uncommitted };
  return { newest: overlayFiles({ ...newest, version: undefined }, uncommitted), uncommitted };
}
