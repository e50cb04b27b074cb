import type { Config } from "../lib/config/config.ts";
import { RemoteError } from "../lib/git/remote.ts";
import { removeOldLocations } from "../lib/history/store/location_texts.ts";
import { apiFiles } from "../lib/statistics/api/api_files.ts";
import { recordStatistics } from "../lib/statistics/report/record_statistics.ts";
import {
  computeSummary,
  formatSummary,
  selectOthers,
  SUMMARY_PATH,
} from "../lib/statistics/summary.ts";
import { formatTime } from "../lib/time.ts";
import type { Command, Context } from "./shared/context.ts";
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
    *filesOf(newest, before) {
      const others = listsAllSites ? [] : selectOthers(before, config.sites);
      yield* apiFiles(newest, { draw: renderBadge });
      yield [SUMMARY_PATH, formatSummary([...computeSummary(newest), ...others])];
    },
    message: filesMessage(config, "summaryJson"),
    author: commitAuthor(config),
    dryRun,
  });
  for (const note of published?.notes ?? []) log.warn(note);
  const { locations } = config;
  const leftLocations = opened.listsAllLocations ? await cleanLocations(locations, context) : [];
  if (dryRun) log.line(plannedFiles(files));
  const paths = (isRemoved: boolean) =>
    [...files].filter(([, text]) => (text === null) === isRemoved).map(([path]) => path);
  const [written, removed] = [paths(false), paths(true)];
  const changes = files.size === 0
    ? "nothing new"
    : `${count(written.length, "file")} changed, ${removed.length} removed`;
  const place = published === undefined ? "" : ` Recorded${formatRecorded(published)}`;
  if (leftLocations.length > 0) {
    const refs = count(leftLocations.length, "removed location");
    log.change(
      `${dryRun ? "Would remove" : "Removed"} the results of ${refs}: ${leftLocations.join(", ")}.`,
    );
  }
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

/** Removes what locations that are no longer configured have sent; returns their ids. */
async function cleanLocations(
  locations: Config["locations"],
  { root, clock, dryRun, log }: Context,
): Promise<string[]> {
  const known = new Set(locations.map(({ id }) => id));
  try {
    return await removeOldLocations(root, { known, now: clock.now(), dryRun });
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    log.warn(`Results of removed locations can't be removed: ${error.message}`);
    return [];
  }
}
