import { type Config, findSite, listSites, whyNoSite } from "../../lib/config/config.ts";
import { millisecondsIn } from "../../lib/config/keys/times.ts";
import { LONGEST_WINDOW } from "../../lib/config/keys/maintenance_keys.ts";
import type { LoadedConfig } from "../../lib/config/load.ts";
import { readRepositoryInfo } from "../../lib/git/repository.ts";
import type { GitHub } from "../../lib/github/github.ts";
import { incidentPath, listIncidents } from "../../lib/history/incident.ts";
import {
  formatMaintenance,
  type Maintenance,
  newMaintenanceId,
} from "../../lib/history/maintenance.ts";
import { SUMMARY_PATH } from "../../lib/statistics/summary.ts";
import { openStore, type OpenStoreOptions } from "../../lib/history/store/open_store.ts";
import type { Decide, Published, Snapshot, Store } from "../../lib/history/store/store.ts";
import { planMaintenance } from "../../lib/incidents/maintenance/plan_maintenance.ts";
import { configuredWindows } from "../../lib/incidents/maintenance/windows.ts";
import { randomName } from "../../lib/io/clock.ts";
import { assertWritable, type Workspace } from "../../lib/io/workspace.ts";
import { loadMaintenance } from "../../lib/pipeline/known_incidents.ts";
import { maintenanceSummaryFiles } from "../../lib/pipeline/branch_files.ts";
import { UsageError } from "../../lib/text/arguments.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { MINUTE } from "../../lib/time.ts";
import { commitAuthor, maintenanceMessage } from "../../templates/commit_message.ts";
import { renderBadge } from "../../templates/graph/badge.ts";
import {
  startedJson,
  startedText,
  stoppedJson,
  stoppedText,
} from "../../templates/terminal/maintenance.ts";
import type { Context } from "../shared/context.ts";
import { reachGitHub } from "../shared/reach_github.ts";

export interface MaintenanceWork {
  context: Context;
  /** The words after what is to be done. */
  words: readonly string[];
  loaded: LoadedConfig;
  config: Config;
  workspace: Workspace;
}

export function storeOptions(
  { context: { clock, dryRun, log }, loaded, workspace }: MaintenanceWork,
): OpenStoreOptions {
  const warn = (text: string) => log.warn(text);
  return { workspace, lock: loaded.file, clock, warn, readOnly: dryRun };
}

