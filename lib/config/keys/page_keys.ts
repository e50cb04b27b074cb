import * as v from "valibot";
import { basePath, code, domain, language, place, styleText, words } from "./page_values.ts";
import { about, flag, list, map, text, textOrNumber, withoutEffect, word } from "./values.ts";

/** Colours of the page: those of the visitor's system, or one of four. */
export const PAGE_THEMES = ["auto", "light", "dark", "night", "ocean"] as const;
/** One of {@linkcode PAGE_THEMES}. */
export type PageTheme = typeof PAGE_THEMES[number];

/** Where GitHub has raw files. */
export const RAW_ADDRESS = "https://raw.githubusercontent.com";

/** Keys of a link at the top of the page. */
const NAVBAR_KEYS = {
  title: about("Text of the link.", textOrNumber("a text")),
  href: about("Target of the link; $OWNER and $REPO are those of the repository.", link()),
  target: v.optional(about("Window it opens in, such as _blank.", text())),
};

/** Keys of a script that the page loads. */
const SCRIPT_KEYS = {
  src: about("Its address, or a file in assets/.", place()),
  async: v.optional(about("Load it without blocking the page.", flag()), false),
};

/** Keys of a link in the head of the page. */
const LINK_KEYS = {
  rel: about("Relation, such as stylesheet.", textOrNumber("a text")),
  href: about("Its address, or a file in assets/.", place("data")),
  media: v.optional(about("Media it applies to, such as print.", text())),
};

/** Keys of a meta tag. */
const META_KEYS = {
  name: v.optional(
    about("Its name; it replaces the page's own tag of that name.", textOrNumber("a text")),
  ),
  property: v.optional(
    about("The same for Open Graph, such as og:title.", textOrNumber("a text")),
  ),
  content: about("Its value.", v.union([v.string(), v.number()])),
};

/** Keys of `status-website`: what Upptime has, and what it means here. */
export const WEBSITE_KEYS = {
  name: v.optional(
    about("Title of the page. Default: the repository's name.", words()),
  ),
  cname: v.optional(about("Custom domain of the page, such as status.example.com.", domain())),
  baseUrl: v.optional(
    about(
      "Path under the domain, such as /status or /$REPO. Pages work under any path.",
      basePath(),
    ),
  ),
  logoUrl: v.optional(about("Logo next to the title: a file in assets/, or an address.", image())),
  logoHref: v.optional(
    about("Link target of logo and title. Default: the overview.", link()),
  ),
  hideNavLogo: v.optional(about("Hide the logo.", flag()), false),
  hideNavTitle: v.optional(about("Hide the title next to a logo.", flag()), false),
  navbar: v.optional(
    about("Links at the top of each page, each with `title` and `href`.", list(map(NAVBAR_KEYS))),
  ),
  navbarGitHub: v.optional(
    about(
      "Link the repository at the top. Default: true if `navbar` is absent.",
      flag(),
    ),
  ),
  introTitle: v.optional(about("Heading above the sites, in Markdown.", words())),
  introMessage: v.optional(about("Text above the sites, in Markdown.", words())),
  theme: v.optional(
    about("Colors of the page; `auto` follows the visitor's system.", word(PAGE_THEMES)),
    "auto",
  ),
  themeUrl: v.optional(
    about("Style sheet loaded after the built-in one: a file in assets/, or an address.", place()),
  ),
  favicon: v.optional(about("Favicon: a file in assets/, or an address.", image())),
  faviconSvg: v.optional(about("SVG favicon; takes precedence over `favicon`.", image())),
  publish: v.optional(
    about("Publish the page even if the repository is private.", flag()),
    false,
  ),
  singleCommit: v.optional(
    about("Keep only the last commit on the branch of the page.", flag()),
    false,
  ),
  userContentBaseUrl: v.optional(
    about(
      "Base address of the repository's raw files, used by `pages.live: repository`.",
      place(),
    ),
    RAW_ADDRESS,
  ),
  customHeadHtml: v.optional(about("HTML added to the head of each page, unchanged.", code())),
  customBodyHtml: v.optional(about("HTML added at the start of each page, unchanged.", code())),
  customFootHtml: v.optional(about("HTML added at the end of each page, unchanged.", code())),
  js: v.optional(about("Script added to each page.", code())),
  css: v.optional(about("CSS added to each page.", styleText())),
  scripts: v.optional(
    about("Scripts that each page loads, each with `src`.", list(map(SCRIPT_KEYS))),
  ),
  links: v.optional(
    about("Links in the head of each page, each with `rel` and `href`.", list(map(LINK_KEYS))),
  ),
  metaTags: v.optional(
    about(
      "Meta tags in the head of each page, each with `content` and `name` or `property`.",
      list(v.pipe(
        map(META_KEYS),
        v.forward(
          v.check(
            ({ name, property }) => name !== undefined || property !== undefined,
            "is missing: a meta tag needs name or property",
          ),
          ["name"],
        ),
      )),
    ),
  ),
  robotsText: v.optional(
    about("Content of robots.txt. Default: everything may be crawled.", code()),
  ),
  ...withoutEffect({
    apiBaseUrl: "the page asks GitHub for nothing",
    productionCacheTime: "the page keeps nothing in the browser",
    localhostCacheTime: "the page keeps nothing in the browser",
  }),
  ...withoutEffect({ timezone: "move it to the top level" }, "warning"),
};

/** What pages may ask for fresh states. */
export const LIVE_SOURCES = ["page", "repository", "off"] as const;

/** Keys of `pages`: what Upptime's page has nothing like. */
export const PAGES_KEYS = {
  lang: v.optional(
    about(
      "Language of the page, such as pt-BR. Default: `i18n.locale`.",
      language(),
    ),
  ),
  live: v.optional(
    about(
      "Source of updates for open pages: the page's own files, the repository, or none. `repository` needs a public repository.",
      word(LIVE_SOURCES),
    ),
    "page",
  ),
  images: v.optional(
    about(
      "Hosts whose pictures are shown in incident comments, such as i.example.com. Pictures from other hosts become links.",
      list(domain()),
    ),
    [],
  ),
  origins: v.optional(
    about(
      "Further origins your own scripts, styles and HTML may load from. Example: https://stats.example.com.",
      list(place()),
    ),
    [],
  ),
};

function link() {
  return place("mailto", "tel");
}

function image() {
  return place("data");
}
