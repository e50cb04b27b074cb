import { cadence } from "../../config/cadence.ts";
import type { Config } from "../../config/config.ts";
import { RAW_ADDRESS } from "../../config/keys/page_keys.ts";
import { basePathOf, pageAddress } from "../../config/page_address.ts";
import type { Website } from "../../config/page/read_website.ts";
import { SUMMARY_PATH } from "../../statistics/summary/summary.ts";
import { fill, messagesOf } from "../../text/messages/messages.ts";
import { plainText } from "../../text/plain_text.ts";
import { MINUTE } from "../../time.ts";
import { contentPolicy } from "../policy/content_policy.ts";
import { ownerCode } from "./owner_code.ts";
import { namesOfRepository, ownerLinks } from "./page_links.ts";
import { PAGE_PATHS } from "../../config/page_path.ts";
import type { LiveSettings, PageSettings } from "./page_settings.ts";
import { type Home, placeOf } from "./place.ts";

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

/** How a language is read. */
function directionOf(lang: string): PageSettings["direction"] {
  const locale: Intl.Locale & { getTextInfo?(): { direction?: string } } = new Intl.Locale(lang);
  return locale.getTextInfo?.().direction === "rtl" ? "rtl" : "ltr";
}

/** Where the script looks for fresh states. A page whose summary is not found shows what it was built with. */
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
