import { PAGE_PATHS } from "../../lib/config/page_path.ts";
import type { Feed } from "./feed.ts";
import { element, formatXml } from "./xml.ts";

/** Renders a feed as RSS 2.0: an item for each update, which never changes again. */
export function renderRss(feed: Feed): string {
  const { title, about, lang, home, updated, items } = feed;
  const attributes = { version: "2.0", "xmlns:atom": "http://www.w3.org/2005/Atom" };
  return formatXml(element("rss", attributes, [
    element("channel", {}, [
      element("title", {}, withoutTags(title)),
      element("link", {}, home),
      element("description", {}, about),
      element("language", {}, lang),
      element("lastBuildDate", {}, formatDate(updated)),
      element("atom:link", {
        rel: "self",
        type: "application/rss+xml",
        href: feed.self(PAGE_PATHS.rss),
      }),
      ...items.map(renderItem),
    ]),
  ]));
}

function renderItem({ id, title, html, link, published }: Feed["items"][number]): string {
  return element("item", {}, [
    element("title", {}, withoutTags(title)),
    element("link", {}, link),
    element("guid", { isPermaLink: "false" }, id),
    element("pubDate", {}, formatDate(published)),
    element("description", {}, html),
  ]);
}

/** A title in which no reader finds a tag: some read titles as HTML, others as text. */
function withoutTags(title: string): string {
  return title.replaceAll(/<(?=[a-z/!?])/gi, "<\u200b");
}

/** Formats a date of RFC 822, with four digits of the year: `Sat, 21 Nov 2026 10:05:00 +0000`. */
function formatDate(moment: number): string {
  return new Date(moment).toUTCString().replace("GMT", "+0000");
}