/** The files that windows changed by hand are written to: their own, the summary and the status badges. */
async function changedFiles(
  snapshot: Snapshot,
  changed: ReadonlyMap<string, Maintenance>,
  now: Temporal.Instant,
): Promise<Map<string, string>> {
  const ids = new Set(await listIncidents(snapshot));
  const { maintenance } = await loadMaintenance(snapshot, ids, now);
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
 * Stores a change by hand, and prints notes about it.
 *
 * @throws {Error} If the branch accepts no commits.
 */
async function keepByHand(
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

/** The source of announcements; `github` is absent without a token or repository. */
export async function announcementsOf(
  { context, config }: MaintenanceWork,
): Promise<{ github?: GitHub; folder: string }> {
  const { remoteUrl, prefix: folder } = await readRepositoryInfo(context.root);
  return { github: reachGitHub({ config, remoteUrl }, context), folder };
}

/** Begins maintenance of sites now. */
export async function startMaintenance(work: MaintenanceWork): Promise<number> {
  const { context, config } = work;
  const { root, clock, dryRun, json, log, secrets } = context;
  const start = clock.now();
  const maintenance: Maintenance = {
    kind: "maintenance",
    source: "hand",
    name: secrets.redact(plainText(context.options.text("reason") ?? "Maintenance")),
    start,
    until: start.add({ milliseconds: lengthOf(context) }),
    sites: new Map(slugsOf(work).map((slug) => [slug, "down"])),
    text: "",
    updates: [],
  };
  if (!dryRun) await assertWritable(root);
  const store = await openStore(root, storeOptions(work));
  let id = newMaintenanceId(maintenance, new Set());
  const published = dryRun ? undefined : await keepByHand(store, async (snapshot) => {
    const ids = await listIncidents(snapshot);
    id = newMaintenanceId(maintenance, new Set(ids));
    return {
      run: randomName(),
      time: start,
      files: await changedFiles(snapshot, new Map([[id, maintenance]]), start),
      message: maintenanceMessage("begin", [maintenance]),
      author: commitAuthor(config),
    };
  }, work);
  log.line(startedText({ id, maintenance, published }, config));
  if (json) log.data(startedJson({ id, maintenance, published }));
  return 0;
}

function lengthOf({ options }: Context): number {
  const written = options.text("for");
  const length = written === undefined ? undefined : millisecondsIn(written, "m");
  if (length !== undefined && length >= MINUTE && length <= LONGEST_WINDOW) return length;
  const found = written === undefined
    ? "--for says how long"
    : `--for ${written} is no such length`;
  throw new UsageError(
    `Cannot begin maintenance: ${found}; give one from 1m to 90d, such as --for 1h`,
  );
}

function slugsOf({ context, words, config: { sites } }: MaintenanceWork): string[] {
  const all = context.options.has("all");
  if (all && words.length > 0) {
    throw new UsageError("Cannot begin maintenance: name sites, or give --all, and not both");
  }
  if (all && sites.length > 0) return sites.map(({ slug }) => slug);
  if (words.length === 0) {
    throw new UsageError(
      `Cannot begin maintenance: name its sites, or give --all (${listSites(sites)})`,
    );
  }
  return [...new Set(words.map((word) => slugOf(sites, word)))];
}

function slugOf(sites: Config["sites"], word: string): string {
  const site = findSite(sites, word);
  if (site === undefined) throw new UsageError(whyNoSite(sites, word));
  return site.slug;
}

/** Ends ongoing maintenance: all, or the windows and sites that the words name. */
export async function stopMaintenance(work: MaintenanceWork): Promise<number> {
  const { context: { root, clock, dryRun, json, log }, config } = work;
  const now = clock.now();
  if (!dryRun) await assertWritable(root);
  const store = await openStore(root, storeOptions(work));
  const meantIn = async (snapshot: Snapshot) =>
    new Map(
      [...await runningIn(snapshot, config, now)].filter(([id, one]) => isMeant(id, one, work)),
    );
  const meant = await meantIn(await store.read());
  for (const note of notesOn(meant, work)) log.warn(note);
  let ended = endedOf(meant, now);
  const published = dryRun ? undefined : await keepByHand(store, async (snapshot) => {
    ended = endedOf(await meantIn(snapshot), now);
    if (ended.size === 0) return undefined;
    return {
      run: randomName(),
      time: now,
      files: await changedFiles(snapshot, ended, now),
      message: maintenanceMessage("end", [...ended.values()]),
      author: commitAuthor(config),
    };
  }, work);
  log.line(stoppedText({ ended, published }, config));
  if (json) log.data(stoppedJson({ ended, published }));
  return 0;
}

/** Windows that have begun and not ended, by id; one that has just begun has no file before the next run. */
async function runningIn(
  snapshot: Snapshot,
  { maintenance: windows, timezone }: Config,
  now: Temporal.Instant,
): Promise<Map<string, Maintenance>> {
  const incidentIds = new Set(await listIncidents(snapshot));
  const { maintenance } = await loadMaintenance(snapshot, incidentIds, now);
  const configured = configuredWindows(windows, now);
  const plans = { configured, isPartial: true, timezone };
  const { changes } = planMaintenance({ maintenance, incidentIds }, plans, now);
  const begun = changes.map(({ id, maintenance }) => [id, maintenance] as const);
  return new Map(
    [...maintenance, ...begun].filter(([, { start, until, end }]) =>
      end === undefined && Temporal.Instant.compare(start, now) <= 0 &&
      Temporal.Instant.compare(now, until) < 0
    ),
  );
}

/** The windows that can be ended here; an announced one ends with its issue. */
function endedOf(
  meant: ReadonlyMap<string, Maintenance>,
  end: Temporal.Instant,
): Map<string, Maintenance> {
  return new Map(
    [...meant].filter(([, { source }]) => source !== "issue")
      .map(([id, maintenance]) => [id, { ...maintenance, end }]),
  );
}

function isMeant(
  id: string,
  { name, sites }: Maintenance,
  { words, config }: MaintenanceWork,
): boolean {
  if (words.length === 0) return true;
  return words.some((word) => {
    const slug = findSite(config.sites, word)?.slug;
    return word === id || word.toLowerCase() === name.toLowerCase() ||
      (slug !== undefined && sites.has(slug));
  });
}

/**
 * Explains the windows that stay ongoing although everything is to end.
 *
 * @throws {UsageError} If nothing matches, or something that can't be ended here.
 */
function notesOn(
  meant: ReadonlyMap<string, Maintenance>,
  { words }: MaintenanceWork,
): string[] {
  if (meant.size === 0) {
    const what = words.length === 0 ? "none goes on" : `none goes on of ${words.join(", ")}`;
    throw new UsageError(`Cannot end maintenance: ${what} ("maintenance" shows what does)`);
  }
  const announced = [...meant.values()].filter(({ source }) => source === "issue");
  const notes = announced.map(({ name, issue }) =>
    `"${plainText(name)}" is announced by issue #${issue}; close that, and the next run ends it`
  );
  const isStuck = announced.length === meant.size || words.length > 0;
  if (isStuck && notes.length > 0) {
    throw new UsageError(`Cannot end maintenance: ${notes.join("; ")}`);
  }
  return notes;
}
