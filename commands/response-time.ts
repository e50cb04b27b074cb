import { apiFiles } from "../lib/statistics/api/api_files.ts";
import { recordStatistics } from "../lib/statistics/report/record_statistics.ts";
import { computeSummary, selectOthers } from "../lib/statistics/summary.ts";
import { formatSummaryFiles, StoredSummary } from "../lib/statistics/summary_files.ts";
import { chooseLayout } from "../lib/config/layout.ts";
import { formatTime } from "../lib/time.ts";
import type { Command } from "./shared/context.ts";
import { randomName } from "../lib/io/clock.ts";
import { reportResult } from "./shared/job_report.ts";
import { openReport } from "./shared/open_report.ts";
import { renderBadge } from "../templates/graph/badge.ts";
import { commitAuthor, filesMessage } from "../templates/commit_message.ts";
import { formatRecorded, plannedFiles } from "../templates/terminal/lines.ts";
import { count, countSites } from "../templates/words.ts";

export const responseTime: Command = async (context) => {
  const { dryRun, log } = context;
  const opened = await openReport(context);
  if (opened === undefined) return 2;
  const { config, listsAllSites } = opened;
  const { report, files, published } = await recordStatistics(opened, {
    run: { id: randomName(), time: context.clock.now() },
    filesOf: (newest, before) => {
      const summary = new StoredSummary(before);
      const others = listsAllSites ? [] : selectOthers(summary.entries(), config.sites);
      const layout = listsAllSites
        ? chooseLayout(config.sites.length)
        : summary.isOf("nested")
        ? "nested"
        : "flat";
      return new Map<string, string | null>([
        ...apiFiles(newest, { draw: renderBadge }),
        ...formatSummaryFiles([...computeSummary(newest), ...others], {
          layout,
          before: before.keys(),
        }),
      ]);
    },
    message: filesMessage(config, "summaryJson"),
    author: commitAuthor(config),
    dryRun,
  });
  for (const note of published?.notes ?? []) log.warn(note);
  if (dryRun) log.line(plannedFiles(files));
  const paths = (isRemoved: boolean) =>
    [...files].filter(([, text]) => (text === null) === isRemoved).map(([path]) => path);
  const [written, removed] = [paths(false), paths(true)];
  const changes = files.size === 0
    ? "nothing new"
    : `${count(written.length, "file")} changed, ${removed.length} removed`;
  const place = published === undefined ? "" : ` Recorded${formatRecorded(published)}`;
  const line = `Statistics of ${countSites(report.sites.length)}: ${changes}.${place}`;
  await reportResult(
    line,
    {
      time: formatTime(report.time),
      sites: report.sites.map(({ site: { slug } }) => slug),
      written,
      removed,
      commit: published?.commit ?? null,
      place: published?.place ?? null,
    },
    context,
    { notes: published?.notes },
  );
  return 0;
};
