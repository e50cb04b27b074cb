import type { Config } from "../../lib/config/config.ts";
import type { Context } from "./context.ts";
import { randomName } from "../../lib/io/chance.ts";
import type { Author } from "../../lib/git/objects.ts";
import type { Surroundings } from "../../lib/git/repository.ts";
import type { GitHub } from "../../lib/github/github.ts";
import { reachGitHub, whyNoGitHub } from "./reach_github.ts";
import type { Snapshot, Store } from "../../lib/history/store/store.ts";
import { type ReadHistory, readTimelines, type Timelines } from "../../lib/pipeline/timelines.ts";

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
