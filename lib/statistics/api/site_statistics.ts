import * as v from "valibot";
import { about } from "../../config/keys/values.ts";
import type { SiteReport } from "../report/report.ts";
import type { WindowName } from "../../history/windows.ts";
import { formatTime } from "../../time.ts";
import { schemaAddress } from "../../version.ts";
import type { Redact } from "./showing.ts";
import { WINDOW, windowStatistics } from "./window_statistics.ts";

/** The name of the schema that says what is in the file. */
export const STATISTICS_SCHEMA = "statistics";

/** What the file says; all that is not known is left out. */
export const SITE_STATISTICS = v.object({
  $schema: about("Address of the schema that the file keeps to.", v.string()),
  slug: about("The name that the files of the site go by.", v.string()),
  name: about("The name of the site, as people read it.", v.string()),
  startTime: v.optional(about("When the site was first monitored.", moment())),
  lastUpdated: v.optional(
    about("The last check that found out how the site is, or that it is in maintenance.", moment()),
  ),
  apdexThreshold: about(
    "Milliseconds up to which an answer satisfies.",
    v.pipe(v.number(), v.minValue(1)),
  ),
  windows: about(
    "Each measured back from one second after the last check: 24 hours, 7, 30, 90 and 365 days, and all time.",
    v.object({
      day: WINDOW,
      week: WINDOW,
      month: WINDOW,
      quarter: WINDOW,
      year: WINDOW,
      all: WINDOW,
    }),
  ),
});

type SiteStatistics = v.InferOutput<typeof SITE_STATISTICS>;

/** The text of a site's file of statistics. */
export function formatStatistics(
  { site, history, record, lastCheck = record?.lastUpdated, statistics }: SiteReport,
  redact: Redact,
): string {
  const own = (name: WindowName) => windowStatistics(statistics[name]);
  const text: SiteStatistics = {
    $schema: schemaAddress(STATISTICS_SCHEMA),
    slug: site.slug,
    name: redact(site.name),
    startTime: history.first === undefined
      ? undefined
      : formatTime(Temporal.Instant.fromEpochMilliseconds(history.first)),
    lastUpdated: record && lastCheck && formatTime(lastCheck),
    apdexThreshold: site.apdex,
    windows: {
      day: own("day"),
      week: own("week"),
      month: own("month"),
      quarter: own("quarter"),
      year: own("year"),
      all: own("all"),
    },
  };
  return `${JSON.stringify(text, null, 2)}\n`;
}

function moment() {
  return v.pipe(v.string(), v.isoTimestamp());
}
