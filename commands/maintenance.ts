import { type Config, findSite, hasAllSites, listSites, whyNoSite } from "../lib/config/config.ts";
import { LONGEST_WINDOW } from "../lib/config/read_maintenance.ts";
import { parseDuration } from "../lib/config/keys/times.ts";
import { nearHint } from "../lib/text/nearest.ts";
import type { LoadedConfig } from "../lib/config/load.ts";
import { readRepositoryInfo } from "../lib/git/repository.ts";
import { incidentPath, listIncidents } from "../lib/history/incident.ts";
import {
  formatMaintenance,
  type Maintenance,
  newMaintenanceId,
} from "../lib/history/maintenance.ts";
import { openStore, openStoreOrFolder } from "../lib/history/store/open_store.ts";
import type { Snapshot } from "../lib/history/store/store.ts";
import { planMaintenance } from "../lib/incidents/maintenance/plan_maintenance.ts";
import {
  CALENDAR,
  configuredWindows,
  listWindows,
  readMaintenancePlans,
} from "../lib/incidents/maintenance/windows.ts";
import { randomName } from "../lib/io/clock.ts";
import { assertWritable, folderWorkspace } from "../lib/io/workspace.ts";
import { maintenanceSummaryFiles } from "../lib/pipeline/branch_files.ts";
import { loadMaintenance } from "../lib/pipeline/known_incidents.ts";
import { readNewest } from "../lib/pipeline/uncommitted.ts";
import { parseSummary, SUMMARY_PATH } from "../lib/statistics/summary.ts";
import { UsageError } from "../lib/text/arguments.ts";
import { USUAL_COLUMNS } from "../lib/text/columns.ts";
import { plainText } from "../lib/text/plain_text.ts";
import { isBefore, MINUTE } from "../lib/time.ts";
import { commitAuthor, maintenanceMessage } from "../templates/commit_message.ts";
import { loadPageLanguage } from "../lib/text/languages.ts";
import { createBadges } from "../templates/graph/badge.ts";
import { formatRecorded } from "../templates/terminal/lines.ts";
import {
  damagedNote,
  maintenanceJson,
  maintenanceLine,
  maintenanceList,
  windowJson,
} from "../templates/terminal/maintenance.ts";
import { type Command, type Context, loadReported, storeOptions } from "./shared/context.ts";
import { reachGitHub } from "./shared/reach_github.ts";
import { formatCommand } from "../lib/text/invocation.ts";

interface Work {
  context: Context;
  words: readonly string[];
  loaded: LoadedConfig;
  config: Config;
}

type Windows = ReadonlyMap<string, Maintenance>;

const ACTIONS: Readonly<Record<string, (work: Work) => Promise<void>>> = { list, start, stop };

export const maintenance: Command = async (context) => {
  const { words: [word = "list", ...words] } = context;
  const act = Object.hasOwn(ACTIONS, word) ? ACTIONS[word] : undefined;
  if (act === undefined) {
    const hint = nearHint(word, Object.keys(ACTIONS));
    const [list, start, stop] = ["", " start SITE --for 1h", " stop"]
      .map((rest) => `"${formatCommand(`maintenance${rest}`)}"`);
    throw new UsageError(
      `Cannot run "maintenance ${word}"${hint}: use ${list}, ${start} or ${stop}`,
    );
  }
  const wrong = ["for", "reason", "all"].find((name) => context.options.has(name));
  if (word !== "start" && wrong !== undefined) {
    throw new UsageError(`Cannot use --${wrong} here: it is for maintenance start`);
  }
  const loaded = await loadReported(context);
  if (loaded.config === undefined) return 2;
  await act({ context, words, loaded, config: loaded.config });
  return 0;
};

