import type { KeptExport } from "../../lib/page/export/keep_export.ts";
import { EXPORT_FOLDER } from "../../lib/config/page_path.ts";
import { formatTime } from "../../lib/time.ts";
import { escapeMarkdown } from "../markdown.ts";
import { notesList } from "../update/job_summary.ts";
import { count } from "../words.ts";

/** A page, and what became of it. */
export interface ToldPage {
  kept: KeptExport;
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

/** What became of it, for the page of a job. */
export function pageSummary(page: ToldPage): string {
  const { address } = page.settings;
  const link = address === undefined ? "" : `\n<${encodeURI(decodeURI(address))}/>\n`;
  return `### ${escapeMarkdown(pageLine(page))}\n${link}${notesList(page.notes)}`;
}

/** What became of it, or would, for programs. */
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
