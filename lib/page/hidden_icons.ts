import type { Site } from "../config/config.ts";
import { iconOf, type IconPlace } from "./icon.ts";

/**
 * Names of the sites whose icon is not shown, because it would have to be fetched from elsewhere.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const icons = { Shop: "🛒", Blog: "https://a.example/b.png", Wiki: undefined };
 * const sites = Object.entries(icons).map(([name, icon]) => ({ name, icon }));
 * assertEquals(hiddenIcons(sites, { assets: new Set(), home: {} }), ["Blog"]);
 * ```
 */
export function hiddenIcons(
  sites: readonly Pick<Site, "name" | "icon">[],
  place: IconPlace,
): string[] {
  return sites.filter(({ icon }) => icon !== undefined && iconOf(icon, place) === undefined)
    .map(({ name }) => name);
}