async function list(work: Work): Promise<void> {
  const { context, words, config, loaded } = work;
  const { root, clock, json, log, environment, secrets } = context;
  if (words.length > 0) {
    throw new UsageError(
      `Cannot list the maintenance of ${words.join(", ")} alone: "maintenance" lists all of it`,
    );
  }
  const { store } = await openStoreOrFolder(root, storeOptions(context, loaded.file));
  const { newest } = await readNewest(store, folderWorkspace(root));
  const now = clock.now();
  const { remoteUrl, prefix: folder } = await readRepositoryInfo(root);
  const { plans, notes } = await readMaintenancePlans(config, {
    github: reachGitHub({ config, remoteUrl }, context),
    folder,
    isPartial: !hasAllSites(loaded.problems, context.config),
    now,
    reach: json ? CALENDAR : 0,
    redact: (text) => secrets.redact(text),
  });
  const { maintenance, damaged } = await loadMaintenance(newest, await listIncidents(newest), now);
  for (const note of [...notes, ...damaged.map(damagedNote)]) log.warn(note);
  const windows = listWindows(maintenance, plans, now);
  const columns = environment.columns ?? USUAL_COLUMNS;
  log.line(maintenanceList(windows, { ...config, now, columns }));
  if (json) log.data(maintenanceJson(windows, now));
}

async function start(work: Work): Promise<void> {
  const { options, clock, json, log, secrets } = work.context;
  const now = clock.now();
  const window: Maintenance = {
    kind: "maintenance",
    source: "hand",
    name: secrets.redact(plainText(options.text("reason") ?? "Maintenance")),
    start: now,
    until: now.add({ milliseconds: parseLength(options.text("for")) }),
    sites: new Map(findSlugs(work).map((slug) => [slug, "down"])),
    text: "",
    updates: [],
  };
  const { changed, commit } = await change(work, "begin", now, async (snapshot) => {
    const taken = await listIncidents(snapshot);
    return new Map([[newMaintenanceId(window, taken), window]]);
  });
  if (json) log.data({ id: changed[0]![0], ...windowJson(window), commit });
}

function parseLength(written: string | undefined): number {
  const length = parseDuration(written ?? "", "m");
  if (length !== undefined && length >= MINUTE && length <= LONGEST_WINDOW) return length;
  const found = written === undefined ? "--for is missing" : `--for ${written} is no such duration`;
  throw new UsageError(
    `Cannot start maintenance: ${found}; use one from 1m to 90d, such as --for 1h`,
  );
}

function findSlugs({ context, words, config: { sites } }: Work): string[] {
  const all = context.options.has("all");
  if (all === (words.length > 0)) {
    throw new UsageError(
      `Cannot start maintenance: name sites, or use --all, and not both (${listSites(sites)})`,
    );
  }
  const slugs = all ? sites.map(({ slug }) => slug) : words.map((word) => {
    const site = findSite(sites, word);
    if (site === undefined) throw new UsageError(whyNoSite(sites, word));
    return site.slug;
  });
  return [...new Set(slugs)];
}

/** Ends ongoing maintenance: all, or the windows and sites that the words name. */
async function stop(work: Work): Promise<void> {
  const { clock, json, log } = work.context;
  const now = clock.now();
  let notes: readonly string[] = [];
  const { changed, commit } = await change(work, "end", now, async (snapshot) => {
    const wanted = [...await findOngoing(snapshot, work.config, now)]
      .filter(([id, one]) => isWanted(id, one, work));
    notes = explainAnnounced(wanted.map(([, one]) => one), work.words);
    return new Map(
      wanted.filter(([, { source }]) => source !== "issue")
        .map(([id, one]) => [id, { ...one, end: now }]),
    );
  });
  for (const note of notes) log.warn(note);
  if (json) log.data({ ended: changed.map(([id]) => id), commit });
}

