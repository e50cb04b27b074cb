import type { Notification } from "../config/channels/keys.ts";
import { computeMaxGap, type Config } from "../config/config.ts";
import { CONFIG_FILES } from "../config/load.ts";
import { parseConfig } from "../config/parse.ts";
import { listRecords } from "../config/record_path.ts";
import { UPPTIME_CONFIG } from "../config/upptime/repository.ts";
import type { Git } from "../git/git.ts";
import { maintenanceFiles, readStoredIncidents } from "../history/stored_incidents.ts";
import { UsageError } from "../text/arguments.ts";
import { type Collected, collectHistories } from "./collect_histories.ts";
import { convertConfig, type ConvertedConfig, withoutKeptGraphs } from "./convert_config.ts";
import { planHistory } from "./history_files.ts";
import type { HistoryFiles } from "../history/store/store.ts";
import { identifySites } from "./identify_sites.ts";
import { type JoinedIssues, joinIssues } from "./join_issues.ts";
import { leaveExpected, type PastMaintenance, readPastMaintenance } from "./past_maintenance.ts";
import type { ReadIssues } from "./read_issues.ts";
import { readDownMinutes } from "./summary_days.ts";
import { readVersions } from "./read_versions.ts";

/** A repository without a past of Upptime. */
export class NothingToImportError extends UsageError {}

const NOTHING =
  `Nothing of Upptime here: the log of this branch has neither ${UPPTIME_CONFIG} nor its records; run the import in a clone of the repository that Upptime monitors from`;

const ALL_OURS =
  `Nothing of Upptime here: this program wrote all records, and it reads ${UPPTIME_CONFIG} as it is`;

/** Everything that an import does to the files, and what there is to say about it. */
export interface ImportPlan {
  /** Whole contents in the order in which they are written; `null` removes a file. */
  files: Map<string, string | null>;
  /** True if Upptime's configuration is still there. */
  isFirst: boolean;
  config: Config;
  converted: ConvertedConfig;
  /** Number of file versions in the log. */
  versions: number;
  deletions: number;
  collected: Collected;
  days: number;
  incidents: number;
  /** Number of days whose downtime is known from a summary alone. */
  unseen: number;
  issues: JoinedIssues;
  maintenance: PastMaintenance;
}

const [OUR_CONFIG] = CONFIG_FILES;

const KEPT =
  `${OUR_CONFIG} was there already, so it is used as it is, and ${UPPTIME_CONFIG} is removed`;

/**
 * Plans an import: it depends only on the commits, the issues and the files, so that it can be repeated and cut
 * off at any moment. The configuration is written last.
 *
 * @throws {NothingToImportError}
 * @throws {UsageError}
 */
export async function planImport(
  { git, revision, files, now, issues, channels, keepsGraphs, movesGraphs, onProgress }: {
    git: Git;
    /** The commit whose past is read. */
    revision: string;
    /** The files of the work tree, or of a commit. */
    files: HistoryFiles;
    /** Milliseconds since 1970. */
    now: number;
    issues: ReadIssues;
    /** Channels that secrets set up. */
    channels: readonly Notification[];
    /** True if graphs stay where they are. */
    keepsGraphs: boolean;
    /** True if graphs on the branch move to a branch of their own. */
    movesGraphs: boolean;
    onProgress(done: number, all: number): void;
  },
): Promise<ImportPlan> {
  const texts = await files.read([UPPTIME_CONFIG, OUR_CONFIG]);
  const [theirs, ours] = [texts.get(UPPTIME_CONFIG), texts.get(OUR_CONFIG)];
  // A configuration of ours that is there already is used as it is.
  const source = ours ?? theirs;
  const { versions, configs, summaries, deletions } = await readVersions(git, revision, onProgress);
  const hasPast = configs.length > 0 || versions.some(({ check }) => check !== undefined);
  if (theirs === undefined && !hasPast) throw new NothingToImportError(NOTHING);
  const isAllOurs = versions.length > 0 && versions.every(({ fault }) => fault === "ours");
  if (ours === undefined && isAllOurs) throw new NothingToImportError(ALL_OURS);
  if (source === undefined) {
    throw new UsageError(
      `Cannot import: there is no ${UPPTIME_CONFIG} here; restore it from the log of this branch`,
    );
  }
  const identified = await identifySites(configs, source);
  const collected = collectHistories(versions, identified, now);
  const joined = joinIssues(issues, collected.sites);
  const maintenance = readPastMaintenance(issues, collected.sites, now);
  const known = [...maintenanceFiles(await readStoredIncidents(files)).values()]
    .filter(({ end }) => end !== undefined);
  const gone = leaveExpected(collected.sites, [...known, ...maintenance.windows]);
  const present = collected.sites.filter(({ site }) => !site.isArchived);
  const recorded = new Set([
    ...await listRecords(files),
    ...present.filter(({ checks }) => checks.length > 0).map(({ site }) => site.slug),
  ]);
  const converted = theirs === undefined || ours !== undefined
    ? {
      text: movesGraphs ? withoutKeptGraphs(source) : source,
      changes: theirs === undefined ? [] : [KEPT],
      problems: [],
    }
    : await convertConfig(source, {
      sites: identified.sites,
      channels,
      recorded: [...recorded],
      keepsGraphs,
    });
  const records = { recorded: [...recorded], isFromUpptime: () => Promise.resolve(false) };
  const { config, problems } = await parseConfig(converted.text, [], records);
  const broken = problems.find(({ severity, path }) =>
    severity === "error" && (ours === undefined || path.length === 0)
  );
  if (config === undefined || broken !== undefined) {
    const file = ours === undefined ? UPPTIME_CONFIG : OUR_CONFIG;
    const before = (await parseConfig(source)).problems.find(({ severity }) =>
      severity === "error"
    );
    const { message, line } = before ?? broken ?? { message: "it is empty", line: 1 };
    throw new UsageError(`Cannot import: ${file}:${line} ${message}; correct it first`);
  }
  const urls = new Map(config.sites.map(({ slug, url }) => [slug, url]));
  const minutes = readDownMinutes(summaries, identified);
  const histories = collected.sites.map(({ site, ...one }) => ({
    ...one,
    slug: site.slug,
    url: site.isArchived ? undefined : urls.get(site.slug),
    downMinutes: issues.gap === undefined ? undefined : minutes.get(site),
  }));
  const history = await planHistory(histories, files, {
    past: maintenance.windows,
    gone,
    isComplete: issues.gap === undefined,
    keepDays: config.history.keepDays,
    maxGap: computeMaxGap(config),
  });
  const planned = new Map<string, string | null>(history.files);
  if (converted.text !== ours) planned.set(OUR_CONFIG, converted.text);
  if (theirs !== undefined) planned.set(UPPTIME_CONFIG, null);
  return {
    ...{ files: planned, config, converted, versions: versions.length, deletions, collected },
    ...{ days: history.days, incidents: history.incidents, issues: joined, maintenance },
    isFirst: theirs !== undefined,
    unseen: history.unseen,
  };
}
