import { createHash } from "node:crypto";
import type { PageFile } from "./keep_export.ts";

/** Tells one file from all others. */
export function fileDigest([path, content]: PageFile): string {
  return createHash("sha256").update(`${path}\0`).update(content).digest("hex");
}

/**
 * Tells files from all others, whatever their order, given the digest of each.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const [one, other] = [fileDigest(["a.html", "A"]), fileDigest(["b.html", "B"])];
 * assertEquals(digestOf([one, other]), digestOf([other, one]));
 * ```
 */
export function digestOf(files: Iterable<string>): string {
  return createHash("sha256").update([...files].sort().join("\n")).digest("hex");
}
