import { besidePage, createLink, PAGE_PATHS, toFileAddress } from "../../lib/config/page_path.ts";
import type { PageSettings } from "../../lib/page/settings.ts";

/** An incident or a maintenance window in a feed; times are milliseconds since 1970, `html` is sanitized. */
export interface FeedPiece {
  /** A tag URI. */
  id: string;
  title: string;
  html: string;
  link: string;
  published: number;
  updated: number;
  /** The names of the sites that it concerns. */
  tags: readonly string[];
}

/** A feed of the page, of a group or of a site. */
export interface Feed {
  /** A tag URI. */
  id: string;
  title: string;
  about: string;
  /** The name of the status page. */
  author: string;
  lang: string;
  /** Address of the page that it belongs to. */
  home: string;
  /** Returns the address of the file of a format. */
  self(file: string): string;
  /** Each as it is now, the latest update first. */
  entries: readonly FeedPiece[];
  /** Each as it was published, the newest first. */
  items: readonly Omit<FeedPiece, "updated" | "tags">[];
  /** The latest change; of an empty feed, the start of monitoring. */
  updated: number;
}

/** The address of a file for a feed in the folder of a page: relative to the feed if the page's address is not known. */
export function findAddress(
  { address }: Pick<PageSettings, "address">,
  page: string,
  target: string,
): string {
  return address === undefined
    ? createLink(besidePage(page, PAGE_PATHS.atom))(target)
    : toFileAddress(address, target);
}
