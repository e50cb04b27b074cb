import type { Command } from "./shared/context.ts";
import { publishJobReport } from "./shared/job_report.ts";
import { EXPORT_FOLDER } from "../lib/config/page_path.ts";
import { plannedChanges, plannedFiles } from "../templates/terminal/lines.ts";
import { pageJson, pageLine, pageSummary } from "../templates/terminal/results.ts";
import { buildPage } from "./page/build_page.ts";

/** Builds the status page. */
export const site: Command = async (context) => {
  const { log, dryRun, json } = context;
  const page = await buildPage(context, { isPreview: false });
  if (page === undefined) return 2;
  if (page === "unwanted") {
    log.line("No status page: skipGeneratingWebsite is true in the configuration.");
    if (json) log.data({ folder: null });
    return 0;
  }
  const { kept, timelines: { timelines, stale } } = page;
  for (const note of page.notes) log.warn(note);
  if (stale !== undefined) log.warn(`Timelines are as they were last read: ${stale}`);
  if (dryRun) {
    if (timelines.files.size > 0) log.line(plannedFiles(timelines.files));
    const gone = kept.removed.map((path) => [path, null] as const);
    const changes = [...kept.written, ...gone].sort(([a], [b]) => a < b ? -1 : 1);
    if (changes.length > 0) {
      log.line(plannedChanges(changes.map(([path, bytes]) => [`${EXPORT_FOLDER}/${path}`, bytes])));
    }
  }
  log.line(pageLine(page));
  if (json) log.data(pageJson(page));
  const outputs = { publish: String(page.isForVisitors) };
  await publishJobReport({ outputs, summary: pageSummary(page) }, context);
  return 0;
};
