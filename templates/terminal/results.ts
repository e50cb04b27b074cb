import type { Report } from "../../lib/statistics/report/report.ts";
import type { Notification } from "../../lib/config/channels/keys.ts";
import { EXPORT_FOLDER } from "../../lib/config/page_path.ts";
import type { Published } from "../../lib/history/store/store.ts";
import { FILE_WINDOW_NAMES, WINDOWS } from "../../lib/history/windows.ts";
import type { GraphChanges } from "../../lib/statistics/graphs/graph_files.ts";
import type { KeptGraphs } from "../../lib/statistics/graphs/keep_graphs.ts";
import type { RecordedStatistics } from "../../lib/statistics/report/record_statistics.ts";
import type { DispatchEvent } from "../../lib/incidents/dispatches.ts";
import { channelName } from "../../lib/notifications/routes.ts";
import type { SyncedPage } from "../../lib/page/export.ts";
import { computeOverall } from "../../lib/page/overall.ts";
import type { FilledAbout } from "../../lib/setup/about.ts";
import type { KeptReadme } from "../../lib/setup/readme.ts";
import { paint } from "../../lib/text/paint.ts";
import { formatTime } from "../../lib/time.ts";
import { escapeMarkdown, markdownTable, notesList } from "../markdown/markdown.ts";
import { count, countSites, formatMilliseconds, formatShare } from "../words.ts";
import { plannedChanges } from "./lines.ts";

/** A test of the channel with a number from 1; with a preview nothing was sent. */
export interface ChannelTest {
  number: number;
  notification: Notification;
  answer?: string;
  failure?: string;
  preview?: unknown;
}

export function channelTestLine(
  { number, notification, answer, failure, preview }: ChannelTest,
): string {
  const name = `${number}. ${channelName(notification)}`;
  if (failure !== undefined) return `${name}: ${failure}`;
  if (answer !== undefined) return `${paint.green("✔")} ${name}: ${answer}`;
  return `${name} would be sent\n\n${JSON.stringify(preview, null, 2)}\n`;
}

export function channelTestsJson(tests: readonly ChannelTest[]): unknown {
  return tests.map(({ number, notification, answer, failure, preview }) => ({
    number,
    channel: channelName(notification),
    ...preview === undefined
      ? { answer: answer ?? null, failure: failure ?? null }
      : { payload: preview },
  }));
}

/** A workflow started in a repository, `owner/name`. */
interface Dispatch {
  event: DispatchEvent;
  repository: string;
  dryRun: boolean;
}

export function dispatchLine({ event, repository, dryRun }: Dispatch): string {
  const what = `the workflow for ${event} in ${repository}`;
  return dryRun ? `Nothing was sent; a run would start ${what}.` : `Started ${what}.`;
}

export function dispatchJson({ event, repository, dryRun }: Dispatch): unknown {
  return { event, repository, sent: !dryRun };
}

/** A secret saved in a repository, `owner/name`; `isNew` is absent on a dry run. */
interface SavedSecret {
  name: string;
  repository: string;
  isNew?: boolean;
}

export function secretLine({ name, repository, isNew }: SavedSecret): string {
  if (isNew === undefined) {
    return `Nothing was sent; the value is sealed, and would become the secret ${name} of ${repository}.`;
  }
  return isNew
    ? `Saved ${name} as a new secret of ${repository}.`
    : `Replaced the secret ${name} of ${repository}.`;
}

export function secretJson({ name, repository, isNew }: SavedSecret): unknown {
  return { secret: name, repository, sent: isNew !== undefined, new: isNew ?? null };
}

const ROLLING = FILE_WINDOW_NAMES.filter((name) => name !== "all");

export function statisticsLine({ report, files, published }: RecordedStatistics): string {
  const title = `Statistics of ${countSites(report.sites.length)}`;
  if (files.size === 0) return `${title}: nothing new.`;
  const { written, removed } = pathsByFate(files);
  const gone = removed.length === 0
    ? ""
    : `, ${count(removed.length, "log")} of rolled-up checks removed`;
  const changed = `${title}: ${count(written.length, "file")} changed${gone}.`;
  if (published === undefined) return changed;
  return `${changed} Recorded${inCommit(published)}: ${published.place}.`;
}

/** The statistics of all sites, for the page of a job. */
export function statisticsSummary(recorded: RecordedStatistics): string {
  const rows = recorded.report.sites.map(({ site, statistics }) => [
    escapeMarkdown(site.name),
    ...ROLLING.map((name) => formatShare(statistics[name].uptime)),
    formatMilliseconds(statistics.day.responseTimes?.p50),
    formatMilliseconds(statistics.day.responseTimes?.p95),
  ]);
  const windows = ROLLING.map((name) => `Uptime ${WINDOWS[name].short}`);
  const header = ["Site", ...windows, "Median 24h", "p95 24h"];
  const table = markdownTable(header, rows, header.slice(1).map((_, index) => index + 1));
  return `${title(statisticsLine(recorded))}\n${table}${
    notesList(recorded.published?.notes ?? [])
  }`;
}

export function recordedJson({ report, files, published }: RecordedStatistics): unknown {
  return {
    time: formatTime(report.time),
    sites: report.sites.map(({ site: { slug } }) => slug),
    ...pathsByFate(files),
    commit: published?.commit ?? null,
    place: published?.place ?? null,
  };
}

function pathsByFate(files: RecordedStatistics["files"]) {
  const paths = (isRemoved: boolean) =>
    [...files].filter(([, text]) => (text === null) === isRemoved).map(([path]) => path);
  return { written: paths(false), removed: paths(true) };
}

