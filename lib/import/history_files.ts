import { type CheckRow, parseRows, UPPTIME } from "../history/checks_log.ts";
import {
  dailyPath,
  type Days,
  type DayTotals,
  formatDays,
  planDailyFiles,
  readDays,
} from "../history/daily_log.ts";
import { formatIncident, type Incident, incidentPath, newIncidentId } from "../history/incident.ts";
import { recordPath } from "../config/record_path.ts";
import { formatRecord, type HistoryRecord, isOurs, parseRecord } from "../history/record.ts";
import { findParts, planLogs, readKnownLogs } from "../history/known_logs.ts";
import { readStoredIncidents } from "../history/stored_incidents.ts";
import { formatMaintenance, type Maintenance, newMaintenanceId } from "../history/maintenance.ts";
import type { Window } from "../history/windows.ts";
import { maintenanceKey } from "./past_maintenance.ts";
import { addUnseenDowntime, type DownMinutes } from "./summary_days.ts";
import type { HistoryFiles } from "../history/store/store.ts";
import { rollUp } from "../statistics/rolled_days.ts";
import { selectSamples } from "../statistics/samples.ts";
import { DAY, floorToDay, isBefore, utcDay } from "../time.ts";
import type { FoundIncident, ImportedCheck } from "./collect_histories.ts";

interface ImportedHistory {
  slug: string;
  /** Ascending by their times. */
  checks: readonly ImportedCheck[];
  incidents: readonly FoundIncident[];
  /** Times in which it was allowed to be down. */
  maintenance: readonly Window[];
  /** When it was first monitored, in milliseconds since 1970. */
  start: number;
  /** Minutes of downtime by day as summaries tell them; absent if issues tell more. */
  downMinutes?: DownMinutes;
  /** The public address of its record; absent for an archived site, whose record stays as it is. */
  url?: string;
}

/** The program whose records they were: its checks cover more time than ours. */
const GENERATOR = "Upptime <https://github.com/upptime/upptime>";

/**
 * Plans the files of a history that change, in the order in which they are written; `unseen` is the number of days whose
 * downtime is known from a summary alone. Present rows, days with as many checks, and incidents stay, so that a second
 * import changes nothing, and one that was cut off is completed. Single checks are written first and days after
 * them: a log that is missing although its day has its totals has expired.
 */
