import type { Command } from "./shared/context.ts";
import { reportResult } from "./shared/job_report.ts";
import { EXPORT_FOLDER } from "../lib/config/page_path.ts";
import { buildPage, pageLine } from "./page/build_page.ts";

export const site: Command = async (context) => {
  const { log, json } = context;
  const page = await buildPage(context, { isPreview: false });
  if (page === undefined) return 2;
  if (page === "unwanted") {
    log.line("No status page: skipGeneratingWebsite is true in the configuration.");
    if (json) log.data({ folder: null });
    return 0;
  }
  const { kept, notes, settings, checks } = page;
  for (const note of notes) log.warn(note);
  const data = {
    folder: EXPORT_FOLDER,
    address: settings.address ?? null,
    checks: checks ?? null,
    pages: kept.pages,
    files: kept.files,
    written: [...kept.written].map(([path, bytes]) => ({ path, bytes })),
    removed: kept.removed,
    notes,
  };
  const outputs = { publish: String(page.isForVisitors) };
  await reportResult(pageLine(page), data, context, { notes, outputs });
  return 0;
};
