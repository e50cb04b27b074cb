import { GROUNDS } from "../../lib/config/page/accent.ts";
import { type Link, PAGE_PATHS, toFileAddress } from "../../lib/config/page_path.ts";
import { formatPlace } from "../../lib/page/place.ts";
import type { PageSettings } from "../../lib/page/settings.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { formatTime } from "../../lib/time.ts";
import { DETAILS_STYLE, renderStyle, versioned } from "./files.ts";
import { type Content, elementCache, unescaped } from "./html.ts";
import { Markdown } from "./markdown.tsx";
import { SHAPE_DEFINITIONS, Time } from "./parts.tsx";
import { PREVIEW_SIZE } from "./preview_svg.ts";
import { nameStatus, renderMoreScript } from "./more_script.ts";
import { DETAILS_SCRIPT, SCRIPT } from "./scripts.ts";
import { FeedLinks, SubscribeLink } from "./feed_links.tsx";
import type { PageView } from "./view.ts";

/** A page without its content; `title` precedes the name of the status page; absent if all is well. */
interface LayoutProps {
  view: PageView;
  title?: string;
  /** One sentence, for search engines and previews. */
  description: string;
  /** Path of the page beside which its feeds are, and what they are about; absent if there are only those of all services. */
  feeds?: { page: string; title: string };
  children: Content;
}

const NAVIGATION = [
  ["navStatus", PAGE_PATHS.overview],
  ["navIncidents", PAGE_PATHS.incidents],
  ["navMaintenance", PAGE_PATHS.maintenance],
] as const;

export function Layout(props: LayoutProps) {
  const { view, children } = props;
  const { settings, language, checks, report, path, link } = view;
  const { lang, direction, theme, links, supportLink, code } = settings;
  const isLate = checks !== undefined && report.isOutdated;
  return (
    <html lang={lang} dir={direction} data-theme={theme === "auto" ? undefined : theme}>
      <Head {...props} />
      <body>
        <OwnerHtml html={code.body} />
        <a class="skip" href="#content">{language.say("skipToContent")}</a>
        {SHAPE_DEFINITIONS}
        <header class="top">
          <Brand view={view} />
          <nav>
            {NAVIGATION.map(([key, target]) => (
              <a href={link(target)} aria-current={target === path ? "page" : undefined}>
                {language.say(key)}
              </a>
            ))}
            <OwnerLinks links={links} link={link} />
            {supportLink !== undefined && (
              <a href={formatPlace(supportLink, link)}>{language.say("navSupport")}</a>
            )}
          </nav>
          <SubscribeLink view={view} feeds={props.feeds?.page} />
        </header>
        <p class={isLate ? "live" : "live away"} role="status">
          {isLate && (
            <>
              <b>{language.say("notReported", { TIME: language.moment(checks) })}</b>
              {language.gap}
              {language.say("outOfDate")}
            </>
          )}
        </p>
        <main id="content">{children}</main>
        <Footer view={view} />
        <OwnerHtml html={code.foot} />
      </body>
    </html>
  );
}

function OwnerLinks({ links, link }: { links: PageSettings["links"]; link: Link }) {
  return links.map(({ title, href, target }) => (
    <a href={formatPlace(href, link)} target={target} dir="auto">{plainText(title)}</a>
  ));
}

function Brand({ view: { settings, link } }: { view: PageView }) {
  const { name, logoHref, showsName } = settings;
  const href = logoHref === undefined ? link(PAGE_PATHS.overview) : formatPlace(logoHref, link);
  return (
    <a class="brand" href={href}>
      <Logo settings={settings} link={link} />
      {showsName && <span dir="auto">{name}</span>}
    </a>
  );
}

function Logo(
  { settings: { name, theme, logo, logoDark = logo, showsName }, link }: {
    settings: PageSettings;
    link: Link;
  },
) {
  if (logo === undefined || logoDark === undefined) return null;
  const [light, dark] = [logo, logoDark].map((place) => formatPlace(place, link));
  const src = theme === "auto" || theme === "light" ? light : dark;
  const image = <img src={src} alt={showsName ? "" : name} height="28" />;
  if (theme !== "auto" || light === dark) return image;
  return (
    <picture>
      <source srcset={dark} media="(prefers-color-scheme: dark)" />
      {image}
    </picture>
  );
}

