import { addressAt, type Link, linksOf, PAGE_PATHS } from "../../lib/config/page_path.ts";
import { placeLink } from "../../lib/page/place.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { type Content, fromMarkup, markupCache, unescaped } from "./html.ts";
import type { View } from "./view.ts";
import { SHAPE_DEFINITIONS, Time } from "./parts.tsx";
import { SCRIPT, STYLE, versioned } from "./assets.ts";
import { STATE_ORDER } from "../../lib/incidents/impact.ts";
import { OVERALL_RULES } from "../../lib/page/overall.ts";
import { formatTime } from "../../lib/time.ts";
import type { PageTheme } from "../../lib/config/keys/page_keys.ts";
import type { PageSettings } from "../../lib/page/settings.ts";
import { PREVIEW_SIZE } from "./preview_svg.ts";
import { Markdown } from "./markdown.tsx";

interface LayoutProps {
  view: View;
  path: string;
  title?: string;
  description: string;
  children: Content;
}

const NAVIGATION = [
  ["navStatus", PAGE_PATHS.overview],
  ["navIncidents", PAGE_PATHS.incidents],
  ["navMaintenance", PAGE_PATHS.maintenance],
] as const;

export function Layout(props: LayoutProps) {
  const { view: { settings, language }, path, children } = props;
  const { lang, direction, theme, links, code } = settings;
  const link = linksOf(path, settings.base);
  return (
    <html lang={lang} dir={direction} data-theme={theme === "auto" ? undefined : theme}>
      <Head {...props} />
      <body>
        <OwnerHtml html={code.body} />
        <a class="skip" href="#content">{language.say("skipToContent")}</a>
        {SHAPE_DEFINITIONS}
        <header class="top">
          <Brand settings={settings} link={link} />
          <nav>
            {NAVIGATION.map(([key, target]) => (
              <a href={link(target)} aria-current={target === path ? "page" : undefined}>
                {language.say(key)}
              </a>
            ))}
            {links.map(({ title, href, target }) => (
              <a href={placeLink(href, link)} target={target} dir="auto">{plainText(title)}</a>
            ))}
          </nav>
        </header>
        <LiveNote view={props.view} />
        <main id="content">{children}</main>
        <PageFooter view={props.view} path={path} link={link} />
        <OwnerHtml html={code.foot} />
      </body>
    </html>
  );
}

/** The name and the logo of a page, which lead to its overview or where its owner wants. */
function Brand(
  { settings: { name, logo, logoHref, showsName }, link }: Pick<View, "settings"> & { link: Link },
) {
  const href = logoHref === undefined ? link(PAGE_PATHS.overview) : placeLink(logoHref, link);
  return (
    <a class="brand" href={href}>
      {logo !== undefined && (
        <img src={placeLink(logo, link)} alt={showsName ? "" : name} height="28" />
      )}
      {showsName && <span dir="auto">{name}</span>}
    </a>
  );
}

/** The head of every page. The policy counts for all that stands behind it. */
function Head({ view, path, title: own, description }: LayoutProps) {
  const { settings } = view;
  const link = linksOf(path, settings.base);
  const name = plainText(settings.name);
  const title = own === undefined ? name : `${plainText(own)} – ${name}`;
  const described = { path, title, description: plainText(description) };
  const { address, icon } = settings;
  return (
    <head>
      <meta charset="utf-8" />
      <meta http-equiv="Content-Security-Policy" content={settings.policy} />
      <title>{title}</title>
      {metaTags(settings, described).map((tag) => <Meta {...tag} />)}
      {address !== undefined && path !== PAGE_PATHS.notFound && (
        <link rel="canonical" href={addressAt(address, path)} />
      )}
      <link rel="icon" href={icon === undefined ? link(PAGE_PATHS.icon) : placeLink(icon, link)} />
      <link rel="stylesheet" href={versioned(link(PAGE_PATHS.style), STYLE)} />
      <Live view={view} path={path} />
      <OwnerHead settings={settings} link={link} />
    </head>
  );
}

