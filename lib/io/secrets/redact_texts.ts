/** Keys of fixed words, and of names that are part of paths. */
const NAMES = new Set(["slug", "sites", "timezone", "theme", "baseUrl", "cname"]);

/**
 * Redacts all texts in plain objects and lists, except fixed words and names that are part of paths.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const redact = (text: string) => text.replaceAll("s3cret", "***");
 * const site = { slug: "s3cret", name: "s3cret", links: [{ href: "https://a.example/?k=s3cret" }] };
 * assertEquals(redactTexts(site, redact), { slug: "s3cret", name: "***", links: [{ href: "https://a.example/?k=***" }] });
 * ```
 */
export function redactTexts<T>(value: T, redact: (text: string) => string): T {
  const of = (one: unknown): unknown => {
    if (typeof one === "string") return redact(one);
    if (Array.isArray(one)) return one.map(of);
    if (one === null || typeof one !== "object" || one.constructor !== Object) return one;
    return Object.fromEntries(
      Object.entries(one).map(([key, own]) => [key, NAMES.has(key) ? own : of(own)]),
    );
  };
  return of(value) as T;
}