export async function planHistory(
  sites: readonly ImportedHistory[],
  present: HistoryFiles,
  { past, gone, isComplete, keepDays, maxGap }: {
    past: readonly Maintenance[];
    /** Incidents that an import without issues may have written. */
    gone: readonly FoundIncident[];
    /** True if all issues were read: days that are known from an import without them are made anew. */
    isComplete: boolean;
    keepDays: number;
    maxGap: number;
  },
) {
  const newest = sites.reduce((last, { checks }) => Math.max(last, checks.at(-1)?.time ?? 0), 0);
  const { days } = await readDays(present);
  const files = new Map<string, string | null>();
  const firstKept = floorToDay(newest) - keepDays * DAY;
  const rows = sites.flatMap((site) => rowsOf(site, firstKept))
    .sort((one, other) => Temporal.Instant.compare(one.time, other.time));
  const own = new Set<number>();
  const logs = await readKnownLogs(present, rows.map(({ time }) => time));
  const added: CheckRow[] = [];
  for (const ofDay of Map.groupBy(rows, ({ time }) => utcDay(time)).values()) {
    const { time } = ofDay[0]!;
    const day = floorToDay(time.epochMilliseconds);
    const parts = findParts(logs, time);
    if (parts.length === 0 && isRolledUp(ofDay, day, days)) continue;
    const known = parts.flatMap(([, text]) => parseRows(text));
    if (known.some(({ location }) => location !== UPPTIME)) own.add(day);
    const imported = new Set(
      known.flatMap((row) => row.location === UPPTIME ? [rowKey(row)] : []),
    );
    // Rewritten commits have other names.
    for (const row of ofDay) if (!imported.has(rowKey(row))) added.push(row);
  }
  for (const [path, text] of planLogs(logs, added).files) files.set(path, text);
  const { incidents, ids } = await planIncidents(sites, { past, gone }, present);
  for (const [path, text] of incidents) files.set(path, text);
  for (const site of sites) {
    if (site.url === undefined || site.checks.length === 0) continue;
    const path = recordPath(site.slug);
    const before = (await present.read([path])).get(path);
    const after = recordOf(site, site.url, ids, before);
    if (after !== before) files.set(path, after);
  }
  let unseen = 0;
  const fresh = new Map(sites.map((site) => {
    const { slug, checks, incidents, maintenance, start, downMinutes } = site;
    const history = {
      ...{ slug, checks, first: start, days: [], maintenance },
      incidents: new Map(incidents.map(({ incident }, index) => [String(index), incident])),
    };
    const made = rollUp(selectSamples(history, { maxGap, now: newest }))
      .filter(({ from }) => !own.has(from));
    if (downMinutes === undefined) return [slug, made];
    // Single checks would contradict the totals of a day.
    const old = made.filter(({ from }) => from < firstKept);
    const added = addUnseenDowntime(old, downMinutes, [...history.incidents.values()]);
    unseen += added.filter(({ downTime }, index) => downTime !== old[index]!.downTime).length;
    return [slug, [...added, ...made.slice(old.length)]];
  }));
  const joined = joinDays(days, fresh, isComplete);
  for (const [path, text] of await dailyFiles(joined, present)) files.set(path, text);
  const count = [...fresh.values()].reduce((sum, own) => sum + own.length, 0);
  return { files, days: count, unseen, incidents: ids.size };
}

/** Rows of the checks from a moment on. A commit may have two versions of a site: the second gets other digits. */
function rowsOf({ slug, checks }: ImportedHistory, from: number): CheckRow[] {
  const taken = new Set<string>();
  return checks.filter(({ time }) => time >= from).map(({ time, commit, state, code, ms }) => {
    let start = 0;
    while (taken.has(commit.slice(start, start + 8)) && start < commit.length - 8) start++;
    const run = commit.slice(start, start + 8);
    taken.add(run);
    const instant = Temporal.Instant.fromEpochMilliseconds(time);
    return { time: instant, run, slug, state, code, ms, attempts: 1, location: UPPTIME };
  });
}

function rowKey({ slug, time }: CheckRow): string {
  return `${time.epochMilliseconds} ${slug}`;
}

function isRolledUp(rows: readonly CheckRow[], day: number, known: Days): boolean {
  return [...Map.groupBy(rows, ({ slug }) => slug)].every(([slug, own]) => {
    const totals = known.get(slug)?.find(({ from }) => from === day);
    return totals !== undefined && totals.checks >= own.length;
  });
}

/** The days of both; of a day in both the one with more checks. If they have as many, `fresh` ones count if they are complete. */
function joinDays(known: Days, fresh: Days, isComplete: boolean): Map<string, DayTotals[]> {
  return new Map(
    [...new Set([...known.keys(), ...fresh.keys()])].sort().map((slug) => {
      const days = new Map((known.get(slug) ?? []).map((day) => [day.from, day]));
      for (const day of fresh.get(slug) ?? []) {
        const checks = days.get(day.from)?.checks ?? -1;
        if (!(checks >= day.checks) || (isComplete && checks === day.checks)) {
          days.set(day.from, day);
        }
      }
      return [slug, [...days.values()].sort((one, other) => one.from - other.from)];
    }),
  );
}