interface Told {
  summary?: string;
  /** Address of the file with the build time. */
  build: string;
  /** Zone of the page. */
  zone: string;
  /** The last check that the page tells of. */
  checked?: string;
  /** Minutes for which checks may fail to come once it has read a summary; without one it is a day and two hours. */
  most?: number;
  late: string;
  words: readonly (readonly [state: string, word: string])[];
  /** States from the best to the worst. */
  order: readonly string[];
  /** Sentences for all sites: state, sentence, and of more than which share; the last where none holds. */
  overall: readonly (readonly [state: string, sentence: string, more: number])[];
}

const SHOWN = ["up", "degraded", "down", "maintenance", "unknown", "paused"] as const;

function LiveNote({ view: { checks, report, language } }: { view: View }) {
  const isLate = checks !== undefined && report.isOutdated;
  return (
    <p class="live" role="status">
      {isLate && language.say("notReported", { TIME: language.moment(checks) })}
    </p>
  );
}

/**
 * The script. It paints what has `data-slug`, or `.state` in it, and `data-overall`: a shape and a `.word` stand
 * in each, which is never better than `data-least`: a state, or the place of a sentence. `[dir]` is what a site is called, `.since` goes when it changes, `.newest` has the time of the last
 * check, and what has `data-incident` is `.gone` once the site `data-of` it has that no more.
 */
function Live({ view, path }: { view: View; path: string }) {
  const { settings: { live, base } } = view;
  const link = linksOf(path, base);
  const summary = live === undefined || live.summary.startsWith("https:")
    ? live?.summary
    : link(live.summary);
  const build = link(PAGE_PATHS.build);
  const source = versioned(link(PAGE_PATHS.script), SCRIPT);
  const tag = tags(
    view,
    `${source} ${summary}`,
    () => (
      <script
        src={source}
        defer
        {...BEFORE_PAINT}
        data-live={JSON.stringify(toldOf(view, { summary, build }))}
      />
    ),
  );
  return fromMarkup(tag);
}

/** Delays the first paint: the times that the script rewrites would otherwise shift the layout. */
const BEFORE_PAINT = { blocking: "render" };

const tags = markupCache<View>();

function toldOf(
  { settings: { live, timezone }, language: { say }, checks }: View,
  { summary, build }: Pick<Told, "summary" | "build">,
): Told {
  return {
    summary,
    build,
    zone: timezone,
    checked: checks && formatTime(checks),
    most: live?.lateMinutes,
    late: say("notReported"),
    words: SHOWN.map((state) => [state, say(state)] as const),
    order: STATE_ORDER,
    overall: [
      ...OVERALL_RULES.map(([state, more, key]) => [state, say(key), more] as const),
      ["unknown", say("nothingKnown"), 1],
    ],
  };
}

/** HTML of the owner's, as it stands. */
function OwnerHtml({ html }: { html?: string }) {
  return html === undefined ? null : unescaped(html);
}

function OwnerHead(
  { settings, link }: {
    settings: Pick<PageSettings, "code" | "themeUrl">;
    link: Link;
  },
) {
  const { code: { head, js, css, scripts, links, metaTags }, themeUrl } = settings;
  return (
    <>
      {metaTags.map((tag) => <Meta {...tag} />)}
      {themeUrl !== undefined && <link rel="stylesheet" href={placeLink(themeUrl, link)} />}
      {links.map(({ rel, href, media }) => (
        <link rel={rel} href={placeLink(href, link)} media={media} />
      ))}
      {css !== undefined && <style dangerouslySetInnerHTML={{ __html: css }} />}
      {scripts.map(({ src, async }) => <script src={placeLink(src, link)} async={async} />)}
      {js !== undefined && <script dangerouslySetInnerHTML={{ __html: js }} />}
      <OwnerHtml html={head} />
    </>
  );
}

