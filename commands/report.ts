import { UsageError } from "../lib/text/arguments.ts";
import { didYouMean } from "../lib/text/nearest.ts";
import { ownRepository } from "../lib/config/repository.ts";
import type { Command } from "./shared/context.ts";
import { readRepositoryInfo } from "../lib/git/repository.ts";
import {
  computeMonthReport,
  lastMonth,
  type Month,
  type MonthReport,
  parseMonth,
} from "../lib/statistics/report/month.ts";
import { openReport } from "./shared/open_report.ts";
import { monthCsv, monthIncidentsCsv, monthJson } from "../templates/markdown/month_data.ts";
import type { Language } from "../lib/text/language.ts";
import { ENGLISH_LANGUAGE, loadPageLanguage } from "../lib/text/languages.ts";
import { markdownText } from "../templates/terminal/markdown_text.ts";
import { monthMarkdown, type ReportOwner, whyEmpty } from "../templates/markdown/month_report.ts";

const FORMATS: Readonly<
  Record<string, (report: MonthReport, owner: ReportOwner, language: Language) => string>
> = {
  "markdown": monthMarkdown,
  "csv": monthCsv,
  "csv-incidents": monthIncidentsCsv,
};

export const report: Command = async (context) => {
  const { root, clock, log, json, environment } = context;
  const now = clock.now();
  const write = parseFormat(context.options.text("format") ?? "markdown");
  if (json && context.options.has("format")) {
    throw new UsageError("Cannot use --format with --json: choose one of them");
  }
  chooseMonth(context.options.text("month"), "UTC", now);
  const opened = await openReport(context, { isShown: true });
  if (opened === undefined) return 2;
  const { config } = opened;
  const month = chooseMonth(context.options.text("month"), config.timezone, now);
  const { fullReport: report } = opened;
  // Without current checks, its time is the start of the UTC day, which may be in another month than now.
  const isCurrent = report.lastCheck !== undefined && !report.isOutdated;
  const made = computeMonthReport(isCurrent ? report : { ...report, time: now }, month);
  const nothing = whyEmpty(made, ENGLISH_LANGUAGE);
  if (nothing !== undefined && (json || write !== monthMarkdown)) {
    log.warn(`${made.month.name}: ${nothing}`);
  }
  if (json) log.data(monthJson(made));
  else {
    const { remoteUrl } = await readRepositoryInfo(root);
    const repository = ownRepository(config, environment, remoteUrl);
    const language = await loadPageLanguage(config);
    const text = write(made, { repository, server: environment.server }, language);
    const { columns } = environment;
    const isForReading = columns !== undefined && !context.options.has("format");
    log.document(isForReading ? `${markdownText(text, columns)}\n` : text);
  }
  return 0;
};

function parseFormat(name: string): typeof FORMATS[string] {
  const format = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
  if (format !== undefined) return format;
  const names = Object.keys(FORMATS);
  const hint = didYouMean(name, names);
  throw new UsageError(`Cannot use --format ${name}: ${hint}the formats are ${names.join(", ")}`);
}

function chooseMonth(name: string | undefined, timezone: string, now: Temporal.Instant): Month {
  const month = name === undefined ? lastMonth(now, timezone) : parseMonth(name, timezone);
  if (month !== undefined) return month;
  const example = lastMonth(now, timezone).name;
  throw new UsageError(
    `Cannot report the month "${name}": expected a year and a month, such as --month ${example}`,
  );
}
