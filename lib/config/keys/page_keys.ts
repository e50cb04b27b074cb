import * as v from "valibot";
import { PAGE_THEMES } from "../../page/settings/page_settings.ts";
import { basePath, code, domain, language, place, styleText, words } from "./page_values.ts";
import { about, flag, list, map, text, textOrNumber, withoutEffect, word } from "./values.ts";

/** Where the platform has raw files. */
export const RAW_ADDRESS = "https://raw.githubusercontent.com";

/** Keys of a link at the top of the page. */
const NAVBAR_KEYS = {
  title: about("Its words.", textOrNumber("a text")),
  href: about("Where it leads; $OWNER and $REPO are those of the repository.", link()),
  target: v.optional(about("Window that it opens in, such as _blank.", text())),
};

/** Keys of a script that the page loads. */
const SCRIPT_KEYS = {
  src: about("Its address, or a file of assets/.", place()),
  async: v.optional(about("Whether the page goes on meanwhile.", flag()), false),
};

/** Keys of a link in the head of the page. */
const LINK_KEYS = {
  rel: about("What it is for, such as stylesheet.", textOrNumber("a text")),
  href: about("Its address, or a file of assets/.", place("data")),
  media: v.optional(about("Where it counts, such as print.", text())),
};

/** Keys of a meta tag. */
const META_KEYS = {
  name: v.optional(
    about("Its name; it replaces the page's own tag of that name.", textOrNumber("a text")),
  ),
  property: v.optional(
    about("The same for Open Graph, such as og:title.", textOrNumber("a text")),
  ),
  content: about("What it says.", v.union([v.string(), v.number()])),
};

/** Keys of `status-website`: what Upptime has, and what it means here. */
export const WEBSITE_KEYS = {
  name: v.optional(
    about("Title of the page; the repository's name where it is not given.", words()),
  ),
  cname: v.optional(about("Domain of its own, such as status.example.com.", domain())),
  baseUrl: v.optional(
    about(
      "Path under the domain, such as /status or /$REPO. Every page works under any path.",
      basePath(),
    ),
  ),
  logoUrl: v.optional(about("Logo beside the title: a file of assets/, or an address.", image())),
  logoHref: v.optional(
    about("Where logo and title lead; the overview where it is not given.", link()),
  ),
  hideNavLogo: v.optional(about("Whether the logo is left out.", flag()), false),
  hideNavTitle: v.optional(about("Whether the title beside a logo is left out.", flag()), false),
  navbar: v.optional(about("Links at the top, each with title and href.", list(map(NAVBAR_KEYS)))),
  navbarGitHub: v.optional(
    about(
      "Whether the repository is linked at the top; where it is not given, if there is no navbar.",
      flag(),
    ),
  ),
  introTitle: v.optional(about("Title above the sites, in Markdown.", words())),
  introMessage: v.optional(about("Text above the sites, in Markdown.", words())),
  theme: v.optional(
    about("Colours of the page; auto follows the visitor's system.", word(PAGE_THEMES)),
    "auto",
  ),
  themeUrl: v.optional(
    about("Style sheet that is loaded after ours: a file of assets/, or an address.", place()),
  ),
  favicon: v.optional(about("Icon of the page: a file of assets/, or an address.", image())),
  faviconSvg: v.optional(about("The same as SVG, which counts first.", image())),
  publish: v.optional(
    about("Whether the page of a private repository is published too.", flag()),
    false,
  ),
  singleCommit: v.optional(
    about("Whether the page's branch keeps its last commit only.", flag()),
    false,
  ),
  userContentBaseUrl: v.optional(
    about(
      "Address that raw files of the repository are under, for pages.live: repository.",
      place(),
    ),
    RAW_ADDRESS,
  ),
  customHeadHtml: v.optional(about("HTML for the head of each page, as it stands.", code())),
  customBodyHtml: v.optional(about("HTML for the begin of each page, as it stands.", code())),
  customFootHtml: v.optional(about("HTML for the end of each page, as it stands.", code())),
  js: v.optional(about("Script that stands in each page.", code())),
  css: v.optional(about("Style that stands in each page.", styleText())),
  scripts: v.optional(about("Scripts that pages load, each with src.", list(map(SCRIPT_KEYS)))),
  links: v.optional(about("Links in the head, each with rel and href.", list(map(LINK_KEYS)))),
  metaTags: v.optional(
    about(
      "Meta tags in the head, each with content and name or property.",
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
    about("What robots.txt says; everything may be read where it is not given.", code()),
  ),
  ...withoutEffect({
    apiBaseUrl: "the page asks the platform for nothing",
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
      "Language of the page, such as pt-BR; that of i18n.locale where it is not given.",
      language(),
    ),
  ),
  live: v.optional(
    about(
      "Where open pages look for fresh states: page asks beside itself, repository for the newest file of a public repository, off nowhere.",
      word(LIVE_SOURCES),
    ),
    "page",
  ),
  images: v.optional(
    about(
      "Hosts whose pictures are shown in what people write on incidents, such as i.example.com; from all others there is a link.",
      list(domain()),
    ),
    [],
  ),
  origins: v.optional(
    about(
      "Further addresses that the owner's own scripts, styles and HTML may load from, such as https://stats.example.com.",
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
