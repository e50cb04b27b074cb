/**
 * Parses an address of the web; `undefined` for any other text.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(parseWebAddress("https://a.example/x")?.host, "a.example");
 * assertEquals(["javascript:alert(1)", "a.example", ""].map(parseWebAddress), [undefined, undefined, undefined]);
 * ```
 */
export function parseWebAddress(text: string): URL | undefined {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined;
}
