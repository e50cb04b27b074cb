import { findDirection } from "../text/language.ts";
import { loadTexts } from "../text/languages.ts";
import { fillMessage, mergeMessages, type Messages } from "../text/messages.ts";
import { cadence } from "../config/schedule.ts";
import type { Config } from "../config/config.ts";
import { type Accent, toAccent, toReadableAccent } from "../config/page/accent.ts";
import { type PageTheme, RAW_ADDRESS, type Website } from "../config/page/page_keys.ts";
import { findBasePath, findPageAddress, PAGE_PATHS } from "../config/page_path.ts";
import { SUMMARY_PATH } from "../statistics/summary.ts";
import { plainText } from "../text/plain_text.ts";
import { DAY, MINUTE } from "../time.ts";
import { computePolicy, type OwnerCode } from "./content_policy.ts";
import { type Home, isAddress, resolvePlace } from "./place.ts";

/** Settings of the page. A place is a path from the top of the page, or an address: see `placeLink`. */
export interface PageSettings {
  name: string;
  /** Its address without a final slash, and the path of that with one, if they are known. */
  address?: string;
  base?: string;
  cname?: string;
  /** The owner's `robots.txt`. */
  robotsText?: string;
  /** Address of the repository, if it is known. */
  repository?: string;
  /** Address to which the path of a file is appended for its history; absent unless anyone may read it. */
  commits?: string;
  /** True if pages link to the one about feeds. */
  hasSubscribe: boolean;
  /** Address of the repository whose issues anyone can be notified of; absent if it is private or has none. */
  watched?: string;
  /** Its language, such as `en-US`. */
  lang: string;
  direction: "ltr" | "rtl";
  messages: Messages;
  timezone: string;
  theme: PageTheme;
  /** Readable colors that replace the default accent. */
  accent: Accent;
  /** Path of a font from the top of the page, and whether it has all weights. */
  font?: string;
  isVariableFont?: boolean;
  /** Places of a style sheet, the logo on light and on dark pages, its link, and the icon. */
  themeUrl?: string;
  logo?: string;
  logoDark?: string;
  logoHref?: string;
  icon?: string;
  showsName: boolean;
  /** Links in header and footer, with places. */
  links: readonly PlacedLink[];
  footerLinks: readonly PlacedLink[];
  /** A place. */
  supportLink?: string;
  /** The owner's Markdown above the sites and in the footer. */
  introTitle?: string;
  introMessage?: string;
  footer?: string;
  /** Minutes between two runs, if the schedule has always the same. */
  checkMinutes?: number;
  imageHosts: readonly string[];
  /** Settings of the script; absent if it makes no requests. */
  live?: {
    /** A place. */
    summary: string;
    /** Minutes without a check after which the monitor is reported as stopped. */
    lateMinutes: number;
  };
  /** Further addresses that the owner's additions may load from. */
  origins: readonly string[];
  code: OwnerCode;
  policy: string;
}

interface PlacedLink {
  title: string;
  href: string;
  target?: string;
}

/** Computes the settings of the page; `repository` and `commits` are addresses. */
export async function toPageSettings(
  config: Config,
  { repository, commits }: Pick<PageSettings, "repository" | "commits">,
): Promise<PageSettings> {
  const { i18n, pages, timezone } = config;
  const website: Partial<Website> = config["status-website"] ?? {};
  const address = findPageAddress(website, repository);
  const basePath = findBasePath(website, repository);
  const base = address === undefined
    ? basePath && `${basePath}/`
    : `${new URL(address).pathname.replace(/\/$/, "")}/`;
  const home: Home = { address, base, repository };
  const place = (text: string | undefined) =>
    text === undefined ? undefined : resolvePlace(text, home);
  const worded = mergeMessages(withoutSigns(i18n), await loadTexts(pages.lang));
  const { links, overview } = ownerLinks(website, home, worded);
  const messages = overview === undefined || i18n["navStatus"] !== undefined
    ? worded
    : mergeMessages({ navStatus: overview }, worded);
  const { OWNER, REPO } = namesOfRepository(repository);
  const { lang } = pages;
  const [support] = website.supportLink === undefined
    ? []
    : placeLinks([{ title: "", href: website.supportLink }], home);
  const logo = website.hideNavLogo ? undefined : place(website.logoUrl);
  const theme = website.theme ?? "auto";
  const settings = {
    name: plainText(website.name ?? "") ||
      (REPO === undefined ? messages.navStatus : `${OWNER}/${REPO}`),
    ...{ address, base, repository, commits, lang, messages, timezone, logo, links },
    hasSubscribe: pages.subscribe,
    watched: commits === undefined || !config.issues ? undefined : repository,
    cname: website.cname,
    robotsText: website.robotsText,
    direction: findDirection(lang),
    theme,
    accent: toReadableAccent(toAccent(website.accent ?? {}), theme),
    font: website.font,
    themeUrl: place(website.themeUrl),
    logoDark: logo === undefined ? undefined : place(website.logoDark),
    logoHref: place(website.logoHref),
    supportLink: support?.href,
    footerLinks: placeLinks(website.footer ?? [], home),
    icon: place(website.faviconSvg ?? website.favicon),
    showsName: logo === undefined || !website.hideNavTitle,
    introTitle: website.introTitle,
    introMessage: website.introMessage,
    footer: i18n["footer"] && fillMessage(i18n["footer"], {
      ...OWNER && { OWNER },
      ...repository && { REPO: repository },
    }),
    checkMinutes: findCheckMinutes(config),
    imageHosts: pages.images,
    origins: pages.origins,
    live: toLiveSettings(config, repository),
    code: ownerCode(website, home),
  } satisfies Omit<PageSettings, "policy">;
  return { ...settings, policy: computePolicy(settings) };
}

