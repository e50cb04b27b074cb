import { type Link, PAGE_PATHS } from "../../config/page_path.ts";

/** What the owner may mean by a path. */
export interface Home {
  /** Where the page stands, without a slash at its end. */
  address?: string;
  /** The path of that, with a slash at its end. */
  base?: string;
  /** Page of the repository. */
  repository?: string;
}

/**
 * Where something that the owner names is: an address as it stands, or a path from the top of the page.
 * Files of the repository's `assets/` are on the page too, whatever they are called by.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const home = { address: "https://acme.github.io/up", base: "/up/", repository: "https://github.com/Acme/up" };
 * const of = (text: string) => placeOf(text, home);
 * assertEquals([of("/"), of("/up/logo.svg"), of("assets/logo.svg")], ["", "logo.svg", "logo.svg"]);
 * assertEquals(of("https://raw.githubusercontent.com/acme/up/main/assets/logo.svg"), "logo.svg");
 * assertEquals(of("https://acme.github.io/up/history/shop"), "history/shop");
 * assertEquals(of("https://acme.example/logo.svg"), "https://acme.example/logo.svg");
 * ```
 */
export function placeOf(text: string, { address, base = "/", repository }: Home): string {
  const own = address !== undefined && isWithin(text, address)
    ? text.slice(address.length)
    : ownAsset(text, repository) ?? text;
  if (isAddress(own)) return own;
  const path = `${own}/`.startsWith(base) ? own.slice(base.length) : own;
  return path.replace(/^(?:\.?\/)+/, "").replace(/^assets\/(?=.)/, "");
}

/** Whether a place is an address of its own, and not a path of the page. */
export function isAddress(place: string): boolean {
  return /^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i.test(place);
}

/** The file of the page that a place is, by its path from the top; `undefined` of an address. */
export function fileOf(place: string): string | undefined {
  if (isAddress(place)) return undefined;
  return fileAt(new URL(place, TOP));
}

/** A place as a page refers to it, given how it refers to files of the page. */
export function placeLink(place: string, link: Link): string {
  if (isAddress(place)) return place;
  const url = new URL(place, TOP);
  return `${link(fileAt(url))}${url.search}${url.hash}`;
}

function fileAt({ pathname }: URL): string {
  const path = pathname.slice(1).split("/").map(decoded).join("/");
  return path.replace(/(^|\/)$/, `$1${PAGE_PATHS.overview}`);
}

/** Stands for the top of a page whose address doesn't matter. */
const TOP = "https://page.example/";

function isWithin(text: string, address: string): boolean {
  return text.toLowerCase().startsWith(address.toLowerCase()) &&
    /^(?:[/?#]|$)/.test(text.slice(address.length));
}

/** The name of a file of `assets/`, given its address in the repository. */
function ownAsset(text: string, repository: string | undefined): string | undefined {
  const [, name] = /^https:\/\/github\.com\/([^/]+\/[^/]+)$/.exec(repository ?? "") ?? [];
  const [, ofRaw, inRaw] = /^https:\/\/raw\.githubusercontent\.com\/([^/]+\/[^/]+)\/(.+)$/
    .exec(text) ?? [];
  const [, ofSite, inSite] = /^https:\/\/github\.com\/([^/]+\/[^/]+)\/(?:blob|raw)\/(.+)$/
    .exec(text) ?? [];
  const [of, path] = [ofRaw ?? ofSite, inRaw ?? inSite];
  if (name === undefined || of?.toLowerCase() !== name.toLowerCase()) return undefined;
  return /^(?:refs\/heads\/)?[^/]+\/(assets\/[^?#]+)/.exec(path!)?.[1];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
