import type { Site } from "../config/config.ts";
import { listed } from "../text/listed.ts";
import { plainText, shorten } from "../text/plain_text.ts";
import { iconOf, type IconPlace } from "./icon.ts";

/** Characters of a name that are told at most. */
const LONGEST_NAME = 80;

/** More sites than these are counted and not named. */
const MOST_NAMES = 3;

/**
 * Whose icons are not shown, because they are neither emoji nor part of the page, in words; `undefined` where
 * all are.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const icons = { Shop: "🛒", Blog: "https://a.example/b.png", Wiki: undefined };
 * const sites = Object.entries(icons).map(([name, icon]) => ({ name, icon }));
 * const told = (of: typeof sites) => hiddenIcons(of, { assets: new Set(), home: {} });
 * assertEquals([told(sites), told(Array(5).fill(sites[1])), told([])], ["Blog", "Blog, Blog, Blog and 2 more", undefined]);
 * ```
 */
export function hiddenIcons(
  sites: readonly Pick<Site, "name" | "icon">[],
  place: IconPlace,
): string | undefined {
  const names = sites.filter(({ icon }) => icon !== undefined && iconOf(icon, place) === undefined)
    .map(({ name }) => shorten(plainText(name), LONGEST_NAME));
  return names.length === 0 ? undefined : listed(names, MOST_NAMES);
}
