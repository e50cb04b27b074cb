import { type Link, PAGE_PATHS } from "../config/page_path.ts";
import type { Site } from "../config/config.ts";
import { joinFirst } from "../text/words.ts";
import { plainText, shorten } from "../text/plain_text.ts";
import { decodePercent } from "../text/safe_parse.ts";

/** The addresses of the page and of the repository, and the path of the page with a final slash. */
export interface Home {
  address?: string;
  base?: string;
  repository?: string;
}

/**
 * Resolves a reference of the owner's to an address or a path from the top of the page. Files of the repository's
 * `assets/` become files of the page.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const home = { address: "https://acme.github.io/up", base: "/up/", repository: "https://github.com/Acme/up" };
 * const of = (text: string) => resolvePlace(text, home);
 * assertEquals([of("/"), of("/up/logo.svg"), of("assets/logo.svg")], ["", "logo.svg", "logo.svg"]);
 * assertEquals(of("https://raw.githubusercontent.com/acme/up/main/assets/logo.svg"), "logo.svg");
 * assertEquals(of("https://acme.github.io/up/history/shop"), "history/shop");
 * assertEquals(of("https://acme.example/logo.svg"), "https://acme.example/logo.svg");
 * ```
 */
export function resolvePlace(text: string, { address, base = "/", repository }: Home): string {
  const own = address !== undefined && isWithin(text, address)
    ? text.slice(address.length)
    : ownAsset(text, repository) ?? text;
  if (isAddress(own)) return own;
  const path = `${own}/`.startsWith(base) ? own.slice(base.length) : own;
  return path.replace(/^(?:\.?\/)+/, "").replace(/^assets\/(?=.)/, "");
}

export function isAddress(place: string): boolean {
  return /^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i.test(place);
}

export function findFile(place: string): string | undefined {
  if (isAddress(place)) return undefined;
  return toFile(new URL(place, TOP));
}

export function formatPlace(place: string, link: Link): string {
  if (isAddress(place)) return place;
  const url = new URL(place, TOP);
  return `${link(toFile(url))}${url.search}${url.hash}`;
}

function toFile({ pathname }: URL): string {
  const path = pathname.slice(1).split("/").map(decodePercent).join("/");
  return path.replace(/(^|\/)$/, `$1${PAGE_PATHS.overview}`);
}

const TOP = "https://page.example/";

function isWithin(text: string, address: string): boolean {
  return text.toLowerCase().startsWith(address.toLowerCase()) &&
    /^(?:[/?#]|$)/.test(text.slice(address.length));
}

/** The path in `assets/` of a file in the repository, given its address. */
function ownAsset(text: string, repository: string | undefined): string | undefined {
  const [, name] = /^https:\/\/github\.com\/([^/]+\/[^/]+)$/.exec(repository ?? "") ?? [];
  const file =
    /^https:\/\/(?:raw\.githubusercontent\.com\/([^/]+\/[^/]+)|github\.com\/([^/]+\/[^/]+)\/(?:blob|raw))\/(?:refs\/heads\/)?[^/]+\/(assets\/[^?#]+)/;
  const [, ofRaw, ofSite, path] = file.exec(text) ?? [];
  return name?.toLowerCase() === (ofRaw ?? ofSite)?.toLowerCase() ? path : undefined;
}

/** The icon of a site: a file of the page, a data address, or an emoji. */
export type Icon = { file: string } | { data: string } | { sign: string };

/** Paths of the owner's files, and the page that they are of. */
type IconPlace = { assets: ReadonlySet<string>; home: Home };

/**
 * Returns the icon of a site; `undefined` if it is on another host, which would learn of visitors.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const place = { assets: new Set(["shop.svg"]), home: { address: "https://status.example" } };
 * const icons = ["assets/shop.svg", "https://status.example/shop.svg", "🛒", "https://a.example/b.png"];
 * const own = { file: "shop.svg" };
 * assertEquals(icons.map((icon) => findIcon(icon, place)), [own, own, { sign: "🛒" }, undefined]);
 * ```
 */
export function findIcon(icon: string, { assets, home }: IconPlace): Icon | undefined {
  const text = icon.trim();
  if (/^data:image\/[\w+.-]+[;,]/i.test(text)) return { data: text };
  const file = resolvePlace(text, home);
  if (assets.has(file)) return { file };
  return /^\p{RGI_Emoji}$/v.test(text) ? { sign: text } : undefined;
}

/**
 * Names the sites whose icons are not shown; `undefined` if all are.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const icons = { Shop: "🛒", Blog: "https://a.example/b.png", Wiki: undefined };
 * const sites = Object.entries(icons).map(([name, icon]) => ({ name, icon }));
 * const names = (of: typeof sites) => describeHiddenIcons(of, { assets: new Set(), home: {} });
 * assertEquals([names(sites), names(Array(5).fill(sites[1])), names([])], ["Blog", "Blog, Blog, Blog and 2 more", undefined]);
 * ```
 */
export function describeHiddenIcons(
  sites: readonly Pick<Site, "name" | "icon">[],
  place: IconPlace,
): string | undefined {
  const names = sites
    .filter(({ icon }) => icon !== undefined && findIcon(icon, place) === undefined)
    .map(({ name }) => shorten(plainText(name), 80));
  return names.length === 0 ? undefined : joinFirst(names, 3);
}
