import { recordPath } from "../../lib/history/record.ts";
import { ASSETS_FOLDER } from "../../lib/page/assets.ts";
import {
  type Overall,
  OVERALL_STATES,
  overallAt,
  overallOfGroup,
  type Shown,
  shownOf,
} from "../../lib/page/overall.ts";
import { plainText, shorten } from "../../lib/text/plain_text.ts";
import type { Report, SiteReport } from "../../lib/statistics/report/report.ts";
import { escapeMentions, markdownLink, markdownTable, openAddress } from "./markdown.ts";
import { siteName, STATE_SIGNS } from "../words.ts";
import { badgePath } from "../../lib/history/api_path.ts";
import { pageOfSite } from "../../lib/config/page_address.ts";
import type { MessageKey } from "../../lib/text/messages.ts";
import { FILE_WINDOW_NAMES, type FileWindowName } from "../../lib/history/windows.ts";
import type { ReadmeTexts } from "../../lib/setup/readme_markers.ts";
import type { Site } from "../../lib/config/config.ts";
import type { Icon } from "../../lib/page/place.ts";
import type { ReadmeLinks } from "../../lib/setup/readme_links.ts";
import type { Language } from "../pages/language.ts";

/** Comments around the summary: a warning, and instructions for formatters of Markdown. */
const OWN_LINES = {
  head: [
    "<!-- Written by monitor-action: what is changed between these comments is lost. -->",
    "<!-- prettier-ignore-start -->",
    "<!-- deno-fmt-ignore-start -->",
  ],
  foot: ["<!-- deno-fmt-ignore-end -->", "<!-- prettier-ignore-end -->"],
};

/** Longest name of a site or a group, in characters. */
const LONGEST_NAME = 60;

/** Longest name of a file, in characters. */
const LONGEST_FILE = 30;

export function readmeSummary(view: ReadmeView): string {
  const { report: { sites }, language, page } = view;
  if (sites.length === 0) return escapeMentions(language.say("nothingMonitored"));
  const groups = Map.groupBy(sites, ({ site }) => site.group);
  const isGrouped = groups.size > 1 || !groups.has(undefined);
  const header = (["url", "status", "history", "responseTime", "uptime"] as const)
    .map((key) => escapeMentions(language.say(key)));
  const rows = [...groups].flatMap(([group, own]) => [
    ...isGrouped ? [groupRow(group, own, view)] : [],
    ...own.map((one) => siteRow(one, view)),
  ]);
  const notes = [
    escapeMentions(language.say("summaryNote")),
    ...page === undefined ? [] : [markdownLink(language.say("statusPage"), new URL(page))],
  ];
  const { head, foot } = OWN_LINES;
  return [
    head.join("\n"),
    markdownTable(header, rows).trimEnd(),
    notes.join(" "),
    foot.join("\n"),
  ].join("\n\n");
}

function groupRow(
  group: string | undefined,
  sites: readonly SiteReport[],
  { language, report }: ReadmeView,
): string[] {
  const overall = overallOfGroup(sites, report);
  const name = group ?? language.say("otherSites");
  const isTold = overall !== "allSystemsOperational" && !report.isOutdated;
  const status = isTold ? overallWords(overall, language) : "";
  return [
    `**${escapeMentions(shorten(name, LONGEST_NAME))}**`,
    unbroken(escapeMentions(status)),
    "",
    "",
    "",
  ];
}

function siteRow(one: SiteReport, view: ReadmeView): string[] {
  const { site, record } = one;
  const file = recordPath(site.slug);
  const fileName = escapeMentions(shorten(file.split("/").at(-1)!, LONGEST_FILE));
  return [
    nameCell(one, view),
    statusCell(one, view),
    record === undefined ? "" : `[${fileName}](${view.links.file(file)})`,
    responseTimeCell(one, view),
    uptimeCell(one, view),
  ];
}

function nameCell({ site }: SiteReport, { iconOf, links }: ReadmeView): string {
  const icon = iconOf(site);
  const sign = icon === undefined || "data" in icon
    ? ""
    : "sign" in icon
    ? `${icon.sign} `
    : `${picture(links.file(`${ASSETS_FOLDER}/${icon.file}`), "", 16)} `;
  const name = shorten(siteName(site.slug, [site]), LONGEST_NAME);
  const address = openAddress(site);
  return sign + (address === undefined ? escapeMentions(name) : markdownLink(name, address));
}

function statusCell(one: SiteReport, view: ReadmeView): string {
  const { language, links } = view;
  const { record, history } = one;
  const text = unbroken(escapeMentions(shownWords(shownOf(one, view), language)));
  const issue = record?.incident === undefined
    ? undefined
    : history.incidents.get(record.incident)?.issue;
  return issue === undefined ? text : `[${text}](${links.page(`issues/${issue}`)})`;
}

/** The window whose figures are seen at once, as in Upptime's README. */
const SHOWN: FileWindowName = "week";

/** Sites up to which badges are shown: GitHub cuts a README after 500 kB, and each site with them takes nearly 2. */
const MOST_WITH_BADGES = 200;

const TIME_WORDS: Readonly<Record<FileWindowName, MessageKey>> = {
  day: "responseTimeDay",
  week: "responseTimeWeek",
  month: "responseTimeMonth",
  year: "responseTimeYear",
  all: "responseTimeAll",
};

