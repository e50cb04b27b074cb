import { plainText } from "../../../text/plain_text.ts";

/**
 * Signs that mean something in the Markdown of Discord and of Adaptive Cards. A backslash before one of
 * ASCII's signs takes its meaning in both.
 */
const MARKUP = /[\\*_~|`<>@#[\]()]|:(?!\d\d)/g;
/** What begins a list, a quotation or a heading. */
const BEGINNING = /^(\d*)([-+.=])/;

/**
 * A text as Markdown that means nothing but itself, on one line.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(escapeMarkdown("*a* 10:05 https://a.example"), "\\*a\\* 10:05 https\\://a.example");
 * ```
 */
export function escapeMarkdown(text: string): string {
  return plainText(text).replace(MARKUP, "\\$&").replace(BEGINNING, "$1\\$2");
}

/** What must stay whole where such a text is cut. */
export const MARKDOWN_WHOLE = /\\.|<[^<>\s]*>|\[[^\]]*\]\([^)]*\)/gs;
