import { apiFiles } from "../lib/statistics/api/api_files.ts";
import { recordStatistics } from "../lib/statistics/report/record_statistics.ts";
import {
  formatSummary,
  othersIn,
  parseSummary,
  SUMMARY_PATH,
  summaryOf,
} from "../lib/statistics/summary.ts";
import type { Command } from "./shared/context.ts";
import { randomName } from "../lib/io/clock.ts";
import { publishJobReport } from "./shared/job_report.ts";
import { openReport } from "./shared/open_report.ts";
import { renderBadge } from "../templates/graph/badge.ts";
import { commitAuthor, statisticsMessage } from "../templates/commit_message.ts";
import { plannedFiles } from "../templates/terminal/lines.ts";
import { recordedJson, statisticsLine, statisticsSummary } from "../templates/terminal/results.ts";

/** Rolls up the checks of past days, and writes statistics and badges of every site. */
export const responseTime: Command = async (context) => {
  const { dryRun, json, log } = context;
  const opened = await openReport(context);
  if (opened === undefined) return 2;
  const { config, tellsAll } = opened;
  const recorded = await recordStatistics(opened, {
    run: { id: randomName(), time: context.clock.now() },
    filesOf: (newest, summary = "") => {
      const others = tellsAll ? [] : othersIn(parseSummary(summary), config.sites);
      return apiFiles(newest, { draw: renderBadge })
        .set(SUMMARY_PATH, formatSummary([...summaryOf(newest), ...others]));
    },
    message: statisticsMessage(config),
    author: commitAuthor(config),
    dryRun,
  });
  for (const note of recorded.published?.notes ?? []) log.warn(note);
  if (dryRun) log.line(plannedFiles(recorded.files));
  log.line(statisticsLine(recorded));
  if (json) log.data(recordedJson(recorded));
  await publishJobReport({ outputs: {}, summary: statisticsSummary(recorded) }, context);
  return 0;
};
