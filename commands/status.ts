import { UsageError } from "../lib/text/arguments.ts";
import { USUAL_COLUMNS } from "../lib/text/columns.ts";
import { findSite, whyNoSite } from "../lib/config/config.ts";
import type { Command } from "./shared/context.ts";
import { openReport } from "./shared/open_report.ts";
import { formatMutes } from "../templates/terminal/acknowledgements.ts";
import { maintenanceSoon } from "../templates/terminal/maintenance.ts";
import { siteStatus, statusJson } from "../templates/terminal/site_status.ts";
import { reportHealth } from "./status/health.ts";
import { archivedSites } from "../lib/statistics/report/archived_sites.ts";
import { archivedTable, statusTable } from "../templates/terminal/status.ts";

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