/** Finds ongoing windows, including those that have no file before the next run. */
async function findOngoing(
  snapshot: Snapshot,
  { maintenance: windows }: Config,
  now: Temporal.Instant,
): Promise<Windows> {
  const incidentIds = await listIncidents(snapshot);
  const { maintenance } = await loadMaintenance(snapshot, incidentIds, now);
  const plans = { configured: configuredWindows(windows, now), isPartial: true };
  const { changes } = planMaintenance({ maintenance, incidentIds }, plans, now);
  const started = changes.map(({ id, maintenance }) => [id, maintenance] as const);
  return new Map(
    [...maintenance, ...started].filter(([, { start, until, end }]) =>
      end === undefined && !isBefore(now, start) && isBefore(now, until)
    ),
  );
}

function isWanted(id: string, { name, sites }: Maintenance, { words, config }: Work): boolean {
  return words.length === 0 || words.some((word) => {
    const slug = findSite(config.sites, word)?.slug;
    return word === id || word.toLowerCase() === name.toLowerCase() ||
      (slug !== undefined && sites.has(slug));
  });
}

/**
 * Explains why announced windows stay ongoing: each ends with its issue.
 *
 * @throws {UsageError} If nothing matches, or something that can't be ended here.
 */
function explainAnnounced(wanted: readonly Maintenance[], words: readonly string[]): string[] {
  if (wanted.length === 0) {
    const what = words.length === 0 ? "none is ongoing" : `none of ${words.join(", ")} is ongoing`;
    throw new UsageError(`Cannot end maintenance: ${what} ("maintenance" lists it)`);
  }
  const notes = wanted.filter(({ source }) => source === "issue").map(({ name, issue }) =>
    `"${
      plainText(name)
    }" is announced by issue #${issue}: close the issue, and the next run ends it`
  );
  if (notes.length > 0 && (notes.length === wanted.length || words.length > 0)) {
    throw new UsageError(`Cannot end maintenance: ${notes.join("; ")}`);
  }
  return notes;
}

/**
 * Writes changed windows, the summary and the status badges, and prints what was changed.
 *
 * @throws {Error} If the branch accepts no commits.
 */
async function change(
  work: Work,
  action: "begin" | "end",
  now: Temporal.Instant,
  select: (snapshot: Snapshot) => Promise<Windows>,
): Promise<{ changed: [string, Maintenance][]; commit: string | null }> {
  const { context, config, loaded } = work;
  const { root, log } = context;
  await assertWritable(root);
  const store = await openStore(root, storeOptions(context, loaded.file, false));
  let changed: Windows = new Map();
  const published = await store.publish(async (snapshot) => {
    changed = await select(snapshot);
    return {
      run: randomName(),
      time: now,
      files: await changedFiles(snapshot, changed, { config, now }),
      message: maintenanceMessage(action, [...changed.values()]),
      author: commitAuthor(config),
    };
  });
  if (published.refused !== undefined) {
    throw new Error(
      `Nothing was changed: ${published.refused.message}; plan maintenance in the configuration, or announce it by an issue`,
      { cause: published.refused },
    );
  }
  for (const note of published.notes) log.warn(note);
  for (const [id, maintenance] of changed) log.line(maintenanceLine({ id, action, maintenance }));
  log.line(`Recorded${formatRecorded(published)}`);
  return { changed: [...changed], commit: published.commit ?? null };
}

async function changedFiles(
  snapshot: Snapshot,
  changed: Windows,
  { config, now }: { config: Config; now: Temporal.Instant },
): Promise<Map<string, string>> {
  const { maintenance } = await loadMaintenance(snapshot, await listIncidents(snapshot), now);
  const all = new Map([...maintenance, ...changed]).values();
  const texts = await snapshot.read([SUMMARY_PATH]);
  const summary = parseSummary(texts.get(SUMMARY_PATH) ?? "");
  return new Map([
    ...[...changed].map(([id, one]) => [incidentPath(id), formatMaintenance(one)] as const),
    ...maintenanceSummaryFiles(
      summary,
      { config, maintenance: all, now },
      createBadges(await loadPageLanguage(config)),
    ),
  ]);
}