export function graphsLine(
  drawn: number,
  { written, removed, published, place }: KeptGraphs,
): string {
  const gone = removed === 0 ? "" : `, ${removed} removed`;
  const kept = published ? "Published" : "Nothing new to publish";
  return `Drew ${count(drawn, "graph")}: ${written} changed${gone}. ${kept}: ${place}.`;
}

export function graphsSummary(drawn: number, kept: KeptGraphs): string {
  const notes = [...kept.notes, ...kept.refused === undefined ? [] : [kept.refused.message]];
  return `${title(graphsLine(drawn, kept))}${notesList(notes)}`;
}

/** Lists graphs that would change. */
export function plannedGraphs(changes: GraphChanges): string {
  if (changes.size === 0) return "No graph would change.";
  return plannedChanges([...changes].map(([path, content]) => [path, content?.length ?? null]));
}

export function graphsJson(
  drawn: ReadonlyMap<string, Uint8Array>,
  { kept, changes }: { kept?: KeptGraphs; changes?: GraphChanges },
): unknown {
  return {
    graphs: [...drawn.keys()],
    ...kept === undefined ? {} : {
      written: kept.written,
      removed: kept.removed,
      published: kept.published,
      place: kept.place,
      notes: kept.notes,
      failure: kept.refused?.message,
    },
    ...changes === undefined ? {} : {
      changes: [...changes].map(([path, content]) => ({ path, bytes: content?.length ?? null })),
    },
  };
}

/** A built status page. */
export interface BuiltPage {
  kept: SyncedPage;
  settings: { address?: string };
  /** Time of the last check. */
  checks?: Temporal.Instant;
  notes: readonly string[];
}

/**
 * Reports the files of a built page.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const kept = { files: 240, pages: 21, written: new Map([["index.html", 900]]), removed: [] };
 * assertEquals(pageLine({ kept }), "Status page: 21 pages (240 files, 1 written), site/status-page/export");
 * ```
 */
export function pageLine({ kept: { pages, files, written, removed } }: Pick<BuiltPage, "kept">) {
  const changes = [
    ...written.size > 0 ? [`${written.size} written`] : [],
    ...removed.length > 0 ? [`${removed.length} removed`] : [],
  ];
  const details = [count(files, "file"), ...changes.length > 0 ? changes : ["nothing changed"]];
  return `Status page: ${count(pages, "page")} (${details.join(", ")}), ${EXPORT_FOLDER}`;
}

export function pageSummary(page: BuiltPage): string {
  const { address } = page.settings;
  const link = address === undefined ? "" : `\n<${encodeURI(decodeURI(address))}/>\n`;
  return `${title(pageLine(page))}${link}${notesList(page.notes)}`;
}

export function pageJson({ kept, settings, checks, notes }: BuiltPage): unknown {
  return {
    folder: EXPORT_FOLDER,
    address: settings.address ?? null,
    checks: checks === undefined ? null : formatTime(checks),
    pages: kept.pages,
    files: kept.files,
    written: [...kept.written].map(([path, bytes]) => ({ path, bytes })),
    removed: kept.removed,
    notes,
  };
}

export function readmeLine(
  report: Report,
  { readme: { path, isNew }, published }: KeptReadme,
): string {
  const summary = `Summary of ${countSites(report.sites.length)} in ${path}`;
  if (!isNew) return `${summary}: nothing new.`;
  if (published === undefined) return `${summary}: would be written.`;
  return `${summary}: written${inCommit(published)}, ${published.place}.`;
}

/** Reports which fields of the repository's page were filled in; `undefined` if none. */
export function aboutLine({ filled }: FilledAbout, isDryRun: boolean): string | undefined {
  const parts = Object.entries(filled).map(([key, value]) =>
    `${key} (${[value].flat().join(", ")})`
  );
  if (parts.length === 0) return undefined;
  return `The repository ${isDryRun ? "would get" : "got"} what it lacked: ${parts.join("; ")}.`;
}

export function readmeNotes(
  { readme: { path, lacking }, published }: KeptReadme,
  { timelines, stale }: {
    timelines: { published?: Published; failure?: { message: string } };
    stale?: string;
  },
  { note }: FilledAbout,
): string[] {
  const { failure } = timelines;
  return [
    ...stale === undefined ? [] : [`Timelines are as they were last read: ${stale}`],
    ...timelines.published?.notes ?? [],
    ...failure === undefined ? [] : [`What was read was not kept: ${failure.message}`],
    ...published?.notes ?? [],
    ...lacking.length === 0 ? [] : [
      `${path} has no place for the summary: --add-markers makes one, or put ${
        lacking.join(" and ")
      } where it belongs, each on a line of its own`,
    ],
    ...note === undefined ? [] : [note],
  ];
}

export function readmeJobSummary(
  report: Report,
  kept: KeptReadme,
  notes: readonly string[],
): string {
  return `${title(readmeLine(report, kept))}${notesList(notes)}`;
}

export function readmeJson(
  report: Report,
  { readme, published }: KeptReadme,
  { filled }: FilledAbout,
) {
  return {
    file: readme.path,
    changed: readme.isNew,
    overall: computeOverall(report),
    sites: report.sites.map(({ site: { slug } }) => slug),
    commit: published?.commit ?? null,
    place: published?.place ?? null,
    about: filled,
  };
}

/** The title of a job's summary. */
function title(line: string): string {
  return `### ${escapeMarkdown(line)}\n`;
}

function inCommit({ commit }: Published): string {
  return commit === undefined ? "" : ` in ${commit.slice(0, 7)}`;
}
