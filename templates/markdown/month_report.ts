import {
  findPhase,
  isAnythingKnown,
  type MonthIncident,
  type MonthReport,
} from "../../lib/statistics/report/month.ts";
import type { Objective } from "../../lib/statistics/statistics.ts";
import { shorten } from "../../lib/text/plain_text.ts";
import { GENERATOR } from "../../lib/version.ts";
import {
  formatMilliseconds,
  formatShare,
  formatTarget,
  longDuration,
  NO_BUDGET,
  NOTHING,
  zonedMinute,
} from "../words.ts";
import { escapeMentions, markdownTable } from "./markdown.ts";

const LONGEST_CAUSE = 120;

const DEFINITIONS =
  "Uptime is the share of the time with data, maintenance excluded, in which a site was not down; an outage lasts from the first failed check to the first successful one. " +
  "Coverage is the share of the month, from when the site was first monitored, for which there is data; the rest counts neither as up nor as down.";

const LOCATIONS =
  "Each location counts its own checks, confirmed or not; the uptime of a site is that of all its locations together.";

/** The monitor's repository, `owner/name` if it is known, and the address of GitHub. */
export interface ReportOwner {
  repository?: string;
  server: string;
}

export function monthMarkdown(report: MonthReport, owner: ReportOwner): string {
  const reason = whyEmpty(report);
  const body = reason === undefined
    ? [
      `${DEFINITIONS}\n`,
      `## Sites\n\n${sitesTable(report)}`,
      ...locationsSection(report),
      `## Incidents\n\n${incidentsTable(report, owner)}`,
    ]
    : [`${reason}\n`];
  return [`# Uptime in ${monthTitle(report)}\n`, head(report, owner), ...body].join("\n");
}

/** `November 2026, so far` */
function monthTitle(report: Pick<MonthReport, "month" | "time">): string {
  const words = new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" })
    .format(Date.parse(report.month.name));
  return findPhase(report) === "so far" ? `${words}, so far` : words;
}

export function whyEmpty(report: MonthReport): string | undefined {
  if (findPhase(report) === "future") {
    return "This month has not started yet, so it has no report.";
  }
  if (report.sites.length === 0) return "No site is configured, so there is nothing to report.";
  if (isAnythingKnown(report)) return undefined;
  const nothing = "No checks of this month are recorded, so there is nothing to report.";
  const { month, recorded } = report;
  if (
    recorded === undefined || [recorded.first, recorded.last].every((one) => one === month.name)
  ) {
    return nothing;
  }
  const { first, last } = recorded;
  return first === last
    ? `${nothing} There are checks of ${first}: --month ${first} reports it.`
    : `${nothing} There are checks from ${first} to ${last}: choose one with --month YYYY-MM.`;
}

function head({ month, time }: MonthReport, { repository, server }: ReportOwner): string {
  const { timezone, window } = month;
  const minute = (moment: number) =>
    zonedMinute(Temporal.Instant.fromEpochMilliseconds(moment), timezone);
  const isOngoing = findPhase({ month, time }) === "so far";
  const to = minute(isOngoing ? time.epochMilliseconds : window.to);
  const facts = [
    ...repository === undefined
      ? []
      : [`- Monitor: [${escapeMentions(repository)}](${server}/${repository})`],
    `- Time: from ${minute(window.from)} to ${to}, ${timezone} (as all times below)`,
    `- Generated: ${zonedMinute(time, timezone)} by ${GENERATOR}`,
  ];
  return `${facts.join("\n")}\n`;
}

function sitesTable({ sites }: MonthReport): string {
  const hasObjective = sites.some(({ statistics }) => statistics.objective !== undefined);
  const rows = sites.map(({ site, statistics }) => {
    const { objective, responseTimes, observed, outages, down } = statistics;
    const time = (seconds: number) =>
      observed === 0 ? NOTHING : seconds === 0 ? "none" : longDuration(seconds);
    return [
      escapeMentions(site.name),
      formatShare(statistics.uptime, "no data"),
      formatShare(statistics.coverage),
      time(down),
      observed === 0 && outages === 0 ? NOTHING : String(outages),
      time(statistics.longestOutage),
      formatMilliseconds(responseTimes?.mean),
      formatMilliseconds(responseTimes?.p95),
      ...hasObjective ? objectiveCells(objective, down) : [],
    ];
  });
  const header = [
    ...["Site", "Uptime", "Coverage", "Downtime", "Outages", "Longest outage"],
    ...["Mean response time", "p95 response time"],
    ...hasObjective ? ["Objective", "Error budget used"] : [],
  ];
  return markdownTable(header, rows, [1, 2, 3, 4, 5, 6, 7]);
}

/** The sites as seen from each of their locations; nothing if no site has several. */
function locationsSection({ sites }: MonthReport): string[] {
  const rows = sites.flatMap(({ site, locations = [] }) =>
    locations.map(({ name, statistics: { uptime, responseTimes } }) => [
      escapeMentions(site.name),
      escapeMentions(name),
      formatShare(uptime, "no data"),
      formatMilliseconds(responseTimes?.mean),
      formatMilliseconds(responseTimes?.p95),
    ])
  );
  if (rows.length === 0) return [];
  const header = ["Site", "Location", "Uptime", "Mean response time", "p95 response time"];
  return [`## Locations\n\n${LOCATIONS}\n\n${markdownTable(header, rows, [2, 3, 4])}`];
}

/** The objective and the used budget: `99.9%: met`, `10 minutes of 43 minutes (23%)`. */
function objectiveCells(objective: Objective | undefined, down: number): string[] {
  if (objective === undefined) return [NOTHING, NOTHING];
  const { target, isMet, budget } = objective;
  if (isMet === undefined) return [`${formatTarget(target)}: no data`, NOTHING];
  if (budget === undefined) return [`${formatTarget(target)}: ${NO_BUDGET}`, NOTHING];
  const time = (seconds: number) =>
    seconds === 0 ? "none" : seconds < 1 ? "less than a second" : longDuration(seconds);
  const share = budget < 1 ? "" : ` (${Math.round(down / budget * 100)}%)`;
  return [
    `${formatTarget(target)}: ${isMet ? "met" : "missed"}`,
    `${time(down)} of ${time(budget)}${share}`,
  ];
}

function incidentsTable({ incidents, month }: MonthReport, owner: ReportOwner): string {
  if (incidents.length === 0) return "None.\n";
  const { repository, server } = owner;
  const rows = incidents.map((one) => {
    const { start, end, kind, error, issue } = one.incident;
    const link = repository === undefined ? "" : `(${server}/${repository}/issues/${issue})`;
    return [
      escapeMentions(one.site.name),
      zonedMinute(start, month.timezone),
      end === undefined ? "ongoing" : zonedMinute(end, month.timezone),
      durationText(one),
      kind,
      escapeMentions(shorten(error, LONGEST_CAUSE)),
      issue === undefined ? "" : link === "" ? `#${issue}` : `[#${issue}]${link}`,
    ];
  });
  const header = ["Site", "Started", "Ended", "Duration", "Kind", "Cause", "Issue"];
  return markdownTable(header, rows);
}

/** The duration of an incident, and the part within the month if it differs. */
function durationText({ seconds, within }: MonthIncident): string {
  const text = seconds < 1 ? "less than a second" : longDuration(seconds);
  return Math.round(seconds) === Math.round(within)
    ? text
    : `${text} (${within < 1 ? "none" : longDuration(within)} of it in this month)`;
}
