import { createHash } from "node:crypto";

import { publicUrl } from "../../../io/secrets/url_credentials.ts";

const REFERENCE = /\$[A-Za-z_]/;
/** What stands in place of a credential. */
const MASK = "***";

/** A credential of the configuration as it may be shown: by the name of its secret, else masked. */
export function shownCredential(template: string): string {
  return REFERENCE.test(template) ? template : MASK;
}

/** The same of an address that is a credential: its origin may be shown. */
export function shownAddress(template: string): string {
  if (REFERENCE.test(template)) return publicUrl(template);
  const origin = URL.parse(template)?.origin ?? "null";
  return origin === "null" ? MASK : `${origin}/${MASK}`;
}

/**
 * What tells a credential from others, fit to be shown.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(fingerprint("$SLACK_WEBHOOK_URL"), "$SLACK_WEBHOOK_URL");
 * assertEquals(fingerprint("https://a.example/in/7f3a"), "https://a.example/***#f981e066");
 * ```
 */
export function fingerprint(template: string): string {
  if (REFERENCE.test(template)) return template;
  const hash = createHash("sha256").update(template).digest("hex").slice(0, 8);
  return `${shownAddress(template)}#${hash}`;
}
