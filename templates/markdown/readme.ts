import { recordPath } from "../../lib/config/record_path.ts";
import { ASSETS_FOLDER } from "../../lib/page/assets.ts";
import {
  groupByStatus,
  hasNames,
  isGrouped,
  listGroups,
  listNotUp,
  type SiteGroup,
} from "../../lib/page/groups.ts";
import {
  computeDisplayStatus,
  computeGroupOverall,
  computeOverall,
  type Overall,
  OVERALL_STATES,
} from "../../lib/page/overall.ts";
import { plainText, shorten } from "../../lib/text/plain_text.ts";
import type { Report, SiteReport } from "../../lib/statistics/report/report.ts";
import { escapeMentions, markdownLink, markdownTable, openAddress } from "./markdown.ts";
import { siteName, STATE_SIGNS } from "../words.ts";
import { toSitePageAddress } from "../../lib/config/page_path.ts";
import type { MessageKey } from "../../lib/text/messages.ts";
import { FILE_WINDOW_NAMES, type FileWindowName } from "../../lib/history/windows.ts";
import type { ReadmeTexts } from "../../lib/setup/readme_markers.ts";
import type { Site } from "../../lib/config/config.ts";
import type { Icon } from "../../lib/page/place.ts";
import type { ReadmeLinks } from "../../lib/setup/readme.ts";
import { type GraphTheme, sparklinePath } from "../../lib/statistics/graphs/graph_files.ts";
import { SPARKLINE_SIZE } from "../graph/sparkline.ts";
import type { Language } from "../pages/language.ts";

/** Comments around the summary: a warning, and instructions for formatters of Markdown. */
const OWN_LINES = {
  head: [
    "<!-- Written by monitor-action: changes between these comments are overwritten. -->",
    "<!-- prettier-ignore-start -->",
    "<!-- deno-fmt-ignore-start -->",
  ],
  foot: ["<!-- deno-fmt-ignore-end -->", "<!-- prettier-ignore-end -->"],
};

/** Everything that a README shows, without secrets. */
export interface ReadmeView {
  report: Report;
  language: Language;
  links: ReadmeLinks;
  /** Address of the status page without a final slash, if it is known. */
  page?: string;
  hasDarkGraphs: boolean;
  /** The icon of a site, if it is in the repository or a sign. */
  iconOf(site: Site): Icon | undefined;
}

const PAUSED_SIGN = "⏸️";
const LONGEST_NAME = 60;
const LONGEST_FILE = 30;
/** The window of the visible figures, as in Upptime's README. */
const WINDOW: FileWindowName = "week";
/** Most sites that are listed because they are not up, if there are too many to list all. */
const MOST_NOT_UP = 200;
/** Most sites with figures of all windows, which take nearly 1 kB each. */
const MOST_WITH_DETAILS = 200;

export function liveStatus({ report, language }: ReadmeView): ReadmeTexts["live"] {
  const text = overallWords(computeOverall(report), report.sites, language);
  return {
    markdown: `**${escapeMentions(text)}**`,
    html: `<strong>${escapeInline(text)}</strong>`,
  };
}

