import {
  findPhase,
  isAnythingKnown,
  type MonthIncident,
  type MonthReport,
} from "../../lib/statistics/report/month.ts";
import { type Objective, toPercent } from "../../lib/statistics/statistics.ts";
import type { Language } from "../../lib/text/language.ts";
import type { MessageKey } from "../../lib/text/messages.ts";
import { shorten } from "../../lib/text/plain_text.ts";
import { GENERATOR } from "../../lib/version.ts";
import { NOTHING, zonedMinute } from "../words.ts";
import { escapeMentions, markdownTable } from "./markdown.ts";

const LONGEST_CAUSE = 120;

/** The monitor's repository, `owner/name` if it is known, and the address of GitHub. */
export interface ReportOwner {
  repository?: string;
  server: string;
}

export function monthMarkdown(
  report: MonthReport,
  owner: ReportOwner,
  language: Language,
): string {
  const { say } = language;
  const reason = whyEmpty(report, language);
  const body = reason === undefined
    ? [
      `${say("reportDefinitions")}\n`,
      `## ${say("reportSites")}\n\n${sitesTable(report, language)}`,
      ...locationsSection(report, language),
      `## ${say("incidentsTitle")}\n\n${incidentsTable(report, owner, language)}`,
    ]
    : [`${reason}\n`];
  return [`# ${writeTitle(report, language)}\n`, head(report, owner, language), ...body].join("\n");
}

/** `Uptime in November 2026, so far` */
function writeTitle(
  report: Pick<MonthReport, "month" | "time">,
  { say, locale }: Language,
): string {
  const options = { month: "long", year: "numeric", timeZone: "UTC", calendar: "gregory" } as const;
  const MONTH = new Intl.DateTimeFormat(locale, options).format(Date.parse(report.month.name));
  return say(findPhase(report) === "so far" ? "reportTitleSoFar" : "reportTitle", { MONTH });
}

export function whyEmpty(report: MonthReport, { say }: Language): string | undefined {
  if (findPhase(report) === "future") return say("reportFuture");
  if (report.sites.length === 0) return say("reportNoSites");
  if (isAnythingKnown(report)) return undefined;
  const nothing = say("reportNoChecks");
  const { month, recorded } = report;
  if (
    recorded === undefined || [recorded.first, recorded.last].every((one) => one === month.name)
  ) {
    return nothing;
  }
  const { first, last } = recorded;
  const rest = first === last
    ? say("reportChecksOf", { MONTH: first })
    : say("reportChecksFrom", { FROM: first, TO: last });
  return `${nothing} ${rest}`;
}

function head(
  { month, time }: MonthReport,
  { repository, server }: ReportOwner,
  { say }: Language,
): string {
  const { timezone, window } = month;
  const minute = (moment: number) =>
    zonedMinute(Temporal.Instant.fromEpochMilliseconds(moment), timezone);
  const isOngoing = findPhase({ month, time }) === "so far";
  const to = minute(isOngoing ? time.epochMilliseconds : window.to);
  const facts = [
    ...repository === undefined ? [] : [
      say("reportMonitor", {
        NAME: `[${escapeMentions(repository)}](${server}/${repository})`,
      }),
    ],
    say("reportTime", { FROM: minute(window.from), TO: to, ZONE: timezone }),
    say("reportGenerated", { TIME: zonedMinute(time, timezone), PROGRAM: GENERATOR }),
  ];
  return `${facts.map((fact) => `- ${fact}`).join("\n")}\n`;
}

function sitesTable({ sites }: MonthReport, language: Language): string {
  const { say, number } = language;
  const texts = createTexts(language);
  const hasObjective = sites.some(({ statistics }) => statistics.objective !== undefined);
  const rows = sites.map(({ site, statistics }) => {
    const { objective, responseTimes, observed, outages, down } = statistics;
    const time = (seconds: number) => observed === 0 ? NOTHING : texts.length(seconds);
    return [
      escapeMentions(site.name),
      texts.share(statistics.uptime, say("noData")),
      texts.share(statistics.coverage),
      time(down),
      observed === 0 && outages === 0 ? NOTHING : number(outages),
      time(statistics.longestOutage),
      texts.milliseconds(responseTimes?.mean),
      texts.milliseconds(responseTimes?.p95),
      ...hasObjective ? objectiveCells(objective, down, language) : [],
    ];
  });
  const header = [
    ...["url", "uptime", "coverage", "downtime", "outages", "longestOutage"] as const,
    ...["meanResponseTime", "p95ResponseTime"] as const,
    ...hasObjective ? ["reportObjective", "reportBudget"] as const : [],
  ];
  return markdownTable(header.map((key) => say(key)), rows, [1, 2, 3, 4, 5, 6, 7]);
}

