import type { Site } from "./config.ts";

/**
 * The address of a site as it may be shown: its `link` if it has one, else its `url`, both without
 * credentials and with the names of secrets; `undefined` if it is hidden or consists of one secret.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(shownAddress({ url: "https://a.example/?k=$KEY", hideUrl: false }), "https://a.example/?k=$KEY");
 * assertEquals(shownAddress({ url: "$ADDRESS", hideUrl: false }), undefined);
 * ```
 */
export function shownAddress(
  { link, url, hideUrl }: Pick<Site, "link" | "url" | "hideUrl">,
): string | undefined {
  if (link !== undefined) return link;
  return hideUrl || /^\$[A-Za-z_]\w*$/.test(url) ? undefined : url;
}
