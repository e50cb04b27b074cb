import type { Messages } from "../../text/messages/messages.ts";

/** Colours of the page: those of the visitor's system, or one of four. */
export const PAGE_THEMES = ["auto", "light", "dark", "night", "ocean"] as const;
/** One of {@linkcode PAGE_THEMES}. */
export type PageTheme = typeof PAGE_THEMES[number];

/** A link at the top. */
export interface PageLink {
  title: string;
  /** A path from the top of the page, or an address: see `placeLink`. */
  href: string;
  target?: string;
}

/** What the script of the page reads. */
export interface LiveSettings {
  /** The summary: a file of the page, by its path from the top, or an address that begins with `https:`. */
  summary: string;
  /** Minutes after which the newest check of a summary is too old. */
  lateMinutes: number;
}

/** What the owner adds to each page as it stands, without an eye on what it does. */
export interface OwnerCode {
  /** HTML for the head, the begin and the end. */
  head?: string;
  body?: string;
  foot?: string;
  /** A script and a style, neither of which can end its element. */
  js?: string;
  css?: string;
  /** Of these, `src` and `href` are places: see `placeLink`. */
  scripts: readonly { src: string; async: boolean }[];
  links: readonly { rel: string; href: string; media?: string }[];
  /** `isProperty`: the name is an RDFa property, as Open Graph has them. */
  metaTags: readonly { name: string; isProperty?: boolean; content: string }[];
}

/** Everything about the page that does not come from checks. */
export interface PageSettings {
  /** Its title. */
  name: string;
  /** Where it stands, without a slash at its end; absent where nobody knows. */
  address?: string;
  /** Path under which it stands on its host, with a slash at its end; absent where nobody knows. */
  base?: string;
  /** Its own domain, without anything else of an address. */
  cname?: string;
  /** What robots are told instead of the usual. */
  robotsText?: string;
  /** Page of the repository, where it has one. */
  repository?: string;
  /** Language of its words, such as `en-US`, and how they are read. */
  lang: string;
  direction: "ltr" | "rtl";
  messages: Messages;
  /** Zone of the times in it, such as `Europe/Berlin`. */
  timezone: string;
  theme: PageTheme;
  /** Style sheet after ours; a place, as `logo`, `logoHref` and `icon` are: see `placeLink`. */
  themeUrl?: string;
  /** Picture beside the name. */
  logo?: string;
  /** Where name and logo lead; the overview where nothing is said. */
  logoHref?: string;
  /** Icon of the page in place of ours. */
  icon?: string;
  showsName: boolean;
  links: readonly PageLink[];
  /** Markdown above the sites, from the owner. */
  introTitle?: string;
  introMessage?: string;
  /** Markdown at the end of each page, from the owner; our words where there is none. */
  footer?: string;
  /** Hosts from which pictures in what people write are shown; from nowhere else. */
  imageHosts: readonly string[];
  /** How the script keeps the page fresh; absent where it asks nobody. */
  live?: LiveSettings;
  /** Further addresses that what the owner adds may load from. */
  origins: readonly string[];
  code: OwnerCode;
  /** What pages may load, as a content security policy. */
  policy: string;
}
