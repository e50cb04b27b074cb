import type { ArchivedSite } from "../../lib/statistics/report/archived_sites.ts";
import { count, formatMilliseconds, formatShare } from "../words.ts";
import { alignCells, GAP } from "./lines.ts";

/** Formats sites that are no longer configured as a table. */
export function archivedTable(sites: readonly ArchivedSite[]): string {
  if (sites.length === 0) return "Every site with a past is configured.";
  const rows = sites.map(({ slug, first, last, checks, incidents, uptime, mean }) => [
    slug,
    `${first.slice(0, 10)} to ${last.slice(0, 10)}`,
    count(checks, "check"),
    count(incidents, "incident"),
    formatShare(uptime),
    formatMilliseconds(mean),
  ]);
  return alignCells(rows, { numeric: [2, 3, 4, 5] }).map((row) => row.join(GAP).trimEnd())
    .join("\n");
}
