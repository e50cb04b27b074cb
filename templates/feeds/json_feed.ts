import { PAGE_PATHS } from "../../lib/config/page_path.ts";
import { formatMoment } from "../../lib/time.ts";
import type { Feed } from "./feed.ts";

/** Renders a feed as JSON Feed 1.1, with the entries of the Atom feed. */
export function renderJsonFeed(feed: Feed): string {
  const { title, about, author, lang, home, entries } = feed;
  const items = entries.map(({ id, title, html, link, published, updated, tags }) => ({
    id,
    url: link,
    title,
    content_html: html,
    date_published: formatMoment(published),
    date_modified: formatMoment(updated),
    ...tags.length === 0 ? {} : { tags },
  }));
  const content = {
    version: "https://jsonfeed.org/version/1.1",
    title,
    home_page_url: home,
    feed_url: feed.self(PAGE_PATHS.jsonFeed),
    description: about,
    language: lang,
    authors: [{ name: author }],
    items,
  };
  return `${JSON.stringify(content)}\n`;
}
