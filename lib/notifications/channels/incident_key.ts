import { createHash } from "node:crypto";
import { cutText } from "../cut_text.ts";
import type { SiteEvent } from "../message.ts";

/**
 * What everything about one incident goes by: the same in every run, and another for each incident. One
 * that is too long ends in what makes it differ from others that begin the same.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const event = { kind: "down", slug: "shop", incident: "2026-11-21-shop" } as const;
 * assertEquals(incidentKey(event, "acme/status", 255), "acme/status:shop:2026-11-21-shop");
 * assertEquals(incidentKey(event, "acme/status", 30).length, 30);
 * ```
 */
export function incidentKey(
  { kind, slug, incident }: Pick<SiteEvent, "kind" | "slug" | "incident">,
  monitor: string,
  longest: number,
): string {
  const key = kind === "test"
    ? `${monitor}:test`
    : kind === "notice"
    ? `${monitor}:${incident}`
    : `${monitor}:${slug}:${incident}`;
  if (key.length <= longest) return key;
  const hash = createHash("sha256").update(key).digest("hex").slice(0, 16);
  return `${cutText(key, longest - 1 - hash.length)}:${hash}`;
}
