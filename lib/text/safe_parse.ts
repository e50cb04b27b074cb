/** Decodes percent-encoding; a text that can't be decoded stays as it is. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Parses JSON; `undefined` if the text is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

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
