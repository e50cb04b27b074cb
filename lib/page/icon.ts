import { type Home, placeOf } from "./settings/place.ts";

/** The icon of a site as the page shows it: a picture that is a file of the page or stands in the address itself, or a sign. */
export type Icon = { file: string } | { data: string } | { sign: string };

/** What is needed to know which icons are the page's own. */
export interface IconPlace {
  /** Files of the owner's at the top of the page, by their paths. */
  assets: ReadonlySet<string>;
  home: Home;
}

/**
 * The icon of a site; `undefined` where it would have to be fetched from elsewhere, because nobody who
 * reads the page shall be told of to others.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const place = { assets: new Set(["shop.svg"]), home: { address: "https://status.example" } };
 * const icons = ["assets/shop.svg", "https://status.example/shop.svg", "🛒", "https://a.example/b.png"];
 * const own = { file: "shop.svg" };
 * assertEquals(icons.map((icon) => iconOf(icon, place)), [own, own, { sign: "🛒" }, undefined]);
 * ```
 */
export function iconOf(icon: string, { assets, home }: IconPlace): Icon | undefined {
  const text = icon.trim();
  if (/^data:image\/[\w+.-]+[;,]/i.test(text)) return { data: text };
  const file = placeOf(text, home);
  if (assets.has(file)) return { file };
  return isSign(text) ? { sign: text } : undefined;
}

/** Whether a text is one emoji, also one that is joined of several. */
function isSign(text: string): boolean {
  // The table of all of them is made where one is looked for, not each time the program starts.
  return /^\p{RGI_Emoji}$/v.test(text);
}
