import type { Config } from "../../lib/config/config.ts";
import { loadConfigIfAny } from "../../lib/config/load.ts";
import type { Author } from "../../lib/git/objects.ts";
import { type Surroundings, surroundingsOf } from "../../lib/git/repository.ts";
import type { GitHub } from "../../lib/github/github.ts";
import { openReadOnlyStore } from "../../lib/history/store/open_store.ts";
import type { Snapshot, Store } from "../../lib/history/store/store.ts";
import { randomName } from "../../lib/io/clock.ts";
import { folderWorkspace } from "../../lib/io/workspace.ts";
import { type ReadHistory, readTimelines, type Timelines } from "../../lib/pipeline/timelines.ts";
import { readNewest } from "../../lib/pipeline/uncommitted.ts";
import type { Context } from "./context.ts";
import { reachGitHub, whyNoGitHub } from "./reach_github.ts";

/** A history that is opened, and what is known of where it is. */
export interface OpenedHistory {
  /** Absent where there is none, or nothing of it can be used. */
  config?: Config;
  store: Store;
  /** The newest state. */
  snapshot: Snapshot;
  /** What was read of it already. */
  read?: ReadHistory;
  /** Files of it that are not committed yet. */
  uncommitted: ReadonlyMap<string, string>;
  /** Whether nothing may be kept. */
  readOnly: boolean;
  surroundings: Surroundings;
}

/** How a commit looks that keeps what was read. */
export interface TimelineCommit {
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
  { config, store, snapshot, read, uncommitted, readOnly, surroundings }: OpenedHistory,
  { author, message }: TimelineCommit,
  context: Context,
): Promise<BroughtTimelines> {
  const { clock, environment, secrets } = context;
  const github = githubOf(config, surroundings.origin, context);
  const timelines = await readTimelines({
    store,
    snapshot,
    read,
    github,
    place: {
      folder: surroundings.prefix,
      slugs: config?.sites.map(({ slug }) => slug) ?? [],
      redact: (text) => secrets.redact(text),
    },
    run: { id: randomName(), time: clock.now() },
    message,
    author: author(config ?? { commitMessages: {} }),
    // What lies there as files is taken in by the next run that checks sites, and as it is.
    dryRun: readOnly || uncommitted.size > 0,
  });
  const lacks = config?.issues === true && github === undefined &&
    [...timelines.incidents.values()].some(({ issue }) => issue !== undefined);
  const stale = timelines.stale?.message ?? (lacks ? whyNoGitHub(environment) : undefined);
  return { timelines, stale };
}

/** Nothing is read where incidents are kept in files alone. */
function githubOf(
  config: Config | undefined,
  origin: string | undefined,
  context: Context,
): GitHub | undefined {
  if (config === undefined || !config.issues) return undefined;
  return reachGitHub({ config, origin }, context);
}

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
