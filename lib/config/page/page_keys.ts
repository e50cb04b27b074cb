import { language } from "../keys/languages.ts";
import * as v from "valibot";
import {
  about,
  expected,
  flag,
  list,
  map,
  optional,
  parsed,
  text,
  textOrNumber,
  withoutEffect,
  word,
} from "../keys/values.ts";
import { parseColor } from "./accent.ts";

/** Colors of the page: those of the visitor's system, or one of four. */
export const PAGE_THEMES = ["auto", "light", "dark", "night", "ocean"] as const;
export type PageTheme = typeof PAGE_THEMES[number];

export const RAW_ADDRESS = "https://raw.githubusercontent.com";

/** Keys of a link in `navbar` and `footer`. */
const TITLED_LINK_KEYS = {
  title: about("Text of the link.", textOrNumber("a text")),
  href: about("Target of the link; $OWNER and $REPO are those of the repository.", link()),
  target: optional("Window it opens in, such as _blank.", text()),
};

const COLOR = 'a color as hexadecimal digits in quotes, such as "#2456d3"';

const LINKS = "a list of links with title and href (a text belongs under i18n.footer)";

const SCRIPT_KEYS = {
  src: about("Its address, or a file in assets/.", place()),
  async: optional("Load it without blocking the page.", flag(), false),
};

const LINK_KEYS = {
  rel: about("Relation, such as stylesheet.", textOrNumber("a text")),
  href: about("Its address, or a file in assets/.", place("data")),
  media: optional("Media it applies to, such as print.", text()),
};

const META_KEYS = {
  name: optional("Its name; it replaces the page's own tag of that name.", textOrNumber("a text")),
  property: optional("The same for Open Graph, such as og:title.", textOrNumber("a text")),
  content: about("Its value.", v.union([v.string(), v.number()])),
};

