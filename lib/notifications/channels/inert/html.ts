const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/**
 * A text within HTML, also within an attribute.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(escapeHtml('<b> & "c"'), "&lt;b&gt; &amp; &quot;c&quot;");
 * ```
 */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ENTITIES[sign]!);
}

/** A text within XML or HTML, also within an attribute that stands in single quotation marks. */
export function escapeMarkup(text: string): string {
  return escapeHtml(text).replaceAll("'", "&#39;");
}