/** Colored signs before the words of states, which have shapes on the page. */
const SIGN = /^[\u{1f7e0}-\u{1f7eb}\u{1f534}\u{1f535}\u2705\u274c\u26a0\u{1f6d1}]\ufe0f?\s*(?=\S)/u;

function withoutSigns(words: Config["i18n"]): Config["i18n"] {
  return Object.fromEntries(
    Object.entries(words).map(([key, text]) => [key, text.replace(SIGN, "")]),
  );
}

function findCheckMinutes({ workflowSchedule }: Config): number | undefined {
  const { shortest, runs } = cadence(workflowSchedule.uptime);
  return runs * shortest * MINUTE === 30 * DAY ? shortest : undefined;
}

function toLiveSettings(
  { pages: { live }, history, workflowSchedule, ...config }: Config,
  repository: string | undefined,
): PageSettings["live"] {
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

function namesOfRepository(repository: string | undefined): { OWNER?: string; REPO?: string } {
  const [, OWNER, REPO] = /^https?:\/\/[^/]+\/([^/]+)\/([^/]+)$/.exec(repository ?? "") ?? [];
  return { OWNER, REPO };
}

function ownerLinks(
  { navbar, navbarGitHub = navbar === undefined }: Pick<Website, "navbar" | "navbarGitHub">,
  home: Home,
  messages: Messages,
): { links: PlacedLink[]; overview?: string } {
  const all = placeLinks(navbar ?? [], home);
  const isOverview = ({ href }: { href: string }) => /^(?:index\.html)?(?:#.*)?$/.test(href);
  const links = all.filter((link) => !isOverview(link));
  const { repository } = home;
  if (navbarGitHub && repository !== undefined && links.every(({ href }) => href !== repository)) {
    links.push({ title: messages.navGitHub, href: repository });
  }
  return { links, overview: all.find(isOverview)?.title };
}

/** Resolves links with their placeholders; those that lead nowhere are left out. */
function placeLinks(links: readonly PlacedLink[], home: Home): PlacedLink[] {
  const names = namesOfRepository(home.repository);
  const filled = (text: string) =>
    text.replace(/\$(OWNER|REPO)(?![A-Z_])/g, (all, name: "OWNER" | "REPO") => names[name] ?? all);
  return links
    .map(({ href, ...link }) => ({ ...link, href: resolvePlace(filled(href), home) }))
    .filter(({ href }) => !/\$(?:OWNER|REPO)/.test(href) && leadsSomewhere(href));
}

function leadsSomewhere(place: string): boolean {
  return !isAddress(place) || URL.parse(place, "https://page.example/") !== null;
}

function ownerCode(website: Partial<Website>, home: Home): OwnerCode {
  const { js, css, scripts = [], links = [], metaTags = [] } = website;
  return {
    head: website.customHeadHtml,
    body: website.customBodyHtml,
    foot: website.customFootHtml,
    js: js === undefined ? undefined : withinScript(js),
    css,
    scripts: scripts.map(({ src, async }) => ({ src: resolvePlace(src, home), async })),
    links: links.map(({ href, ...link }) => ({ ...link, href: resolvePlace(href, home) })),
    metaTags: metaTags.map(({ name, property, content }) => ({
      name: name ?? property ?? "",
      ...property === undefined ? {} : { isProperty: true },
      content: String(content),
    })),
  };
}

/**
 * Escapes a script so that it can't end its element; strings and patterns keep their meaning.
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
