/**
 * An address of a vendor's API, at its usual base or, for another region, a proxy or a gateway, at the
 * one configured; the path may be part of that already.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(atBase("https://a.example/", "/v2/enqueue"), "https://a.example/v2/enqueue");
 * assertEquals(atBase("https://a.example/v2/enqueue", "/v2/enqueue"), "https://a.example/v2/enqueue");
 * ```
 */
export function atBase(base: string, path: string): string {
  const bare = base.trim().replace(/\/+$/, "");
  return bare.endsWith(path) ? bare : bare + path;
}
