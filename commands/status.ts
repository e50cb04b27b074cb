import { UsageError } from "../lib/text/arguments.ts";
import { USUAL_COLUMNS } from "../lib/text/columns.ts";
import { findSite, whyNoSite } from "../lib/config/config.ts";
import { type Command, loadReported, storeOptions } from "./shared/context.ts";
import { openReport } from "./shared/open_report.ts";
import { formatMutes } from "../templates/terminal/acknowledgements.ts";
import { maintenanceSoon } from "../templates/terminal/maintenance.ts";
import { siteStatus, statusJson } from "../templates/terminal/site_status.ts";
import { archivedSites } from "../lib/statistics/report/archived_sites.ts";
import { archivedTable, statusTable } from "../templates/terminal/status.ts";
import { CHECKS_FOLDER, dayOfLog, parseRows } from "../lib/history/checks_log.ts";
import { loadStoredRunState } from "../lib/history/run_state.ts";
import { openStoreOrFolder, openWatchMark } from "../lib/history/store/open_store.ts";
import type { Snapshot } from "../lib/history/store/store.ts";
import { plannedGap } from "../lib/statistics/run_gaps.ts";
import { DAY, describeDuration, isBefore } from "../lib/time.ts";

export const status: Command = async (context) => {
  if (context.options.has("healthy")) return await reportHealth(context);
  const { clock, log, json, environment } = context;
  const opened = await openReport(context, { isShown: true });
  if (opened === undefined) return 2;
  const { config, fullReport: report, read } = opened;
  if (context.options.has("archived")) {
    const archived = archivedSites(read.histories, { config, now: report.time.epochMilliseconds });
    log.line(archivedTable(archived));
    if (json) log.data(archived);
    return 0;
  }
  // Statistics are as of the report; only how long ago something was is measured from the clock.
  const now = clock.now();
  const columns = environment.columns ?? USUAL_COLUMNS;
  const wanted = context.words.join(" ");
  const site = wanted === "" ? undefined : findSite(config.sites, wanted);
  if (wanted !== "" && site === undefined) {
    throw new UsageError(whyNoSite(config.sites, wanted));
  }
  const one = report.sites.find((one) => one.site === site);
  const windows = report.maintenance.filter(({ sites }) =>
    site === undefined || sites.has(site.slug)
  );
  const all = read.loadedState.runState?.mutes ?? {};
  const mutes = site === undefined ? all : pickSite(all, site.slug);
  const texts = [
    one === undefined
      ? statusTable({ ...report, time: now }, columns)
      : siteStatus(one, now, columns),
    maintenanceSoon(windows, { ...config, now, columns }),
    formatMutes(mutes, config.sites, now),
  ];
  log.line(texts.filter((text) => text !== "").join("\n\n"));
  if (json) {
    const shown = one === undefined ? report : { ...report, sites: [one] };
    log.data(statusJson(shown, mutes));
  }
  return 0;
};

function pickSite<T>(all: Readonly<Record<string, T>>, slug: string): Record<string, T> {
  return Object.hasOwn(all, slug) ? { [slug]: all[slug]! } : {};
}

/** Intervals without a check after which the monitor is unhealthy. */
const LATE = 3;

/** Reports if the monitor still checks, from what this machine knows: nothing is fetched. */
const reportHealth: Command = async (context) => {
  const { root, clock, json, log, words } = context;
  if (words.length > 0) {
    throw new UsageError("Cannot use --healthy with a site: it is about the monitor as a whole");
  }
  const { config, file } = await loadReported(context);
  if (config === undefined) return 2;
  const options = { ...storeOptions(context, file), warn() {}, offline: true };
  const { store } = await openStoreOrFolder(root, options);
  const recorded = await findLastCheck(await store.read());
  const watched = await (await openWatchMark(root)).read();
  const intervals = config.sites.flatMap(({ paused, interval }) => paused ? [] : interval);
  const shortest = Math.min(...intervals, DAY);
  // If newer checks are recorded, something other than `watch` makes the runs.
  const isWatched = watched !== undefined &&
    (recorded === undefined || !isBefore(watched.add({ milliseconds: shortest }), recorded));
  const last = isWatched ? watched : recorded;
  const from = (last ?? clock.now()).epochMilliseconds;
  const gapAfter = (time: number) =>
    isWatched ? shortest : plannedGap(config.workflowSchedule.uptime, time);
  let due = from;
  for (let count = 0; count < LATE; count++) due += gapAfter(due);
  const interval = gapAfter(from);
  const age = last && Math.max(0, last.until(clock.now()).total("milliseconds"));
  const isHealthy = age !== undefined && age <= due - from;
  log.line(
    age === undefined
      ? "unhealthy: no check is known here"
      : isHealthy
      ? `healthy: last check ${describeDuration(age)} ago`
      : `unhealthy: last check ${describeDuration(age)} ago, the next was expected after ${
        describeDuration(interval)
      }`,
  );
  if (json) log.data({ healthy: isHealthy, lastCheck: last ?? null, interval });
  return isHealthy ? 0 : 1;
};

/** Finds the time of the last run that is recorded, or else of the last check in the logs. */
async function findLastCheck(snapshot: Snapshot): Promise<Temporal.Instant | undefined> {
  const { runState } = await loadStoredRunState(snapshot);
  if (runState !== undefined) return runState.time;
  const names = await snapshot.list(CHECKS_FOLDER);
  const day = names.map(dayOfLog).filter((one) => one !== undefined).sort().at(-1);
  const paths = names.filter((name) => day !== undefined && dayOfLog(name) === day)
    .map((name) => `${CHECKS_FOLDER}/${name}`);
  return [...(await snapshot.read(paths)).values()].flatMap(parseRows)
    .map(({ time }) => time)
    .reduce<Temporal.Instant | undefined>(
      (newest, time) => newest === undefined || isBefore(newest, time) ? time : newest,
      undefined,
    );
}