const UPTIME_WORDS: Readonly<Record<FileWindowName, MessageKey>> = {
  day: "uptimeDay",
  week: "uptimeWeek",
  month: "uptimeMonth",
  year: "uptimeYear",
  all: "uptimeAll",
};

/** The response time of a site: the graph, and a badge for each window below it. */
function responseTimeCell(one: SiteReport, view: ReadmeView): string {
  const { language } = view;
  const { site: { slug }, statistics } = one;
  const words = (name: FileWindowName) => {
    const { responseTimes } = statistics[name];
    return responseTimes === undefined
      ? language.say("noData")
      : `${language.number(Math.round(responseTimes.mean))} ${language.say("ms")}`;
  };
  if (statistics.all.responseTimes === undefined) return escapeMentions(language.say("noData"));
  const graph = (window: FileWindowName, size: string) =>
    themedPicture(
      {
        light: view.links.graph(slug, window, "light"),
        dark: view.hasDarkGraphs ? view.links.graph(slug, window, "dark") : undefined,
      },
      language.say("responseTimeGraphAlt"),
      size,
    );
  const badges = FILE_WINDOW_NAMES.map((name) =>
    picture(
      view.links.file(badgePath(slug, "response-time", name)),
      `${language.say(TIME_WORDS[name])} ${words(name)}`,
    )
  );
  const own = [graph(SHOWN, 'width="300"'), ...badges];
  return folded(
    `${graph(SHOWN, 'height="20"')}&nbsp;${unbroken(escapeMentions(words(SHOWN)))}`,
    own,
    slug,
    view,
  );
}

/** The uptime of a site, and a badge for each window below it. */
function uptimeCell({ site: { slug }, statistics }: SiteReport, view: ReadmeView): string {
  const { language } = view;
  if (statistics.all.uptime === undefined) return escapeMentions(language.say("noData"));
  const badges = FILE_WINDOW_NAMES.map((name) =>
    picture(
      view.links.file(badgePath(slug, "uptime", name)),
      `${language.say(UPTIME_WORDS[name])} ${language.share(statistics[name].uptime)}`,
    )
  );
  return folded(escapeMentions(language.share(statistics[SHOWN].uptime)), badges, slug, view);
}

function folded(
  summary: string,
  pictures: readonly string[],
  slug: string,
  { page, report: { sites } }: ReadmeView,
): string {
  if (sites.length > MOST_WITH_BADGES) return summary;
  const address = page === undefined ? undefined : new URL(pageOfSite(page, slug)).href;
  const all = pictures.join("<br>");
  const linked = address === undefined ? all : `<a href="${inlineAddress(address)}">${all}</a>`;
  return `<details><summary>${summary}</summary>${linked}</details>`;
}

/** An address in quotes of HTML, in a cell. */
function inlineAddress(address: string): string {
  return address.replace(/[|`'()*_~&"<>[\]]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/**
 * A text on one line as it may stand in HTML within Markdown, also in a cell of a table and in quotes: all signs but
 * those of numbers are written by their own.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(inlineText('a|b "c" <d> 1.5%'), "a&#124;b &#34;c&#34; &#60;d&#62; 1.5%");
 * ```
 */
export function inlineText(text: string): string {
  return plainText(text).replace(
    /(?<!\d)[,.]|[!-$&-+/:-@[-`{-~]/g,
    (sign) => `&#${sign.charCodeAt(0)};`,
  );
}

function unbroken(text: string): string {
  return text.replace(" ", "&nbsp;");
}

/** A picture; given its address, which is percent-encoded, and the words for who does not see it. */
function picture(address: string, words: string, height?: number): string {
  const size = height === undefined ? "" : ` height="${height}"`;
  return `<img alt="${inlineText(words)}" src="${address}"${size}>`;
}

/** A picture that has another one for dark pages. */
function themedPicture(
  { light, dark }: { light: string; dark?: string },
  words: string,
  size: string,
): string {
  const image = `<img alt="${inlineText(words)}" src="${light}" ${size}>`;
  if (dark === undefined) return image;
  const source = `<source media="(prefers-color-scheme: dark)" srcset="${dark}">`;
  return `<picture>${source}${image}</picture>`;
}

export function liveStatus({ report, language }: ReadmeView): ReadmeTexts["live"] {
  const text = overallWords(overallAt(report), language);
  return {
    markdown: `**${escapeMentions(text)}**`,
    html: `<strong>${inlineText(text)}</strong>`,
  };
}

export interface ReadmeView {
  report: Report;
  language: Language;
  links: ReadmeLinks;
  /** Address of the status page, without a slash at its end; absent where nobody knows. */
  page?: string;
  hasDarkGraphs: boolean;
  /** The icon of a site, where it has one that is in the repository or a sign. */
  iconOf(site: Site): Icon | undefined;
}

/** Outages of some sites and not of most. */
const PARTIAL: readonly Overall[] = ["minorOutage", "partialOutage"];

function shownWords(shown: Shown, language: Language): string {
  return signed(shown === "paused" ? "⏸️" : STATE_SIGNS[shown], language.say(shown));
}

function overallWords(overall: Overall, language: Language): string {
  const sign = PARTIAL.includes(overall) ? "🟧" : STATE_SIGNS[OVERALL_STATES[overall]];
  return signed(sign, language.say(overall));
}

/** A text with a sign before it; one that the owner has put there stays. */
function signed(sign: string, text: string): string {
  return /^\p{RGI_Emoji}/v.test(text) ? text : `${sign} ${text}`;
}
