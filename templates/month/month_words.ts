import {
  isAnythingKnown,
  type MonthReport,
  phaseOf,
} from "../../lib/statistics/report/month_report.ts";

/** What the numbers of a report mean, for who reads nothing else. */
export const DEFINITIONS =
  "Uptime is the share of the observed time, maintenance left out, in which a site was not down; an outage lasts from the first failed check to the first good one. " +
  "Observed is the share of the month, from when the site was first monitored, that checks speak for; the rest is unknown and counts neither as up nor as down.";

/** What a month is called: `November 2026, so far`. */
export function monthTitle(report: Pick<MonthReport, "month" | "time">): string {
  const [year, month] = report.month.name.split("-").map(Number) as [number, number];
  const words = new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" })
    .format(Date.UTC(year, month - 1));
  return phaseOf(report) === "so far" ? `${words}, so far` : words;
}

/** Why there is nothing to report of a month; `undefined` where there is something. */
export function whyEmpty(report: MonthReport): string | undefined {
  if (phaseOf(report) === "future") {
    return "This month has not begun yet: there is nothing to report.";
  }
  if (report.sites.length === 0) return "No site is configured: there is nothing to report.";
  return isAnythingKnown(report)
    ? undefined
    : "No check of this month is known: there is nothing to report.";
}
