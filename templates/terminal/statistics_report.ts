import type { RecordedStatistics } from "../../lib/statistics/report/record_statistics.ts";
import { FILE_WINDOW_NAMES, WINDOWS } from "../../lib/history/windows.ts";
import { formatTime } from "../../lib/time.ts";
import { escapeMarkdown, markdownTable } from "../markdown.ts";
import { formatMilliseconds, formatShare } from "../measures.ts";
import { notesList } from "../update/job_summary.ts";
import { count, countSites } from "../words.ts";

const ROLLING = FILE_WINDOW_NAMES.filter((name) => name !== "all");

/** What came of statistics, on one line. */
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

/** What came of statistics, for programs. */
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
