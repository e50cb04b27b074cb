import { besidePage, type Link, PAGE_PATHS } from "../../lib/config/page_path.ts";
import type { PageView } from "./view.ts";

const FEED_TYPES = [
  ["application/atom+xml", PAGE_PATHS.atom],
  ["application/rss+xml", PAGE_PATHS.rss],
  ["application/feed+json", PAGE_PATHS.jsonFeed],
  ["text/calendar", PAGE_PATHS.calendar],
] as const;

/** Links to the feeds beside a page, for the head. */
export function FeedLinks({ page, title, link }: { page: string; title: string; link: Link }) {
  return FEED_TYPES.map(([type, file]) => (
    <link rel="alternate" type={type} title={title} href={link(besidePage(page, file))} />
  ));
}

/** The link to the page about feeds, at those beside a page; the script opens it as a dialog. */
export function SubscribeLink(
  { view: { settings, language, path, link }, feeds }: { view: PageView; feeds?: string },
) {
  if (!settings.hasSubscribe) return null;
  const target = link(PAGE_PATHS.subscribe);
  return (
    <a
      class="subscribe button"
      href={feeds === undefined ? target : `${target}#${encodeURI(feedsId(feeds).toWellFormed())}`}
      aria-current={path === PAGE_PATHS.subscribe ? "page" : undefined}
    >
      <svg class="shape" viewBox="0 0 16 16" aria-hidden="true">
        <path d={BELL} />
      </svg>
      {language.say("subscribe")}
    </a>
  );
}

const BELL = "M2 12 4 9V6a4 4 0 0 1 8 0v3l2 3zm4 1h4a2 2 0 0 1-4 0";

/** The id of the feeds beside a page: `history/shop`. */
export function feedsId(page: string): string {
  return besidePage(page, "").slice(0, -1);
}
