import { fill, type Messages, messagesOf } from "../text/messages.ts";
import { cadence } from "../config/schedule.ts";
import type { Config } from "../config/config.ts";
import { type PageTheme, RAW_ADDRESS } from "../config/page/page_keys.ts";
import { basePathOf, pageAddress } from "../config/page_address.ts";
import type { Website } from "../config/page/page_keys.ts";
import { SUMMARY_PATH } from "../statistics/summary/summary.ts";
import { plainText } from "../text/plain_text.ts";
import { MINUTE } from "../time.ts";
import { contentPolicy } from "./content_policy.ts";
import { PAGE_PATHS } from "../config/page_path.ts";
import { type Home, isAddress, placeOf } from "./place.ts";

/** A link at the top. */
interface PageLink {
  title: string;
  /** A path from the top of the page, or an address: see `placeLink`. */
  href: string;
  target?: string;
}

interface LiveSettings {
  /** The summary: a file of the page, by its path from the top, or an address that begins with `https:`. */
  summary: string;
  /** Minutes after which the newest check of a summary is too old. */
  lateMinutes: number;
}

interface OwnerCode {
  /** HTML for the head, the begin and the end. */
  head?: string;
  body?: string;
  foot?: string;
  /** A script and a style, neither of which can end its element. */
  js?: string;
  css?: string;
  scripts: readonly { src: string; async: boolean }[];
  links: readonly { rel: string; href: string; media?: string }[];
  /** `isProperty`: the name is an RDFa property, as Open Graph has them. */
  metaTags: readonly { name: string; isProperty?: boolean; content: string }[];
}

export interface PageSettings {
  /** Its title. */
  name: string;
  address?: string;
  /** Path under which it stands on its host, with a slash at its end; absent where nobody knows. */
  base?: string;
  /** Its own domain, without anything else of an address. */
  cname?: string;
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
  live?: LiveSettings;
  /** Further addresses that what the owner adds may load from. */
  origins: readonly string[];
  code: OwnerCode;
  policy: string;
}

/** The settings of the page that a configuration makes, given the page of the repository. */
export function settingsOf(
  config: Config,
  { repository }: { repository?: string },
): PageSettings {
  const { i18n, pages, timezone } = config;
  const website: Partial<Website> = config["status-website"] ?? {};
  const address = pageAddress(website, repository);
  const basePath = basePathOf(website, repository);
  const base = address === undefined
    ? basePath && `${basePath}/`
    : `${new URL(address).pathname.replace(/\/$/, "")}/`;
  const home: Home = { address, base, repository };
  const place = (text: string | undefined) => text === undefined ? undefined : placeOf(text, home);
  const worded = messagesOf(withoutSigns(i18n));
  const { links, overview } = ownerLinks(website, home, worded);
  const messages = overview === undefined || i18n["navStatus"] !== undefined
    ? worded
    : { ...worded, navStatus: overview };
  const { OWNER, REPO } = namesOfRepository(repository);
  const lang = pages.lang ?? messages.locale;
  const logo = website.hideNavLogo ? undefined : place(website.logoUrl);
  const settings = {
    name: plainText(website.name ?? "") ||
      (REPO === undefined ? messages.navStatus : `${OWNER}/${REPO}`),
    ...{ address, base, repository, lang, messages, timezone, logo, links },
    cname: website.cname,
    robotsText: website.robotsText,
    direction: directionOf(lang),
    theme: website.theme ?? "auto",
    themeUrl: place(website.themeUrl),
    logoHref: place(website.logoHref),
    icon: place(website.faviconSvg ?? website.favicon),
    showsName: logo === undefined || !website.hideNavTitle,
    introTitle: website.introTitle,
    introMessage: website.introMessage,
    footer: footerOf(i18n["footer"], repository, OWNER),
    imageHosts: pages.images,
    origins: pages.origins,
    live: liveOf(config, repository),
    code: ownerCode(website, home),
  } satisfies Omit<PageSettings, "policy">;
  return { ...settings, policy: contentPolicy(settings) };
}

/** Coloured signs before words of states: on the page each has a shape already. */
const SIGN = /^[\u{1f7e0}-\u{1f7eb}\u{1f534}\u{1f535}\u2705\u274c\u26a0\u{1f6d1}]\ufe0f?\s*(?=\S)/u;

function withoutSigns(words: Config["i18n"]): Config["i18n"] {
  return Object.fromEntries(
    Object.entries(words).map(([key, text]) => [key, text.replace(SIGN, "")]),
  );
}

