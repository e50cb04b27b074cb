/**
 * An address as the target of a link in Markdown, which it can't get out of.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(linkTarget("https://a.example/(b)"), "https://a.example/%28b%29");
 * ```
 */
export function linkTarget(address: string): string {
  return address.replace(
    /[\s()<>\\]/g,
    (sign) =>
      encodeURIComponent(sign) === sign
        ? `%${sign.charCodeAt(0).toString(16)}`
        : encodeURIComponent(sign),
  );
}