/** The footer. Only the overview shows the build time, so that the other pages stay byte for byte the same. */
function Footer({ view }: { view: PageView }) {
  const { settings: { footer, footerLinks }, language, built, path, link } = view;
  return (
    <footer class="bottom">
      <p>
        <a href={link(PAGE_PATHS.about)}>{language.say("navAbout")}</a>
        <OwnerLinks links={footerLinks} link={link} />
      </p>
      {path === PAGE_PATHS.overview && (
        <p class="times">
          {language.sayElements("pageBuilt", { TIME: <Time at={built} language={language} /> })}
        </p>
      )}
      {footer === undefined && <p>{language.say("footer")}</p>}
      {footer !== undefined && footer !== "" && (
        <Markdown text={footer} under={2} prefix="footer-" view={view} />
      )}
    </footer>
  );
}

/** The head. The policy comes first, because it applies to everything after it. */
function Head({ view, title: own, description, feeds }: LayoutProps) {
  const { settings, path, link, language: { say } } = view;
  const { address, icon } = settings;
  const name = plainText(settings.name);
  const title = own === undefined ? nameStatus(name, say) : `${plainText(own)} – ${name}`;
  return (
    <head>
      <meta charset="utf-8" />
      <meta http-equiv="Content-Security-Policy" content={settings.policy} />
      <title>{title}</title>
      {metaTags(settings, { path, title, description: plainText(description) })
        .map((tag) => <Meta {...tag} />)}
      {address !== undefined && path !== PAGE_PATHS.notFound && (
        <link rel="canonical" href={toFileAddress(address, path)} />
      )}
      <link
        rel="icon"
        href={icon === undefined ? link(PAGE_PATHS.icon) : formatPlace(icon, link)}
      />
      {feeds && <FeedLinks page={feeds.page} title={plainText(feeds.title)} link={link} />}
      <FeedLinks page={PAGE_PATHS.overview} title={name} link={link} />
      <Style view={view} />
      <Script view={view} />
      <OwnerHead view={view} />
    </head>
  );
}

/** Links of the style sheet by page depth. */
const styles = elementCache<PageSettings>();

/**
 * The style sheet, and the font that it names, which is loaded at once so that texts don't change it later. All pages
 * have a second one, but an overview only if it has texts of its owner.
 */
function Style({ view: { settings, link, path } }: { view: PageView }) {
  const href = link(PAGE_PATHS.style);
  const { introTitle, introMessage, footer } = settings;
  const hasTexts = [introTitle, introMessage, footer].some(Boolean);
  const hasDetails = path !== PAGE_PATHS.overview || hasTexts;
  return styles(settings, `${href} ${hasDetails}`, () => (
    <>
      {settings.font !== undefined && (
        <link rel="preload" href={link(settings.font)} as="font" crossorigin="anonymous" />
      )}
      <link rel="stylesheet" href={versioned(href, renderStyle(settings))} />
      {hasDetails && (
        <link rel="stylesheet" href={versioned(link(PAGE_PATHS.details), DETAILS_STYLE)} />
      )}
    </>
  ));
}

/** Meta tags of Open Graph, and those with `isProperty`, have a `property` instead of a `name`. */
interface MetaTag {
  name: string;
  isProperty?: boolean;
  content: string;
  media?: string;
}

function Meta({ name, isProperty, content, media }: MetaTag) {
  if (isProperty || /^og:/i.test(name)) return <meta property={name} content={content} />;
  return media === undefined
    ? <meta name={name} content={content} />
    : <meta name={name} content={content} media={media} />;
}

/** The named meta tags of a page; the owner's replace those with the same name. */
function metaTags(
  settings: PageSettings,
  page: { path: string; title: string; description: string },
): MetaTag[] {
  const { code, theme } = settings;
  const replaced = new Set(code.metaTags.map(({ name }) => name.toLowerCase()));
  const colors: MetaTag[] = theme === "auto"
    ? (["light", "dark"] as const).map((scheme) => ({
      name: "theme-color",
      content: GROUNDS[scheme].bg,
      media: `(prefers-color-scheme:${scheme})`,
    }))
    : [{ name: "theme-color", content: GROUNDS[theme].bg }];
  const scheme = theme === "auto" ? "light dark" : theme === "light" ? "light" : "dark";
  return [
    { name: "viewport", content: "width=device-width,initial-scale=1" },
    { name: "description", content: page.description },
    { name: "referrer", content: "no-referrer" },
    { name: "color-scheme", content: scheme },
    ...colors,
    ...page.path === PAGE_PATHS.notFound
      ? [{ name: "robots", content: "noindex" }]
      : previewTags(settings, page),
  ].filter(({ name }) => !replaced.has(name));
}

