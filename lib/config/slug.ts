/** Longest slug in bytes of UTF-8, so that every file system and label takes it. */
export const SLUG_BYTES = 100;

/**
 * The name a site's files go by: lower case, white space as hyphens, and nothing in it that a path, a
 * label or a URL could misread. Empty where nothing usable is left.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(slugOf("My  Site (EU) "), "my-site-(eu)");
 * assertEquals(slugOf("../../etc/passwd"), "-..-etc-passwd");
 * assertEquals(slugOf("Élan"), "élan");
 * ```
 */
export function slugOf(name: string): string {
  return name.normalize("NFC").trim().toLowerCase()
    .replace(/\s+/gu, "-")
    .replace(/[/\\:*?"<>|#%&]|\p{C}/gu, "-")
    .replace(/^\.+/, "");
}

/** Bytes of UTF-8 in a text. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
