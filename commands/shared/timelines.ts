import type { Config } from "../../lib/config/config.ts";
import { loadConfigIfAny } from "../../lib/config/load.ts";
import type { Author } from "../../lib/git/objects.ts";
import { readRepositoryInfo, type RepositoryInfo } from "../../lib/git/repository.ts";
import type { GitHub } from "../../lib/github/github.ts";
import { openStoreOrFolder } from "../../lib/history/store/open_store.ts";
import type { Snapshot, Store } from "../../lib/history/store/store.ts";
import { randomName } from "../../lib/io/clock.ts";
import { folderWorkspace } from "../../lib/io/workspace.ts";
import { type ReadHistory, readTimelines, type Timelines } from "../../lib/pipeline/timelines.ts";
import { readNewest } from "../../lib/pipeline/uncommitted.ts";
import type { Context } from "./context.ts";
import { reachGitHub, whyNoGitHub } from "./reach_github.ts";

/** An opened history. */
export interface OpenedHistory {
  /** Absent if the configuration is missing or unusable. */
  config?: Config;
  store: Store;
  /** The newest state. */
  snapshot: Snapshot;
  /** The history of the snapshot, if it was read already. */
  read?: ReadHistory;
  /** Files of it that are not committed yet. */
  uncommitted: ReadonlyMap<string, string>;
  /** True if nothing may be written. */
  readOnly: boolean;
  repositoryInfo: RepositoryInfo;
}

/** Author and message of a commit. */
interface TimelineCommit {
  author(config: Pick<Config, "commitMessages">): Author;
  message(incidents: number): string;
}

/** Timelines, and why they may be older than what people have written. */
export interface BroughtTimelines {
  timelines: Timelines;
  stale?: string;
}

/** Reads the timelines of the incidents of a history, which are kept wherever they can be. */
export async function bringTimelines(
  { config, store, snapshot, read, uncommitted, readOnly, repositoryInfo }: OpenedHistory,
  { author, message }: TimelineCommit,
  context: Context,
): Promise<BroughtTimelines> {
  const { clock, environment, secrets } = context;
  const github = githubOf(config, repositoryInfo.remoteUrl, context);
  const timelines = await readTimelines({
    store,
    snapshot,
    read,
    github,
    place: {
      folder: repositoryInfo.prefix,
      slugs: config?.sites.map(({ slug }) => slug) ?? [],
      redact: (text) => secrets.redact(text),
    },
    run: { id: randomName(), time: clock.now() },
    message,
    author: author(config ?? { commitMessages: {} }),
    // The next run that checks sites commits uncommitted files as they are.
    dryRun: readOnly || uncommitted.size > 0,
  });
  const lacks = config?.issues === true && github === undefined &&
    [...timelines.incidents.values()].some(({ issue }) => issue !== undefined);
  const stale = timelines.stale?.message ?? (lacks ? whyNoGitHub(environment) : undefined);
  return { timelines, stale };
}

/** Opens GitHub unless incidents are kept in files only. */
function githubOf(
  config: Config | undefined,
  remoteUrl: string | undefined,
  context: Context,
): GitHub | undefined {
  if (config === undefined || !config.issues) return undefined;
  return reachGitHub({ config, remoteUrl }, context);
}

export interface OpenedTimelines extends BroughtTimelines {
  /** Absent if the configuration is missing or unusable. */
  config?: Config;
  /** Address of the git remote. */
  remoteUrl?: string;
}

/**
 * Opens the history of a folder, even with a detached HEAD or without a configuration, and reads the
 * timelines of its incidents.
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
  // Without a configuration the repository of the incidents is unknown.
  const readOnly = context.dryRun || config === undefined;
  const opened = await openStoreOrFolder(root, { workspace, lock, clock, warn, readOnly });
  const { store, isDetached } = opened;
  const [{ newest: snapshot, uncommitted }, repositoryInfo] = await Promise.all([
    readNewest(store, workspace),
    readRepositoryInfo(root),
  ]);
  const history = { config, store, snapshot, uncommitted, repositoryInfo };
  const brought = await bringTimelines(
    { ...history, readOnly: readOnly || isDetached },
    commit,
    context,
  );
  return { ...brought, config, remoteUrl: repositoryInfo.remoteUrl };
}
