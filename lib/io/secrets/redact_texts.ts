import { asItIs } from "./secrets.ts";

/** Keys of fixed words, and of names that are part of paths. */
const NAMES = new Set([
  ...["slug", "sites", "affects", "incident", "cause"],
  ...["kind", "state", "status", "phase", "told", "check"],
  ...["lang", "locale", "direction", "timezone", "theme", "base", "baseUrl", "cname", "policy"],
]);

/**
 * Redacts all texts in plain objects, lists and maps, except fixed words and names that are part of paths.
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
  if (redact === asItIs) return value;
  const of = (one: unknown): unknown => {
    if (typeof one === "string") return redact(one);
    if (Array.isArray(one)) return one.map(of);
    if (one instanceof Map) return new Map([...one].map(([key, own]) => [key, of(own)]));
    if (!isPlain(one)) return one;
    return Object.fromEntries(
      Object.entries(one).map(([key, own]) => [key, NAMES.has(key) ? own : of(own)]),
    );
  };
  return of(value) as T;
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