async function dailyFiles(days: Days, present: HistoryFiles): Promise<Map<string, string | null>> {
  const paths = new Set([...days.values()].flat().map(({ from }) => dailyPath(from)));
  const logs = new Map(
    [...paths].sort().map((path) => {
      const own = [...days].map(([slug, all]) =>
        [slug, all.filter(({ from }) => dailyPath(from) === path)] as const
      );
      return [path, formatDays(new Map(own))];
    }),
  );
  const files = await planDailyFiles(logs, present);
  const before = await present.read([...files.keys()]);
  return new Map([...files].filter(([path, text]) => text !== before.get(path)));
}

/**
 * Plans the files of incidents and of past maintenance: those that are there stay, but for what only issues tell.
 * `ids` are the ids of all imported incidents.
 */
async function planIncidents(
  sites: readonly ImportedHistory[],
  { past, gone }: { past: readonly Maintenance[]; gone: readonly FoundIncident[] },
  present: HistoryFiles,
): Promise<{ incidents: Map<string, string | null>; ids: Map<Incident, string> }> {
  const stored = await readStoredIncidents(present);
  const taken = new Set(stored.ids);
  const key = ({ slug, start }: Pick<Incident, "slug" | "start">) =>
    `${slug} ${start.epochMilliseconds}`;
  const byStart = new Map(
    [...stored.incidents].flatMap(([id, one]) =>
      one.kind === "down" || one.kind === "degraded" ? [[key(one), { id, one }] as const] : []
    ),
  );
  const incidents = new Map<string, string | null>();
  for (const { incident } of gone) {
    const { id, one } = byStart.get(key(incident)) ?? {};
    if (id !== undefined && one?.issue === undefined) incidents.set(incidentPath(id), null);
  }
  const ids = new Map<Incident, string>();
  for (const { incident } of sites.flatMap(({ incidents }) => incidents)) {
    const before = byStart.get(key(incident));
    const id = before?.id ?? newIncidentId(incident.start, incident.slug, taken);
    taken.add(id);
    ids.set(incident, id);
    if (before === undefined) incidents.set(incidentPath(id), formatIncident(incident));
    else if (incident.issue !== undefined) {
      const { issue = incident.issue, furtherIssues = incident.furtherIssues, updates } =
        before.one;
      const known = updates.length === 0 ? incident.updates : updates;
      const text = formatIncident({ ...before.one, issue, furtherIssues, updates: known });
      if (text !== formatIncident(before.one)) incidents.set(incidentPath(id), text);
    }
  }
  const windows = new Set(
    [...stored.incidents.values()].flatMap((one) =>
      one.kind === "maintenance" ? maintenanceKey(one) : []
    ),
  );
  for (const window of past) {
    if (windows.has(maintenanceKey(window))) continue;
    const id = newMaintenanceId(window, taken);
    taken.add(id);
    incidents.set(incidentPath(id), formatMaintenance(window));
  }
  return { incidents, ids };
}

/** The text of a site's record. One that this program wrote meanwhile only starts earlier. */
function recordOf(
  { checks, incidents, start }: ImportedHistory,
  url: string,
  ids: ReadonlyMap<Incident, string>,
  before: string | undefined,
): string {
  const startTime = Temporal.Instant.fromEpochMilliseconds(start);
  const known = parseRecord(before ?? "");
  if (known !== undefined && isOurs(known.generator)) {
    return isBefore(startTime, known.startTime) ? formatRecord({ ...known, startTime }) : before!;
  }
  const last = checks.at(-1)!;
  const same = checks.findLastIndex(({ state }) => state !== last.state);
  const open = incidents.find(({ incident }) => incident.end === undefined)?.incident;
  const record: HistoryRecord = {
    url,
    status: last.state === "down" ? "down" : "up",
    code: last.code,
    responseTime: last.ms ?? 0,
    lastUpdated: Temporal.Instant.fromEpochMilliseconds(last.time),
    startTime,
    generator: GENERATOR,
    degraded: last.state === "degraded",
    since: open?.start ?? Temporal.Instant.fromEpochMilliseconds(checks[same + 1]!.time),
    incident: open && ids.get(open),
  };
  return formatRecord(record);
}
