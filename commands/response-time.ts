import type { Config } from "../lib/config/config.ts";
import { RemoteError } from "../lib/git/remote.ts";
import { readRepositoryInfo } from "../lib/git/repository.ts";
import type { Run } from "../lib/history/checks_log.ts";
import { removeOldLocations } from "../lib/history/store/location_texts.ts";
import { toSubscribers } from "../lib/notifications/channel_list.ts";
import type { Effect } from "../lib/outbox/effect.ts";
import { planReports, publishPlanned } from "../lib/pipeline/channel_reports.ts";
import { apiFiles } from "../lib/statistics/api/api_files.ts";
import { recordStatistics } from "../lib/statistics/report/record_statistics.ts";
import {
  computeSummary,
  formatSummary,
  selectOthers,
  SUMMARY_PATH,
} from "../lib/statistics/summary.ts";
import type { Command, Context } from "./shared/context.ts";
import { randomName } from "../lib/io/clock.ts";
import { reportResult } from "./shared/job_report.ts";
import { type OpenedReport, openReport } from "./shared/open_report.ts";
import { createSending } from "./shared/sending.ts";
import { loadPageLanguage } from "../lib/text/languages.ts";
import { createBadges } from "../templates/graph/badge.ts";
import { commitAuthor, filesMessage, PLAN_MESSAGE } from "../templates/commit_message.ts";
import { formatRecorded } from "../templates/terminal/lines.ts";
import { count, countSites } from "../templates/words.ts";

export const responseTime: Command = async (context) => {
  const { log } = context;
  const opened = await openReport(context);
  if (opened === undefined) return 2;
  const { config, listsAllSites } = opened;
  const draw = createBadges(await loadPageLanguage(config));
  const run = { id: randomName(), time: context.clock.now() };
  const planned = await planChannelReports(opened, run, context);
  const { report, files, published } = await recordStatistics(opened, {
    run,
    *filesOf(newest, before) {
      const others = listsAllSites ? [] : selectOthers(before, config.sites);
      yield* apiFiles(newest, { draw });
      yield [SUMMARY_PATH, formatSummary([...computeSummary(newest), ...others])];
    },
    message: filesMessage(config, "summaryJson"),
    author: commitAuthor(config),
  });
  for (const note of published?.notes ?? []) log.warn(note);
  const { locations } = config;
  const leftLocations = opened.listsAllLocations ? await cleanLocations(locations, context) : [];
  const paths = (isRemoved: boolean) =>
    [...files].filter(([, text]) => (text === null) === isRemoved).map(([path]) => path);
  const [written, removed] = [paths(false), paths(true)];
  const changes = files.size === 0
    ? "nothing new"
    : `${count(written.length, "file")} changed, ${removed.length} removed`;
  const place = published === undefined ? "" : ` Recorded${formatRecorded(published)}`;
  if (leftLocations.length > 0) {
    const refs = count(leftLocations.length, "removed location");
    log.change(`Removed the results of ${refs}: ${leftLocations.join(", ")}.`);
  }
  for (const { description } of planned.effects) log.change(`Planned: ${description}.`);
  const line = `Statistics of ${countSites(report.sites.length)}: ${changes}.${place}`;
  await reportResult(
    line,
    {
      time: report.time,
      sites: report.sites.map(({ site: { slug } }) => slug),
      written,
      removed,
      commit: published?.commit ?? null,
      place: published?.place ?? null,
      reports: planned.effects.map(({ id }) => id),
    },
    context,
    { notes: [...published?.notes ?? [], ...planned.notes] },
  );
  return planned.isLost ? 1 : 0;
};

/** Plans the reports of channels, which the next run that sends messages sends: this one has neither network nor secrets. */
async function planChannelReports(
  { config, store, fullReport }: OpenedReport,
  run: Run,
  context: Context,
): Promise<{ effects: readonly Effect[]; notes: string[]; isLost?: true }> {
  const { root, log } = context;
  const channels = toSubscribers(config).filter(({ notification }) => notification.report);
  if (channels.length === 0) return { effects: [], notes: [] };
  const { remoteUrl } = await readRepositoryInfo(root);
  const { title = "", language } = await createSending(config, remoteUrl, context);
  const effects = planReports(fullReport, {
    ...{ channels, timezone: config.timezone, monitor: title, language, now: run.time },
  });
  if (effects.length === 0) return { effects, notes: [] };
  try {
    const message = PLAN_MESSAGE;
    return {
      effects: await publishPlanned(store, effects, {
        ...{ run, message, author: commitAuthor(config) },
      }),
      notes: [],
    };
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    const note =
      `The reports of channels are not planned: ${error.message}; the next run tries again, until two days after the week or month`;
    log.warn(note);
    return { effects: [], notes: [note], isLost: true };
  }
}

/** Removes what locations that are no longer configured have sent; returns their ids. */
async function cleanLocations(
  locations: Config["locations"],
  { root, clock, log }: Context,
): Promise<string[]> {
  const known = new Set(locations.map(({ id }) => id));
  try {
    return await removeOldLocations(root, { known, now: clock.now() });
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    log.warn(`Results of removed locations can't be removed: ${error.message}`);
    return [];
  }
}
