import { PAGE_PATHS } from "../../lib/config/page_path.ts";
import { formatMoment } from "../../lib/time.ts";
import type { Feed, FeedPiece } from "./feed.ts";
import { element, formatXml } from "./xml.ts";

/** Renders a feed as Atom 1.0 (RFC 4287): an entry for each incident, which moves up when something happens. */
export function renderAtom(feed: Feed): string {
  const { id, title, about, author, lang, home, updated, entries } = feed;
  return formatXml(element("feed", { xmlns: "http://www.w3.org/2005/Atom", "xml:lang": lang }, [
    element("id", {}, id),
    element("title", {}, title),
    element("subtitle", {}, about),
    element("updated", {}, formatMoment(updated)),
    element("author", {}, [element("name", {}, author)]),
    element("link", {
      rel: "self",
      type: "application/atom+xml",
      href: feed.self(PAGE_PATHS.atom),
    }),
    element("link", { rel: "alternate", type: "text/html", href: home }),
    ...entries.map(renderEntry),
  ]));
}

function renderEntry({ id, title, html, link, published, updated, tags }: FeedPiece): string {
  return element("entry", {}, [
    element("id", {}, id),
    element("title", {}, title),
    element("link", { rel: "alternate", type: "text/html", href: link }),
    element("published", {}, formatMoment(published)),
    element("updated", {}, formatMoment(updated)),
    ...tags.map((term) => element("category", { term })),
    element("content", { type: "html" }, html),
  ]);
}
