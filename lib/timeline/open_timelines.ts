import type { Config } from "../config/config.ts";
import { loadConfigIfAny } from "../config/load.ts";
import type { Context } from "../context.ts";
import { randomName } from "../doors/chance.ts";
import type { Author } from "../doors/git/objects.ts";
import { surroundingsOf } from "../doors/git/repository.ts";
import type { Platform } from "../doors/platform/platform.ts";
import { folderWorkspace } from "../doors/workspace.ts";
import { readNewest } from "../history/uncommitted.ts";
import { reachPlatform, whyNoPlatform } from "../reach_platform.ts";
import { openToShow } from "../store/open_to_show.ts";
import { readTimelines, type Timelines } from "./read_timelines.ts";

/** What a command that shows incidents begins with. */
export interface OpenedTimelines {
  /** Absent where there is none, or nothing of it can be used. */
  config?: Config;
  timelines: Timelines;
  /** Why timelines may be older than what people have written. */
  stale?: string;
  /** Address of the git remote. */
  origin?: string;
}

/** How a commit looks that keeps what was read. */
export interface TimelineCommit {
  author(config: Pick<Config, "commitMessages">): Author;
  message(incidents: number): string;
}

/**
 * Opens the history of a folder, also where no branch is checked out or nothing is configured, and reads
 * the timelines of its incidents, which are kept wherever they can be.
 */
export async function openTimelines(
  context: Context,
  { author, message }: TimelineCommit,
): Promise<OpenedTimelines> {
  const { root, clock, log, environment, secrets } = context;
  const workspace = folderWorkspace(root);
  const loaded = await loadConfigIfAny(workspace, root, context.config);
  const { config, file: lock = "" } = loaded ?? {};
  const warn = (text: string) => log.warn(text);
  // Without a configuration nothing tells where a timeline would be from, nor what runs share.
  const readOnly = context.dryRun || config === undefined;
  const opened = await openToShow(root, { workspace, lock, clock, warn, readOnly });
  const { store } = opened;
  const dryRun = readOnly || opened.isDetached;
  const [{ newest, uncommitted }, { origin, prefix }] = await Promise.all([
    readNewest(store, workspace),
    surroundingsOf(root),
  ]);
  const platform = platformOf(config, origin, context);
  const timelines = await readTimelines({
    store,
    snapshot: newest,
    platform,
    place: {
      folder: prefix,
      slugs: config?.sites.map(({ slug }) => slug) ?? [],
      redact: (text) => secrets.redact(text),
    },
    run: { id: randomName(), time: clock.now() },
    message,
    author: author(config ?? { commitMessages: {} }),
    // What lies there as files is taken in by the next run that checks sites, and as it is.
    dryRun: dryRun || uncommitted.size > 0,
  });
  const lacks = config?.issues === true && platform === undefined &&
    [...timelines.incidents.values()].some(({ issue }) => issue !== undefined);
  const stale = timelines.stale?.message ?? (lacks ? whyNoPlatform(environment) : undefined);
  return { config, timelines, stale, origin };
}

/** Nothing is read where incidents are kept in files alone. */
function platformOf(
  config: Config | undefined,
  origin: string | undefined,
  context: Context,
): Platform | undefined {
  if (config === undefined || !config.issues) return undefined;
  return reachPlatform({ config, origin }, context);
}
