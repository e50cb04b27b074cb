import type { Site } from "../lib/config/config.ts";
import { shownAddress } from "../lib/config/shown_address.ts";

/**
 * The address of a site where a browser can follow it: with no secret in it, and no name and password.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const of = (url: string) => openAddress({ url, hideUrl: false })?.href;
 * assertEquals(of("https://a.example/x"), "https://a.example/x");
 * assertEquals([of("https://a.example/?k=$KEY"), of("https://a:b@c.example"), of("a.example:22")], Array(3).fill(undefined));
 * ```
 */
export function openAddress(site: Pick<Site, "link" | "url" | "hideUrl">): URL | undefined {
  const address = shownAddress(site);
  const url = address === undefined || address.includes("$") ? null : URL.parse(address);
  const isOpen = url !== null && /^https?:$/.test(url.protocol) && url.username === "" &&
    url.password === "";
  return isOpen ? url : undefined;
}