/** Keys of `status-website`: what Upptime has, and what it means here. */
export const WEBSITE_KEYS = {
  name: optional("Title of the page. Default: the repository's name.", words()),
  cname: optional("Custom domain of the page, such as status.example.com.", domain()),
  baseUrl: optional(
    "Path under the domain, such as /status or /$REPO. Pages work under any path.",
    basePath(),
  ),
  logoUrl: optional("Logo next to the title: a file in assets/, or an address.", image()),
  logoDark: optional("Logo on dark pages, where it replaces `logoUrl`.", image()),
  logoHref: optional("Link target of logo and title. Default: the overview.", link()),
  hideNavLogo: optional("Hide the logo.", flag(), false),
  hideNavTitle: optional("Hide the title next to a logo.", flag(), false),
  navbar: optional(
    "Links at the top of each page, each with `title` and `href`.",
    list(map(TITLED_LINK_KEYS)),
  ),
  navbarGitHub: optional(
    "Link the repository at the top. Default: true if `navbar` is absent.",
    flag(),
  ),
  supportLink: optional("Where visitors get help: linked at the top of each page.", link()),
  footer: optional(
    "Links at the bottom of each page, each with `title` and `href`.",
    list(map(TITLED_LINK_KEYS, "a link with title and href"), LINKS),
  ),
  introTitle: optional("Heading above the sites, in Markdown.", words()),
  introMessage: optional("Text above the sites, in Markdown.", words()),
  theme: optional(
    "Colors of the page; `auto` follows the visitor's system.",
    word(PAGE_THEMES),
    "auto",
  ),
  accent: optional(
    'Color of links, focus and chart, such as "#2456d3", or a map of `light` and `dark`. A color that is hard to read is darkened or lightened.',
    accent(),
  ),
  font: optional("Font of the page: a file in assets/, such as inter.woff2.", fontFile()),
  themeUrl: optional(
    "Style sheet loaded after the built-in one: a file in assets/, or an address.",
    place(),
  ),
  favicon: optional("Favicon: a file in assets/, or an address.", image()),
  faviconSvg: optional("SVG favicon; takes precedence over `favicon`.", image()),
  publish: optional("Publish the page even if the repository is private.", flag(), false),
  singleCommit: optional("Keep only the last commit on the branch of the page.", flag(), false),
  userContentBaseUrl: optional(
    "Base address of the repository's raw files, used by `pages.live: repository`.",
    place(),
    RAW_ADDRESS,
  ),
  customHeadHtml: optional("HTML added to the head of each page, unchanged.", code()),
  customBodyHtml: optional("HTML added at the start of each page, unchanged.", code()),
  customFootHtml: optional("HTML added at the end of each page, unchanged.", code()),
  js: optional("Script added to each page.", code()),
  css: optional("CSS added to each page.", styleText()),
  scripts: optional("Scripts that each page loads, each with `src`.", list(map(SCRIPT_KEYS))),
  links: optional(
    "Links in the head of each page, each with `rel` and `href`.",
    list(map(LINK_KEYS)),
  ),
  metaTags: optional(
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
  robotsText: optional("Content of robots.txt. Default: everything may be crawled.", code()),
  ...withoutEffect({
    apiBaseUrl: "the page asks GitHub for nothing",
    productionCacheTime: "the page keeps nothing in the browser",
    localhostCacheTime: "the page keeps nothing in the browser",
  }),
  ...withoutEffect({ timezone: "move it to the top level" }, "warning"),
};

export type Website = v.InferOutput<v.ObjectSchema<typeof WEBSITE_KEYS, undefined>>;

const LIVE_SOURCES = ["page", "repository", "off"] as const;

/** Keys of `pages`: what Upptime's page has nothing like. */
export const PAGES_KEYS = {
  lang: optional(
    "Language of page, README and feeds, if it isn't that of messages and issues. Default: `i18n.locale`, else `language`.",
    language(),
  ),
  live: optional(
    "Source of updates for open pages: the page's own files, the repository, or none. `repository` needs a public repository and at most 500 sites.",
    word(LIVE_SOURCES),
    "page",
  ),
  subscribe: optional(
    "Show the button Subscribe on each page, and the page that it opens. Feeds are written in any case.",
    flag(),
    true,
  ),
  images: optional(
    "Hosts whose pictures are shown in incident comments, such as i.example.com. Pictures from other hosts become links.",
    list(host()),
    [],
  ),
  origins: optional(
    "Further origins your own scripts, styles and HTML may load from. Example: https://stats.example.com.",
    list(place()),
    [],
  ),
};

export type PageOptions = v.InferOutput<v.ObjectSchema<typeof PAGES_KEYS, undefined>>;

function link() {
  return place("mailto", "tel");
}

function image() {
  return place("data");
}

function color() {
  return parsed(COLOR, parseColor);
}

/** A color, or a map with one for light pages, one for dark pages, or both. */
function accent() {
  const scheme = v.optional(color());
  const colors = v.strictObject({ light: scheme, dark: scheme }, expected("light or dark"));
  const isFilled = (map: object) => Object.keys(map).length > 0;
  const kinds = `${COLOR}, or a map with light, dark or both`;
  return v.union(
    [color(), v.pipe(colors, v.check(isFilled, `is empty: write ${kinds}`))],
    expected(kinds),
  );
}

/** The path of a font in `assets/`. */
function fontFile() {
  return parsed("the name of a font in assets/ such as inter.woff2", (text) => {
    const path = text.trim().replace(/^(?:\.?\/)*(?:assets\/)?/, "");
    const isFont = /\.(?:woff2?|ttf|otf)$/i.test(path);
    return isFont && !/^[a-z]+:|\/\/|\\|[?#]|(?:^|\/)\.\.?\//i.test(path) ? path : undefined;
  });
}

const HOST = /^(?=.{4,253}$)(?:[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]*[a-z\d])$/;

/** A domain as in CNAME; a page on github.io has no domain of its own. */
function domain() {
  return parsed("a domain of your own such as status.example.com", (text) => {
    const host = hostOf(text);
    return host?.endsWith(".github.io") ? undefined : host;
  });
}

function host() {
  return parsed("a host such as i.example.com", hostOf);
}

/** The host that a text names, in ASCII; of an address its host is taken. */
function hostOf(text: string): string | undefined {
  const host = text.trim().replace(/^https?:\/\//i, "").replace(/\.?(?:[/?#].*)?$/, "");
  const name = /^[^\s:@\\]+$/.test(host) ? URL.parse(`https://${host}`)?.hostname : undefined;
  return name !== undefined && HOST.test(name) ? name : undefined;
}

/** A path that a page is under, with $OWNER and $REPO: a slash before it, none behind; empty for the top. */
function basePath() {
  return parsed("a path such as /status", (text) => {
    if (!/^(?:[\w.~/-]|\$(?:OWNER|REPO)\b)*$/.test(text)) return undefined;
    // Of an address its path is taken; the first part of a repository's is its owner.
    const path = text.replace(/^github\.com\/[^/]+/i, "").replace(
      /^[\w-]+(?:\.[\w-]+)+(?=\/|$)/,
      "",
    );
    return path.split("/").filter((part) => part !== "").map((part) => `/${part}`).join("");
  });
}

/**
 * An address, or a path into the page. Characters that browsers ignore are removed, so that its scheme is
 * the one that they see; a host gets https:// before it.
 */
function place(...schemes: ("mailto" | "tel" | "data")[]) {
  const other = schemes.includes("data") ? "the name of a file in assets/" : "a path of the page";
  return parsed(`an address that starts with https://, or ${other}`, (text) => {
    const bare = text.replaceAll(/\p{C}/gu, "").trim();
    const isHost = /^(?:www\.[\w-]+\.|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\/)/i.test(bare);
    const isMailbox = schemes.includes("mailto") && /^[^\s/:@?#]+@[\w-]+(?:\.[\w-]+)+$/.test(bare);
    const address = isHost ? `https://${bare}` : isMailbox ? `mailto:${bare}` : bare;
    const [, scheme] = /^([a-z][a-z\d+.-]*):/i.exec(address.toLowerCase()) ?? [];
    const isAllowed = scheme === undefined || /^https?$/.test(scheme)
      ? URL.canParse(address, scheme === undefined ? "https://page.example/" : undefined)
      : schemes.some((one) => one === scheme) &&
        (scheme !== "data" || /^data:image\//i.test(address));
    return isAllowed ? address : undefined;
  });
}

function code() {
  return v.string(expected("a text"));
}

/** CSS that stays inside of its element. */
function styleText() {
  const message = "expected CSS without </style, which would end it";
  return v.pipe(code(), v.check((css) => !/<\/style/i.test(css), message));
}

/** A text for people, on the page; an empty one says nothing. */
function words() {
  return v.pipe(v.union([v.string(), v.number()], expected("a text")), v.transform(String));
}
