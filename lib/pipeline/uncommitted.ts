import { dirname } from "node:path/posix";
import { API_FOLDER, isApiPath } from "../history/api_path.ts";
import { CHECKS_FOLDER, parseRows } from "../history/checks_log.ts";
import { INCIDENTS_FOLDER } from "../history/incident.ts";
import { HISTORY_FOLDER, parseRecord } from "../history/record.ts";
import { parseStoredIncident } from "../history/stored_incidents.ts";
import { parseSummary, SUMMARY_PATH } from "../statistics/summary.ts";
import type { Workspace } from "../io/workspace.ts";
import type { Snapshot, Store } from "../history/store/store.ts";
import { streamTexts } from "../history/store/files_store.ts";
import { isMemory, STATE_FOLDER } from "./memory.ts";

/** What a text has to be, to be of the history, by its folder. */
const READABLE: Readonly<Record<string, (text: string) => boolean>> = {
  [HISTORY_FOLDER]: (text) => parseRecord(text) !== undefined,
  [INCIDENTS_FOLDER]: (text) => parseStoredIncident(text) !== undefined,
  [STATE_FOLDER]: isMemory,
  [CHECKS_FOLDER]: (text) => parseRows(text).length > 0,
};

/** What tells whether the text of a path is ours; absent where none can be. */
function readableAt(path: string): ((text: string) => boolean) | undefined {
  if (path === SUMMARY_PATH) return (text) => parseSummary(text).size > 0;
  return isApiPath(path) ? () => true : READABLE[dirname(path)];
}

/**
 * The history that was kept as plain files before a folder became a repository, and what was made of it
 * for others: where no history is committed yet, what git does not track and reads as ours. Texts by
 * path; none where there is no such.
 */
async function uncommittedHistory(
  store: Store,
  snapshot: Snapshot,
  workspace: Workspace,
): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  if ((await snapshot.list(HISTORY_FOLDER)).length > 0) return files;
  const own = await store.untracked(HISTORY_FOLDER);
  const derived = own.length > 0 ? await store.untracked(API_FOLDER) : [];
  for (const path of [...own, ...derived]) {
    const isReadable = readableAt(path);
    const text = isReadable === undefined ? undefined : await workspace.read(path);
    if (text !== undefined && isReadable!(text)) files.set(path, text);
  }
  return files;
}

/** The newest state of a history, and the files of it that are not committed yet, which stand in it. */
export async function readNewest(
  store: Store,
  workspace: Workspace,
): Promise<{ newest: Snapshot; uncommitted: ReadonlyMap<string, string> }> {
  const snapshot = await store.read();
  const uncommitted = await uncommittedHistory(store, snapshot, workspace);
  const newest = uncommitted.size > 0 ? snapshotOfFiles(uncommitted, snapshot) : snapshot;
  return { newest, uncommitted };
}

/** Files at hand in place of those of a snapshot. */
function snapshotOfFiles(
  files: ReadonlyMap<string, string>,
  { capabilities, pending, readAll, readBytes, list }: Snapshot,
): Snapshot {
  const paths = [...files.keys()];
  return {
    capabilities,
    pending,
    readAll,
    readBytes,
    read: (wanted) =>
      Promise.resolve(
        new Map(wanted.flatMap((path) => files.has(path) ? [[path, files.get(path)!]] : [])),
      ),
    stream: (wanted) => streamTexts(files, wanted),
    list: async (folder) => [
      ...paths.filter((path) => dirname(path) === folder)
        .map((path) => path.slice(folder.length + 1)),
      ...await list(folder),
    ],
  };
}
