import type { Config } from "../../lib/config/config.ts";
import { loadConfigIfAny, noConfigNote } from "../../lib/config/load.ts";
import { readRepositoryInfo, type RepositoryInfo } from "../../lib/git/repository.ts";
import { openStoreOrFolder } from "../../lib/history/store/open_store.ts";
import type { Snapshot, Store } from "../../lib/history/store/store.ts";
import { randomName } from "../../lib/io/clock.ts";
import { createPhaseReader } from "../../lib/incidents/phase_words.ts";
import { folderWorkspace } from "../../lib/io/workspace.ts";
import { type ReadHistory, readTimelines, type Timelines } from "../../lib/pipeline/timelines.ts";
import { readNewest } from "../../lib/pipeline/uncommitted.ts";
import { loadLanguage, loadPageLanguage } from "../../lib/text/languages.ts";
import { commitAuthor, timelinesMessage } from "../../templates/commit_message.ts";
import { type Context, storeOptions } from "./context.ts";
import { reachGitHub, whyNoGitHub } from "./reach_github.ts";

interface OpenedHistory {
  /** Absent if the configuration is missing or unusable. */
  config?: Config;
  store: Store;
  snapshot: Snapshot;
  read?: ReadHistory;
  /** Files of it that are not committed yet. */
  uncommitted: ReadonlyMap<string, string>;
  /** True if nothing may be written. */
  readOnly: boolean;
  repositoryInfo: RepositoryInfo;
}

/** Timelines, and why they may be older than what people have written. */
interface BroughtTimelines {
  timelines: Timelines;
  stale?: string;
  notes: readonly string[];
}

/** Reads the timelines of the incidents of a history, which are kept wherever they can be. */
export async function bringTimelines(
  { config, store, snapshot, read, uncommitted, readOnly, repositoryInfo }: OpenedHistory,
  context: Context,
): Promise<BroughtTimelines> {
  const { clock, environment, secrets } = context;
  const { remoteUrl } = repositoryInfo;
  const languages = config === undefined
    ? []
    : await Promise.all([loadLanguage(config), loadPageLanguage(config)]);
  // Without issues, incidents are kept in files only.
  const github = config?.issues ? reachGitHub({ config, remoteUrl }, context) : undefined;
  const timelines = await readTimelines({
    store,
    snapshot,
    read,
    github,
    place: {
      folder: repositoryInfo.prefix,
      sites: config?.sites ?? [],
      redact: (text) => secrets.redact(text),
    },
    readPhase: createPhaseReader(languages),
    run: { id: randomName(), time: clock.now() },
    message: timelinesMessage,
    author: commitAuthor(config ?? { commitMessages: {} }),
    // The next run that checks sites commits uncommitted files as they are.
    readOnly: readOnly || uncommitted.size > 0,
  });
  const lacks = config?.issues === true && github === undefined &&
    [...timelines.incidents.values()].some(({ issue }) => issue !== undefined);
  const stale = timelines.stale?.message ?? (lacks ? whyNoGitHub(environment) : undefined);
  const { published, failure } = timelines;
  const notes = [
    ...published?.notes ?? [],
    ...timelines.notes,
    ...stale === undefined ? [] : [`Timelines are as last read: ${stale}`],
    ...failure === undefined ? [] : [`Timelines could not be stored: ${failure.message}`],
  ];
  return { timelines, stale, notes };
}

export interface OpenedTimelines extends BroughtTimelines {
  /** Absent if the configuration is missing or unusable. */
  config?: Config;
  remoteUrl?: string;
}

/** Opens the history, even with a detached HEAD or without a configuration, and reads its timelines. */
export async function openTimelines(
  context: Context,
): Promise<OpenedTimelines> {
  const { root, log } = context;
  const workspace = folderWorkspace(root);
  const loaded = await loadConfigIfAny(workspace, context);
  const { config, file } = loaded ?? {};
  if (loaded === undefined) log.warn(noConfigNote());
  // Without a configuration the repository of the incidents is unknown.
  const readOnly = config === undefined;
  const opened = await openStoreOrFolder(root, storeOptions(context, file, readOnly));
  const { store, isDetached } = opened;
  const [{ newest: snapshot, uncommitted }, repositoryInfo] = await Promise.all([
    readNewest(store, workspace),
    readRepositoryInfo(root),
  ]);
  const history = { config, store, snapshot, uncommitted, repositoryInfo };
  const brought = await bringTimelines(
    { ...history, readOnly: readOnly || isDetached },
    context,
  );
  return { ...brought, config, remoteUrl: repositoryInfo.remoteUrl };
}
