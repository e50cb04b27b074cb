/** Longest slug in bytes of UTF-8, so that every file system and label takes it. */
export const SLUG_BYTES = 100;

/**
 * The name of a site's files: lower case, white space as hyphens, and nothing that a path, a label or an
 * address could misread. Empty if nothing usable is left.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(slugOf("My  Site (EU) "), "my-site-eu");
 * assertEquals(slugOf("../../etc/passwd"), "-..-etc-passwd");
 * assertEquals(slugOf("Élan"), "élan");
 * ```
 */
export function slugOf(name: string): string {
  const slug = slugWithBrackets(name);
  if (!/[\p{Ps}\p{Pe}]/u.test(slug)) return slug;
  // Text in brackets is a word of its own, and brackets leave no hyphen at either end.
  return slug.replace(/-*[\p{Ps}\p{Pe}][-\p{Ps}\p{Pe}]*/gu, "-").replace(/^-|-$/g, "")
    .replace(/^\.+/, "");
}

/** {@linkcode slugOf} as it was up to version 1.41: files of that name stay in use. */
export function slugWithBrackets(name: string): string {
  return name.normalize("NFC").trim().toLowerCase()
    .replace(/\s+/gu, "-")
    .replace(/[/\\:*?"<>|#%&]|\p{C}/gu, "-")
    .replace(/^\.+/, "");
}

/** Bytes of UTF-8 in a text. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
