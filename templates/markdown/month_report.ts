import { shorten } from "../../lib/text/plain_text.ts";
import {
  isAnythingKnown,
  type MonthIncident,
  type MonthReport,
  phaseOf,
} from "../../lib/statistics/report/month_report.ts";
import type { Objective, Statistics } from "../../lib/statistics/statistics.ts";
import { GENERATOR } from "../../lib/version.ts";
import { escapeMentions, markdownTable } from "./markdown.ts";
import {
  formatMilliseconds,
  formatShare,
  formatTarget,
  longDuration,
  NOTHING,
  zonedMinute,
} from "../words.ts";

/** Longest cause that is told, in characters. */
const LONGEST_CAUSE = 120;

export interface ReportOwner {
  /** `owner/name` of the monitor's repository, where it is known. */
  repository?: string;
  /** Address of GitHub, for people. */
  server: string;
}

/** A month as a document of Markdown that can be handed in. */
export function monthMarkdown(report: MonthReport, owner: ReportOwner): string {
  const nothing = whyEmpty(report);
  const body = nothing === undefined
    ? [
      `${DEFINITIONS}\n`,
      `## Sites\n\n${sitesTable(report)}`,
      `## Incidents\n\n${incidentsTable(report, owner)}`,
    ]
    : [`${nothing}\n`];
  return [`# Uptime in ${monthTitle(report)}\n`, head(report, owner), ...body].join("\n");
}

function head({ month, time }: MonthReport, { repository, server }: ReportOwner): string {
  const { timezone, window } = month;
  const minute = (moment: number) =>
    zonedMinute(Temporal.Instant.fromEpochMilliseconds(moment), timezone);
  const isGoing = phaseOf({ month, time }) === "so far";
  const facts = [
    ...repository === undefined
      ? []
      : [`- Monitor: [${escapeMentions(repository)}](${server}/${repository})`],
    `- Time: from ${minute(window.from)} to ${
      minute(isGoing ? time.epochMilliseconds : window.to)
    }, ${timezone} (as all times below)`,
    `- Made: ${zonedMinute(time, timezone)} by ${GENERATOR}`,
  ];
  return `${facts.join("\n")}\n`;
}

function sitesTable({ sites }: MonthReport): string {
  const hasObjective = sites.some(({ statistics }) => statistics.objective !== undefined);
  const rows = sites.map(({ site, statistics }) => {
    const { objective, responseTimes, observed } = statistics;
    const time = (seconds: number) =>
      observed === 0 ? NOTHING : seconds === 0 ? "none" : longDuration(seconds);
    return [
      escapeMentions(site.name),
      formatShare(statistics.uptime, "no data"),
      formatShare(statistics.coverage),
      time(statistics.down),
      observed === 0 && statistics.outages === 0 ? NOTHING : String(statistics.outages),
      time(statistics.longestOutage),
      formatMilliseconds(responseTimes?.mean),
      formatMilliseconds(responseTimes?.p95),
      ...hasObjective ? [targetText(objective), budgetText(objective, statistics)] : [],
    ];
  });
  const header = [
    ...["Site", "Uptime", "Observed", "Downtime", "Outages", "Longest outage"],
    ...["Mean response time", "p95 response time"],
    ...hasObjective ? ["Objective", "Error budget used"] : [],
  ];
  return markdownTable(header, rows, [1, 2, 3, 4, 5, 6, 7]);
}

function targetText(objective: Objective | undefined): string {
  if (objective === undefined) return NOTHING;
  const { target, isMet } = objective;
  return `${formatTarget(target)}: ${isMet === undefined ? "no data" : isMet ? "met" : "missed"}`;
}

function budgetText(objective: Objective | undefined, { down }: Statistics): string {
  if (objective?.isMet === undefined) return NOTHING;
  const { budget } = objective;
  const used = down === 0 ? "none" : longDuration(down);
  const share = budget > 0 ? ` (${Math.round(down / budget * 100)}%)` : "";
  return `${used} of ${budget > 0 ? longDuration(budget) : "none"}${share}`;
}

function incidentsTable({ incidents, month }: MonthReport, owner: ReportOwner): string {
  if (incidents.length === 0) return "None.\n";
  const rows = incidents.map((one) => {
    const { site, incident } = one;
    const { start, end, kind, error } = incident;
    return [
      escapeMentions(site.name),
      zonedMinute(start, month.timezone),
      end === undefined ? "goes on" : zonedMinute(end, month.timezone),
      lengthText(one),
      kind,
      escapeMentions(shorten(error, LONGEST_CAUSE)),
      issueText(incident.issue, owner),
    ];
  });
  return markdownTable(
    ["Site", "Began", "Ended", "Duration", "Kind", "Cause", "Issue"],
    rows,
  );
}

function lengthText({ seconds, within }: MonthIncident): string {
  const text = seconds < 1 ? "less than a second" : longDuration(seconds);
  return Math.round(seconds) === Math.round(within)
    ? text
    : `${text} (${within < 1 ? "none" : longDuration(within)} of it in this month)`;
}

function issueText(issue: number | undefined, { repository, server }: ReportOwner): string {
  if (issue === undefined) return "";
  return repository === undefined
    ? `#${issue}`
    : `[#${issue}](${server}/${repository}/issues/${issue})`;
}

const DEFINITIONS =
  "Uptime is the share of the observed time, maintenance left out, in which a site was not down; an outage lasts from the first failed check to the first good one. " +
  "Observed is the share of the month, from when the site was first monitored, that checks speak for; the rest is unknown and counts neither as up nor as down.";

function monthTitle(report: Pick<MonthReport, "month" | "time">): string {
  const [year, month] = report.month.name.split("-").map(Number) as [number, number];
  const words = new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" })
    .format(Date.UTC(year, month - 1));
  return phaseOf(report) === "so far" ? `${words}, so far` : words;
}

export function whyEmpty(report: MonthReport): string | undefined {
  if (phaseOf(report) === "future") {
    return "This month has not begun yet: there is nothing to report.";
  }
  if (report.sites.length === 0) return "No site is configured: there is nothing to report.";
  return isAnythingKnown(report)
    ? undefined
    : "No check of this month is known: there is nothing to report.";
}
