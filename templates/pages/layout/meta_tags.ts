import { addressAt, PAGE_PATHS } from "../../../lib/config/page_path.ts";
import type { PageSettings, PageTheme } from "../../../lib/page/settings/page_settings.ts";
import { PREVIEW_SIZE } from "../files/preview_size.ts";

/** A meta tag. */
export interface MetaTag {
  name: string;
  /** The name is that of a property; names of Open Graph always are. */
  isProperty?: boolean;
  content: string;
  media?: string;
}

/** What tags are made of, beside the settings of the page. */
export interface Described {
  /** Path from the top. */
  path: string;
  /** Of the window. */
  title: string;
  description: string;
}

/** What browsers paint around the page: the ground of each theme in the style. */
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

/**
 * What chats and search engines show of a page. Addresses have to be whole there, so that there is a
 * picture only where it is known where the page stands.
 */
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