/** A meta tag; those of Open Graph have a property for a name. */
function Meta({ name, isProperty, content, media }: MetaTag) {
  if (isProperty || /^og:/i.test(name)) return <meta property={name} content={content} />;
  return media === undefined
    ? <meta name={name} content={content} />
    : <meta name={name} content={content} media={media} />;
}

/** A meta tag. */
interface MetaTag {
  name: string;
  /** The name is that of a property; names of Open Graph always are. */
  isProperty?: boolean;
  content: string;
  media?: string;
}

interface Described {
  /** Path from the top. */
  path: string;
  title: string;
  description: string;
}

const GROUNDS: Readonly<Record<Exclude<PageTheme, "auto">, string>> = {
  light: "#f7f8f9",
  dark: "#101418",
  night: "#000",
  ocean: "#071a2e",
};

/** Every meta tag of a page with a name, but those of the owner's; they take the place of ours with the same. */
export function metaTags(settings: PageSettings, described: Described): MetaTag[] {
  const { code, theme } = settings;
  const replaced = new Set(code.metaTags.map(({ name }) => name.toLowerCase()));
  const isShared = described.path !== PAGE_PATHS.notFound;
  return [
    { name: "viewport", content: "width=device-width,initial-scale=1" },
    { name: "description", content: described.description },
    { name: "referrer", content: "no-referrer" },
    ...themeTags(theme),
    ...isShared ? previewTags(settings, described) : [{ name: "robots", content: "noindex" }],
  ].filter(({ name }) => !replaced.has(name));
}

function themeTags(theme: PageTheme): MetaTag[] {
  if (theme !== "auto") {
    return [
      { name: "color-scheme", content: theme === "light" ? "light" : "dark" },
      { name: "theme-color", content: GROUNDS[theme] },
    ];
  }
  const grounds = (["light", "dark"] as const).map((scheme): MetaTag => ({
    name: "theme-color",
    content: GROUNDS[scheme],
    media: `(prefers-color-scheme:${scheme})`,
  }));
  return [{ name: "color-scheme", content: "light dark" }, ...grounds];
}

function previewTags(settings: PageSettings, { path, title, description }: Described): MetaTag[] {
  const { name, lang, address } = settings;
  const tags: Record<string, string | undefined> = {
    "og:type": "website",
    "og:site_name": name,
    "og:title": title,
    "og:description": description,
    "og:locale": /^[a-z]{2,3}-[A-Z]{2}$/.test(lang) ? lang.replace("-", "_") : undefined,
    "og:url": address && addressAt(address, path),
    ...pictureTags(settings),
  };
  return Object.entries(tags).flatMap(([name, content]) =>
    content === undefined ? [] : [{ name, content }]
  );
}

function pictureTags({ address, name }: PageSettings): Record<string, string> {
  if (address === undefined) return { "twitter:card": "summary" };
  const [width, height] = PREVIEW_SIZE.map(String);
  return {
    "og:image": addressAt(address, PAGE_PATHS.preview),
    "og:image:width": width!,
    "og:image:height": height!,
    "og:image:alt": name,
    "twitter:card": "summary_large_image",
  };
}

/** The end of every page: where its numbers come from, and the owner's words in place of ours. The overview alone says when it was built: the others stay byte for byte the same. */
function PageFooter({ view, path, link }: { view: View; path: string; link: Link }) {
  const { settings: { footer }, language, built } = view;
  return (
    <footer class="bottom">
      <p>
        <a href={link(PAGE_PATHS.about)}>{language.say("navAbout")}</a>
      </p>
      {path === PAGE_PATHS.overview && (
        <p class="times">
          {language.tell("pageBuilt", { TIME: <Time at={built} language={language} /> })}
        </p>
      )}
      {footer === undefined && <p>{language.say("footer")}</p>}
      {footer !== undefined && footer !== "" && (
        <Markdown text={footer} under={2} prefix="footer-" view={view} link={link} />
      )}
    </footer>
  );
}
