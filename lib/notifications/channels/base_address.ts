import { encodeInAddress } from "./http/encode_in_address.ts";
import type { Outgoing } from "./http/http_channel.ts";

/** An address of a vendor's API: at its usual base, or at the one configured. */
export function vendorAddress(
  { notification: { url }, filler }: Pick<Outgoing, "notification" | "filler">,
  { base, path }: { base: string; path: string },
): string {
  return atBase(url === undefined ? base : filler.text(url.trim(), {}, encodeInAddress), path);
}

/**
 * A path at the base of an API, of which it may be a part already.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(atBase("https://a.example/", "/v2/enqueue"), "https://a.example/v2/enqueue");
 * assertEquals(atBase("https://a.example/v2/enqueue", "/v2/enqueue"), "https://a.example/v2/enqueue");
 * ```
 */
export function atBase(base: string, path: string): string {
  const bare = base.replace(/\/+$/, "");
  return bare.endsWith(path) ? bare : bare + path;
}
