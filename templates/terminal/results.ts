import type { Notification } from "../../lib/config/channels/keys.ts";
import { channelName } from "../../lib/notifications/routes.ts";
import { paint } from "../../lib/text/paint.ts";
import type { DispatchEvent } from "../../lib/incidents/dispatches.ts";
import type { RecordedStatistics } from "../../lib/statistics/report/record_statistics.ts";
import { FILE_WINDOW_NAMES, WINDOWS } from "../../lib/history/windows.ts";
import { formatTime } from "../../lib/time.ts";
import { escapeMarkdown, markdownTable, notesList } from "../markdown/markdown.ts";
import { count, countSites, formatMilliseconds, formatShare } from "../words.ts";
import type { GraphChanges } from "../../lib/statistics/graphs/graph_changes.ts";
import type { KeptGraphs } from "../../lib/statistics/graphs/keep_graphs.ts";
import { plannedChanges } from "./lines.ts";
import type { SyncedPage } from "../../lib/page/export.ts";
import { EXPORT_FOLDER } from "../../lib/config/page_path.ts";
import { overallAt } from "../../lib/page/overall.ts";
import type { KeptReadme } from "../../lib/setup/readme/keep_readme.ts";
import type { FilledAbout } from "../../lib/setup/readme/filled_about.ts";
import type { BroughtTimelines } from "../../commands/shared/bring_timelines.ts";

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

/** A workflow that is started, or would be. */
interface Dispatch {
  event: DispatchEvent;
  /** `owner/name`. */
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

/** A secret that was saved, or would be. */
interface SavedSecret {
  name: string;
  /** `owner/name`. */
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
  const { written, removed } = byKind(files);
  if (files.size === 0) return `Statistics of ${countSites(report.sites.length)}: nothing new.`;
  const gone = removed.length === 0
    ? ""
    : `, ${count(removed.length, "log")} of rolled-up checks removed`;
  const changed = `Statistics of ${countSites(report.sites.length)}: ${
    count(written.length, "file")
  } changed${gone}.`;
  if (published === undefined) return changed;
  const commit = published.commit === undefined ? "" : ` in ${published.commit.slice(0, 7)}`;
  return `${changed} Recorded${commit}: ${published.place}.`;
}

/** The numbers of all sites, for the page of a job. */
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
  const notes = recorded.published?.notes ?? [];
  return `### ${escapeMarkdown(statisticsLine(recorded))}\n\n${table}${notesList(notes)}`;
}

export function recordedJson({ report, files, published }: RecordedStatistics): unknown {
  return {
    time: formatTime(report.time),
    sites: report.sites.map(({ site: { slug } }) => slug),
    ...byKind(files),
    commit: published?.commit ?? null,
    place: published?.place ?? null,
  };
}

function byKind(files: RecordedStatistics["files"]): { written: string[]; removed: string[] } {
  const paths = (isWanted: (text: unknown) => boolean) =>
    [...files].filter(([, text]) => isWanted(text)).map(([path]) => path);
  return { written: paths((text) => text !== null), removed: paths((text) => text === null) };
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
  return `### ${escapeMarkdown(graphsLine(drawn, kept))}\n${notesList(notes)}`;
}

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

/** A page, and what became of it. */
interface ToldPage {
  kept: SyncedPage;
  settings: { address?: string };
  checks?: Temporal.Instant;
  notes: readonly string[];
}

/**
 * What became of the status page, on one line.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const kept = { files: 240, pages: 21, written: new Map([["index.html", 900]]), removed: [] };
 * assertEquals(pageLine({ kept }), "Status page: 21 pages (240 files, 1 written), site/status-page/export");
 * ```
 */
export function pageLine({ kept: { pages, files, written, removed } }: Pick<ToldPage, "kept">) {
  const changes = [
    ...written.size > 0 ? [`${written.size} written`] : [],
    ...removed.length > 0 ? [`${removed.length} removed`] : [],
  ];
  const told = [count(files, "file"), ...changes.length > 0 ? changes : ["nothing changed"]];
  return `Status page: ${count(pages, "page")} (${told.join(", ")}), ${EXPORT_FOLDER}`;
}

export function pageSummary(page: ToldPage): string {
  const { address } = page.settings;
  const link = address === undefined ? "" : `\n<${encodeURI(decodeURI(address))}/>\n`;
  return `### ${escapeMarkdown(pageLine(page))}\n${link}${notesList(page.notes)}`;
}

export function pageJson({ kept, settings, checks, notes }: ToldPage): unknown {
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

export function readmeLine({ report, readme: { path, isNew }, published }: KeptReadme): string {
  const of = `Summary of ${countSites(report.sites.length)} in ${path}`;
  if (!isNew) return `${of}: nothing new.`;
  if (published === undefined) return `${of}: would be written.`;
  const commit = published.commit === undefined ? "" : ` in ${published.commit.slice(0, 7)}`;
  return `${of}: written${commit}, ${published.place}.`;
}

export function aboutLine({ filled }: FilledAbout, isDryRun: boolean): string | undefined {
  const parts = Object.entries(filled).map(([key, value]) =>
    `${key} (${[value].flat().join(", ")})`
  );
  if (parts.length === 0) return undefined;
  return `The repository ${isDryRun ? "would get" : "got"} what it lacked: ${parts.join("; ")}.`;
}

export function readmeNotes(
  { readme: { path, isEdited, lacking }, published }: KeptReadme,
  { timelines, stale }: BroughtTimelines,
  { note }: FilledAbout,
): string[] {
  const isKept = published?.commit !== undefined;
  return [
    ...stale === undefined ? [] : [`Timelines are as they were last read: ${stale}`],
    ...timelines.published?.notes ?? [],
    ...timelines.failure === undefined
      ? []
      : [`What was read was not kept: ${timelines.failure.message}`],
    ...published?.notes ?? [],
    ...lacking.length === 0 ? [] : [
      `${path} has no place for the summary: --add-markers makes one, or put ${
        lacking.join(" and ")
      } where it belongs, each on a line of its own`,
    ],
    ...isEdited && !isKept
      ? [
        `${path} in this folder differs from the one of the branch, which is the one that is told of here`,
      ]
      : [],
    ...note === undefined ? [] : [note],
  ];
}

export function readmeJobSummary(kept: KeptReadme, notes: readonly string[]): string {
  return `### ${escapeMarkdown(readmeLine(kept))}\n${notesList(notes)}`;
}

export function readmeJson(
  { report, readme, published }: KeptReadme,
  { filled }: FilledAbout,
) {
  return {
    file: readme.path,
    changed: readme.isNew,
    overall: overallAt(report),
    sites: report.sites.map(({ site: { slug } }) => slug),
    commit: published?.commit ?? null,
    place: published?.place ?? null,
    about: filled,
  };
}
