/** The icon of a site as the page shows it: a picture that is a file of the page or stands in the address itself, or a sign. */
export type Icon = { file: string } | { data: string } | { sign: string };

/** What is needed to know which icons are the page's own. */
export interface IconPlace {
  /** Files of the owner's at the top of the page, by their paths. */
  assets: ReadonlySet<string>;
  /** Addresses under which they stand, each with a slash at its end. */
  homes: readonly string[];
}

/**
 * The icon of a site; `undefined` where it would have to be fetched from elsewhere, because nobody who
 * reads the page shall be told of to others.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const place = { assets: new Set(["shop.svg"]), homes: ["https://status.example/"] };
 * const icons = ["assets/shop.svg", "https://status.example/shop.svg", "🛒", "https://a.example/b.png"];
 * const own = { file: "shop.svg" };
 * assertEquals(icons.map((icon) => iconOf(icon, place)), [own, own, { sign: "🛒" }, undefined]);
 * ```
 */
export function iconOf(icon: string, { assets, homes }: IconPlace): Icon | undefined {
  const text = icon.trim();
  if (/^data:image\/[\w+.-]+[;,]/i.test(text)) return { data: text };
  const home = homes.find((one) => text.startsWith(one));
  const path = text.slice(home?.length ?? 0).replace(/^(?:\.?\/)?(?:assets\/)?/, "");
  if (assets.has(path)) return { file: path };
  return SIGN.test(text) ? { sign: text } : undefined;
}

/** One emoji, also one that is joined of several. */
const SIGN = /^\p{RGI_Emoji}$/v;

/** Addresses under which files of `assets/` stand: on the page itself, and in the repository. */
export function homesOf(
  { address, repository }: { address?: string; repository?: string },
): string[] {
  const own = address === undefined ? [] : [`${address}/`];
  const [, path] = /^https:\/\/github\.com\/([^/]+\/[^/]+)$/.exec(repository ?? "") ?? [];
  if (path === undefined) return own;
  const branches = ["HEAD", "main", "master"];
  return [...own, ...branches.map((one) => `https://raw.githubusercontent.com/${path}/${one}/`)];
}