export function readmeSummary(view: ReadmeView): string {
  const { report, language, page } = view;
  const { sites } = report;
  if (sites.length === 0) return escapeMentions(language.say("nothingMonitored"));
  const isCut = isGrouped(report);
  const groups = listGroups(report);
  const notUp = isCut ? listNotUp(report) : [];
  const listed = isCut ? new Set(notUp.slice(0, MOST_NOT_UP)) : undefined;
  const header = (["url", "status", "history", "responseTime", "uptime"] as const)
    .map((key) => escapeMentions(language.say(key)));
  const rows = groups.flatMap((group) => {
    const shown = group.sites.filter((one) => listed?.has(one) ?? true);
    return [
      ...hasNames(groups) && shown.length > 0 ? [groupRow(group, view)] : [],
      ...shown.map((one) => siteRow(one, view)),
    ];
  });
  const notes = [
    ...rows.length === 0 ? [] : [escapeMentions(language.say("summaryNote"))],
    ...page === undefined ? [] : [markdownLink(language.say("statusPage"), new URL(page))],
  ];
  const { head, foot } = OWN_LINES;
  const rest = notUp.length - MOST_NOT_UP;
  const parts = [
    head.join("\n"),
    isCut ? escapeMentions(describeStatuses(sites, view)) : "",
    rows.length === 0 ? "" : markdownTable(header, rows).trimEnd(),
    rest > 0 ? escapeMentions(language.say("andMore", { COUNT: rest })) : "",
    notes.join(" "),
    foot.join("\n"),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** The number of sites that are up, and of those in each other state: `5 of 7 operational · Down: 2`. */
function describeStatuses(
  sites: Report["sites"],
  { language: { say }, report }: { language: Language; report: Report },
): string {
  const byStatus = groupByStatus(sites, report);
  const others = [...byStatus].filter(([status]) => status !== "up").map(([status, own]) =>
    say("labeled", { NAME: say(status), VALUE: own.length })
  );
  const COUNT = byStatus.get("up")?.length ?? 0;
  const operational = say("operationalCount", { COUNT, TOTAL: sites.length });
  return [operational, ...others].join(" · ");
}

function groupRow(
  { name, sites, isExternal }: SiteGroup,
  { language, report }: ReadmeView,
): string[] {
  const overall = computeGroupOverall(sites, report);
  const title = shorten(name ?? language.say("sitesWithoutGroup"), LONGEST_NAME);
  const note = isExternal ? ` · ${escapeMentions(language.say("operatedByOthers"))}` : "";
  const isShown = overall !== "allSystemsOperational" && !report.isOutdated;
  return [
    `**${escapeMentions(title)}**${note}`,
    isShown ? unbroken(escapeMentions(overallWords(overall, sites, language))) : "",
    ...["", "", ""],
  ];
}

function siteRow(one: SiteReport, view: ReadmeView): string[] {
  const { site, record } = one;
  const file = recordPath(site.slug);
  const fileName = escapeMentions(shorten(file.split("/").at(-1)!, LONGEST_FILE));
  return [
    nameCell(site, view),
    statusCell(one, view),
    record === undefined ? "" : `[${fileName}](${view.links.file(file)})`,
    responseTimeCell(one, view),
    uptimeCell(one, view),
  ];
}

function nameCell(site: Site, { iconOf, links }: ReadmeView): string {
  const icon = iconOf(site) ?? {};
  const sign = "file" in icon
    ? `${image(links.file(`${ASSETS_FOLDER}/${icon.file}`), "", ' height="16"')} `
    : "sign" in icon
    ? `${icon.sign} `
    : "";
  const name = shorten(siteName(site.slug, [site]), LONGEST_NAME);
  const address = openAddress(site);
  return sign + (address === undefined ? escapeMentions(name) : markdownLink(name, address));
}

function statusCell(one: SiteReport, view: ReadmeView): string {
  const { language, links } = view;
  const { record, history } = one;
  const shown = computeDisplayStatus(one, view);
  const sign = shown === "paused" ? PAUSED_SIGN : STATE_SIGNS[shown];
  const text = unbroken(escapeMentions(withSign(sign, language.say(shown))));
  const incident = record?.incident && history.incidents.get(record.incident);
  const issue = incident ? incident.issue : undefined;
  return issue === undefined ? text : `[${text}](${links.page(`issues/${issue}`)})`;
}

function responseTimeCell({ site: { slug }, statistics }: SiteReport, view: ReadmeView): string {
  const { language, links, hasDarkGraphs } = view;
  if (statistics.all.responseTimes === undefined) return escapeMentions(language.say("noData"));
  const words = (name: FileWindowName) => {
    const { responseTimes } = statistics[name];
    return responseTimes === undefined
      ? language.say("noData")
      : `${language.number(Math.round(responseTimes.mean))} ${language.say("ms")}`;
  };
  const address = (theme: GraphTheme) => links.graph(sparklinePath(slug, theme));
  const { width, height } = SPARKLINE_SIZE;
  const size = ` width="${width}" height="${height}"`;
  const light = image(address("light"), language.say("responseTimeGraphAlt"), size);
  const source = `<source media="(prefers-color-scheme: dark)" srcset="${address("dark")}">`;
  const sparkline = hasDarkGraphs ? `<picture>${source}${light}</picture>` : light;
  const summary = `${sparkline}&nbsp;${unbroken(escapeMentions(language.isolate(words(WINDOW))))}`;
  const lines = FILE_WINDOW_NAMES.map((name) => [WINDOW_WORDS[name][0], words(name)] as const);
  return details(summary, lines, slug, view);
}

function uptimeCell({ site: { slug }, statistics }: SiteReport, view: ReadmeView): string {
  const { language } = view;
  if (statistics.all.uptime === undefined) return escapeMentions(language.say("noData"));
  const lines = FILE_WINDOW_NAMES.map((name) =>
    [WINDOW_WORDS[name][1], language.share(statistics[name].uptime)] as const
  );
  return details(escapeMentions(language.share(statistics[WINDOW].uptime)), lines, slug, view);
}

const WINDOW_WORDS: Readonly<Record<FileWindowName, readonly [MessageKey, MessageKey]>> = {
  day: ["responseTimeDay", "uptimeDay"],
  week: ["responseTimeWeek", "uptimeWeek"],
  month: ["responseTimeMonth", "uptimeMonth"],
  year: ["responseTimeYear", "uptimeYear"],
  all: ["responseTimeAll", "uptimeAll"],
};

/** A summary that expands to lines of text, and a link to the site's page. */
function details(
  summary: string,
  lines: readonly (readonly [title: MessageKey, figure: string])[],
  slug: string,
  { page, language, report: { sites } }: ReadmeView,
): string {
  if (sites.length > MOST_WITH_DETAILS) return summary;
  const address = page === undefined ? undefined : new URL(toSitePageAddress(page, slug)).href
    .replace(/[|`'()*_~&"<>[\]]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const link = address === undefined
    ? []
    : [`<a href="${address}">${escapeMentions(language.say("figures"))}</a>`];
  const texts = lines.map(([title, figure]) =>
    // As one text, whose parts make no emoji together.
    language.isolate(
      escapeMentions(language.say("labeled", { NAME: language.say(title), VALUE: figure })),
    )
  );
  const all = [...texts, ...link].join("<br>");
  return `<details><summary>${summary}</summary>${all}</details>`;
}

function overallWords(overall: Overall, sites: Report["sites"], language: Language): string {
  if (overall === "nothingMonitored" && sites.length > 0) {
    return withSign(PAUSED_SIGN, language.say("paused"));
  }
  const isPartial = overall === "minorOutage" || overall === "partialOutage";
  const sign = isPartial ? "🟧" : STATE_SIGNS[OVERALL_STATES[overall]];
  return withSign(sign, language.say(overall));
}

/** Puts a sign before a text, unless the owner has put one there. */
function withSign(sign: string, text: string): string {
  return /^\p{RGI_Emoji}/v.test(text) ? text : `${sign} ${text}`;
}

function unbroken(text: string): string {
  return text.replace(" ", "&nbsp;");
}

function image(address: string, words: string, size = ""): string {
  return `<img alt="${escapeInline(words)}" src="${address}"${size}>`;
}

/** Escapes a text for HTML within Markdown, also in table cells and attributes. */
function escapeInline(text: string): string {
  return plainText(text).replace(
    /(?<!\d)[,.]|[!-$&-+/:-@[-`{-~]/g,
    (sign) => `&#${sign.charCodeAt(0)};`,
  );
}
