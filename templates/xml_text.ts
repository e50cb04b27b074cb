import { escapeMarkup } from "../lib/notifications/channels/inert/html.ts";

/**
 * A text within XML, also within an attribute. What no file of XML can hold becomes the sign for a
 * character that is lost; control characters have to be gone already.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(xmlText('<b> & "c"\ud800'), "&lt;b&gt; &amp; &quot;c&quot;\ufffd");
 * ```
 */
export function xmlText(text: string): string {
  return escapeMarkup(text.toWellFormed().replaceAll(/[\ufffe\uffff]/g, "\ufffd"));
}