/** The sites as seen from each of their locations; nothing if no site has several. */
function locationsSection({ sites }: MonthReport, language: Language): string[] {
  const { say } = language;
  const texts = createTexts(language);
  const rows = sites.flatMap(({ site, locations = [] }) =>
    locations.map(({ name, statistics: { uptime, responseTimes } }) => [
      escapeMentions(site.name),
      escapeMentions(name),
      texts.share(uptime, say("noData")),
      texts.milliseconds(responseTimes?.mean),
      texts.milliseconds(responseTimes?.p95),
    ])
  );
  if (rows.length === 0) return [];
  const header = (["url", "location", "uptime", "meanResponseTime", "p95ResponseTime"] as const)
    .map((key) => say(key));
  const parts = [
    `## ${say("locations")}`,
    say("reportLocations"),
    markdownTable(header, rows, [2, 3, 4]),
  ];
  return [parts.join("\n\n")];
}

/** The objective and the used budget: `99.9%: met`, `10 minutes of 43 minutes (23%)`. */
function objectiveCells(
  objective: Objective | undefined,
  down: number,
  { say, percent, duration }: Language,
): string[] {
  if (objective === undefined) return [NOTHING, NOTHING];
  const { target, isMet, budget } = objective;
  const TARGET = percent(target);
  if (isMet === undefined) return [say("objectiveNoData", { TARGET }), NOTHING];
  if (budget === undefined) return [say("objectiveLater", { TARGET }), NOTHING];
  const time = (seconds: number) => seconds === 0 ? say("noTime") : duration(seconds * 1000);
  const values = { TIME: time(down), BUDGET: time(budget) };
  return [
    say(isMet ? "objectiveMet" : "objectiveMissed", { TARGET }),
    budget < 1 ? say("budgetUsed", values) : say("budgetUsedShare", {
      ...values,
      SHARE: percent(Math.round(down / budget * 100) / 100),
    }),
  ];
}

/** Figures in the cells of tables. */
function createTexts({ say, percent, responseTime, duration }: Language) {
  return {
    share: (share: number | undefined, none = NOTHING) =>
      share === undefined ? none : percent(toPercent(share) / 100),
    milliseconds: (value: number | undefined) =>
      value === undefined ? NOTHING : responseTime(value),
    length: (seconds: number) =>
      seconds === 0 ? say("noTime") : Math.round(seconds) < 1 ? NOTHING : duration(seconds * 1000),
  };
}

const KINDS = {
  down: "wordDown",
  degraded: "wordDegraded",
} as const satisfies Record<MonthIncident["incident"]["kind"], MessageKey>;

function incidentsTable(
  { incidents, month }: MonthReport,
  owner: ReportOwner,
  language: Language,
): string {
  const { say } = language;
  if (incidents.length === 0) return `${say("reportNoIncidents")}\n`;
  const { repository, server } = owner;
  const rows = incidents.map((one) => {
    const { start, end, kind, error, issue } = one.incident;
    const link = repository === undefined ? "" : `(${server}/${repository}/issues/${issue})`;
    return [
      escapeMentions(one.site.name),
      zonedMinute(start, month.timezone),
      end === undefined ? say("stillOngoing") : zonedMinute(end, month.timezone),
      durationText(one, language),
      say(KINDS[kind]),
      escapeMentions(shorten(error, LONGEST_CAUSE)),
      issue === undefined ? "" : link === "" ? `#${issue}` : `[#${issue}]${link}`,
    ];
  });
  const header = [
    ...["url", "incidentOpenedAt", "incidentClosedAt", "duration"] as const,
    ...["kindOfIncident", "causeOfIncident", "issueOfIncident"] as const,
  ];
  return markdownTable(header.map((key) => say(key)), rows);
}

/** The duration of an incident, and the part within the month if it differs. */
function durationText(
  { seconds, within }: MonthIncident,
  { say, duration }: Language,
): string {
  const TIME = duration(seconds * 1000);
  if (Math.round(seconds) === Math.round(within)) return TIME;
  return within < 1
    ? say("durationOutside", { TIME })
    : say("durationWithin", { TIME, PART: duration(within * 1000) });
}