/** Tags for previews in chats and search engines. They need absolute addresses, so pictures need a known one. */
function previewTags(
  { name, lang, address }: PageSettings,
  { path, title, description }: { path: string; title: string; description: string },
): MetaTag[] {
  const [width, height] = PREVIEW_SIZE.map(String);
  const tags: Record<string, string | undefined> = {
    "og:type": "website",
    "og:site_name": name,
    "og:title": title,
    "og:description": description,
    "og:locale": /^[a-z]{2,3}-[A-Z]{2}$/.test(lang) ? lang.replace("-", "_") : undefined,
    ...address === undefined ? { "twitter:card": "summary" } : {
      "og:url": toFileAddress(address, path),
      "og:image": toFileAddress(address, PAGE_PATHS.preview),
      "og:image:width": width,
      "og:image:height": height,
      // The picture shows the overall status, which the overview describes.
      "og:image:alt": path === PAGE_PATHS.overview ? description : name,
      "twitter:card": "summary_large_image",
    },
  };
  return Object.entries(tags).flatMap(([name, content]) =>
    content === undefined ? [] : [{ name, content }]
  );
}

function OwnerHtml({ html }: { html?: string }) {
  return html === undefined ? null : unescaped(html);
}

/** Elements that the page's owner adds to the head, after ours, so that they take precedence. */
function OwnerHead({ view: { settings: { code, themeUrl }, link } }: { view: PageView }) {
  const { head, js, css, scripts, links, metaTags } = code;
  return (
    <>
      {metaTags.map((tag) => <Meta {...tag} />)}
      {themeUrl !== undefined && <link rel="stylesheet" href={formatPlace(themeUrl, link)} />}
      {links.map(({ rel, href, media }) => (
        <link rel={rel} href={formatPlace(href, link)} media={media} />
      ))}
      {css !== undefined && <style>{unescaped(css)}</style>}
      {scripts.map(({ src, async }) => <script src={formatPlace(src, link)} async={async} />)}
      {js !== undefined && <script>{unescaped(js)}</script>}
      <OwnerHtml html={head} />
    </>
  );
}

const DISPLAYED = ["up", "degraded", "down", "maintenance", "unknown", "paused"] as const;
/** Delays the first paint: the times that the script rewrites would otherwise shift the layout. */
const BEFORE_PAINT = { blocking: "render" };
/** Script tags by their links: pages of the same depth share them. */
const scripts = elementCache<PageSettings>();

/**
 * The script. It updates elements with `data-slug` and `data-overall`, each with a shape and a `.word`: never to a
 * better state than `data-least`. `.since` is removed if the state changes, `.newest` has the time of the last
 * check, and an element with `data-incident` becomes `.gone` once the site `data-of` has another incident or none,
 * and a card once all of these in it are.
 */
function Script({ view }: { view: PageView }) {
  const { settings: { live, timezone }, language: { say, share, gap }, checks, link, path } = view;
  const summary = live === undefined || live.summary.startsWith("https:")
    ? live?.summary
    : link(live.summary);
  const source = versioned(link(PAGE_PATHS.script), SCRIPT);
  const hasDetails = path !== PAGE_PATHS.overview;
  const settings = () => ({
    summary,
    build: link(PAGE_PATHS.build),
    more: versioned(link(PAGE_PATHS.moreScript), renderMoreScript(view)),
    zone: timezone,
    checked: checks && formatTime(checks),
    // Minutes without a check after which the page says so.
    most: live?.lateMinutes,
    late: [say("stoppedReporting"), ["", say("lastCheckOn"), say("outOfDate")].join(gap)],
    words: DISPLAYED.map((state) => [state, say(state)]),
    dayUptime: say("dayUptime"),
    whole: share(1),
    quiet: say("noIncidents"),
  });
  return scripts(
    view.settings,
    `${source} ${summary} ${hasDetails}`,
    () => (
      <>
        <script src={source} defer {...BEFORE_PAINT} data-live={JSON.stringify(settings())} />
        {hasDetails && (
          <script src={versioned(link(PAGE_PATHS.detailsScript), DETAILS_SCRIPT)} defer />
        )}
      </>
    ),
  );
}
