import { recordPath } from "../../lib/history/record.ts";
import { ASSETS_FOLDER } from "../../lib/page/export/assets.ts";
import { overallOfGroup } from "../../lib/page/overall_at.ts";
import { shownOf } from "../../lib/page/shown_of.ts";
import { shorten } from "../../lib/text/plain_text.ts";
import { OWN_LINES } from "../../lib/setup/readme/own_lines.ts";
import type { SiteReport } from "../../lib/statistics/report/report.ts";
import { inertMarkdown, markdownLink, markdownTable } from "../markdown.ts";
import { openAddress } from "../open_address.ts";
import { siteName } from "../site_name.ts";
import { responseTimeCell, uptimeCell } from "./figures.ts";
import { picture, unbroken } from "./inline_html.ts";
import type { ReadmeView } from "./readme_view.ts";
import { overallWords, shownWords } from "./state_words.ts";

/** Longest name of a site or a group, in characters. */
const LONGEST_NAME = 60;

/** Longest name of a file, in characters. */
const LONGEST_FILE = 30;

/** All sites by their groups, in the order of the configuration, with what is known of each. */
export function readmeSummary(view: ReadmeView): string {
  const { report: { sites }, language, page } = view;
  if (sites.length === 0) return inertMarkdown(language.say("nothingMonitored"));
  const groups = Map.groupBy(sites, ({ site }) => site.group);
  const isGrouped = groups.size > 1 || !groups.has(undefined);
  const header = (["url", "status", "history", "responseTime", "uptime"] as const)
    .map((key) => inertMarkdown(language.say(key)));
  const rows = [...groups].flatMap(([group, own]) => [
    ...isGrouped ? [groupRow(group, own, view)] : [],
    ...own.map((one) => siteRow(one, view)),
  ]);
  const notes = [
    inertMarkdown(language.say("summaryNote")),
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
    `**${inertMarkdown(shorten(name, LONGEST_NAME))}**`,
    unbroken(inertMarkdown(status)),
    "",
    "",
    "",
  ];
}

function siteRow(one: SiteReport, view: ReadmeView): string[] {
  const { site, record } = one;
  const file = recordPath(site.slug);
  const fileName = inertMarkdown(shorten(file.split("/").at(-1)!, LONGEST_FILE));
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
  return sign + (address === undefined ? inertMarkdown(name) : markdownLink(name, address));
}

/** How a site is, with a link to the issue where it has an open incident with one. */
function statusCell(one: SiteReport, view: ReadmeView): string {
  const { language, links } = view;
  const { record, history } = one;
  const text = unbroken(inertMarkdown(shownWords(shownOf(one, view), language)));
  const issue = record?.incident === undefined
    ? undefined
    : history.incidents.get(record.incident)?.issue;
  return issue === undefined ? text : `[${text}](${links.page(`issues/${issue}`)})`;
}