function footerOf(
  footer: string | undefined,
  repository: string | undefined,
  owner: string | undefined,
): string | undefined {
  if (footer === undefined) return undefined;
  return fill(footer, { ...owner && { OWNER: owner }, ...repository && { REPO: repository } });
}

function directionOf(lang: string): PageSettings["direction"] {
  const locale: Intl.Locale & { getTextInfo?(): { direction?: string } } = new Intl.Locale(lang);
  return locale.getTextInfo?.().direction === "rtl" ? "rtl" : "ltr";
}

function liveOf(
  { pages: { live }, history, workflowSchedule, ...config }: Config,
  repository: string | undefined,
): LiveSettings | undefined {
  if (live === "off") return undefined;
  const lateMinutes = Math.ceil((history.commitEvery ?? 0) / MINUTE) +
    3 * cadence(workflowSchedule.uptime).shortest;
  const summary = live === "repository"
    ? rawSummary(config["status-website"]?.userContentBaseUrl ?? RAW_ADDRESS, repository)
    : undefined;
  return { summary: summary ?? PAGE_PATHS.summary, lateMinutes };
}

function rawSummary(base: string, repository: string | undefined): string | undefined {
  const { OWNER, REPO } = namesOfRepository(repository);
  const isOfGitHub = base !== RAW_ADDRESS || repository?.startsWith("https://github.com/");
  if (!base.startsWith("https:") || REPO === undefined || !isOfGitHub) return undefined;
  return `${base.replace(/\/+$/, "")}/${OWNER}/${REPO}/HEAD/${SUMMARY_PATH}`;
}

interface RepositoryNames {
  OWNER?: string;
  REPO?: string;
}

/** Owner and name of the repository with a page. */
function namesOfRepository(repository: string | undefined): RepositoryNames {
  const [, OWNER, REPO] = /^https?:\/\/[^/]+\/([^/]+)\/([^/]+)$/.exec(repository ?? "") ?? [];
  return { OWNER, REPO };
}

/** The links that the owner wants at the top, and what they call the one to the overview, which is there anyway. */
interface OwnerLinks {
  links: PageLink[];
  overview?: string;
}

/** The links at the top beside ours: as configured, else to the repository. Links that lead nowhere are left out. */
function ownerLinks(
  { navbar, navbarGitHub = navbar === undefined }: Pick<Website, "navbar" | "navbarGitHub">,
  home: Home,
  messages: Messages,
): OwnerLinks {
  const names = namesOfRepository(home.repository);
  const all = (navbar ?? []).flatMap(({ title, href, target }): PageLink[] => {
    const place = placeOf(filled(href, names), home);
    if (/\$(?:OWNER|REPO)/.test(place) || !leadsSomewhere(place)) return [];
    return [{ title, href: place, target }];
  });
  const links = all.filter(({ href }) => !isOverview(href));
  const { repository } = home;
  if (navbarGitHub && repository !== undefined && links.every(({ href }) => href !== repository)) {
    links.push({ title: messages.navGitHub, href: repository });
  }
  return { links, overview: all.find(({ href }) => isOverview(href))?.title };
}

/** A text with owner and name of the repository put in, where they are known. */
function filled(text: string, names: RepositoryNames): string {
  return text.replace(
    /\$(OWNER|REPO)(?![A-Z_])/g,
    (all, name: keyof RepositoryNames) => names[name] ?? all,
  );
}

function leadsSomewhere(place: string): boolean {
  return !isAddress(place) || URL.parse(place, "https://page.example/") !== null;
}

function isOverview(place: string): boolean {
  return /^(?:index\.html)?(?:#.*)?$/.test(place);
}

function ownerCode(website: Partial<Website>, home: Home): OwnerCode {
  const { js, css, scripts = [], links = [], metaTags = [] } = website;
  return {
    head: website.customHeadHtml,
    body: website.customBodyHtml,
    foot: website.customFootHtml,
    js: js === undefined ? undefined : withinScript(js),
    css,
    scripts: scripts.map(({ src, async }) => ({ src: placeOf(src, home), async })),
    links: links.map(({ href, ...link }) => ({ ...link, href: placeOf(href, home) })),
    metaTags: metaTags.map(({ name, property, content }) => ({
      name: name ?? property ?? "",
      ...property === undefined ? {} : { isProperty: true },
      content: String(content),
    })),
  };
}

/**
 * A script that does not end the element it stands in: what would is written in another way, that means
 * the same wherever a script may have it, in its texts and patterns.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(withinScript('say("</script>")'), 'say("\\x3C/script>")');
 * assertEquals(withinScript("a < b"), "a < b");
 * ```
 */
export function withinScript(code: string): string {
  return code.replace(/<(?=\/script|!--)/gi, "\\x3C");
}
