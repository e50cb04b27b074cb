import { badgePath } from "../../lib/history/api_path.ts";
import { pageOfSite } from "../../lib/config/page_address.ts";
import type { MessageKey } from "../../lib/text/messages/messages.ts";
import type { SiteReport } from "../../lib/statistics/report/report.ts";
import { FILE_WINDOW_NAMES, type FileWindowName } from "../../lib/history/windows.ts";
import { inertMarkdown } from "../markdown.ts";
import { picture, themedPicture, unbroken } from "./inline_html.ts";
import type { ReadmeView } from "./readme_view.ts";

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
export function responseTimeCell(one: SiteReport, view: ReadmeView): string {
  const { language } = view;
  const { site: { slug }, statistics } = one;
  const words = (name: FileWindowName) => {
    const { responseTimes } = statistics[name];
    return responseTimes === undefined
      ? language.say("noData")
      : `${language.number(Math.round(responseTimes.mean))} ${language.say("ms")}`;
  };
  if (statistics.all.responseTimes === undefined) return inertMarkdown(language.say("noData"));
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
    `${graph(SHOWN, 'height="20"')}&nbsp;${unbroken(inertMarkdown(words(SHOWN)))}`,
    own,
    slug,
    view,
  );
}

/** The uptime of a site, and a badge for each window below it. */
export function uptimeCell({ site: { slug }, statistics }: SiteReport, view: ReadmeView): string {
  const { language } = view;
  if (statistics.all.uptime === undefined) return inertMarkdown(language.say("noData"));
  const badges = FILE_WINDOW_NAMES.map((name) =>
    picture(
      view.links.file(badgePath(slug, "uptime", name)),
      `${language.say(UPTIME_WORDS[name])} ${language.share(statistics[name].uptime)}`,
    )
  );
  return folded(inertMarkdown(language.share(statistics[SHOWN].uptime)), badges, slug, view);
}

/** What is seen at once, and what a click shows below it, which leads to the page of the site where that is known. */
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
