import type { Encode } from "../../fill_template.ts";
import { escapeMarkup } from "../inert/html.ts";
import { isJson } from "./is_json.ts";

/**
 * A value within a template of JSON: escaped within a text, and outside of one made a text of its own
 * unless it is JSON already, such as a number or the list `$EVENTS`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { fillTemplate } from "../../fill_template.ts";
 * const placeholders = { SITE_NAME: 'the "shop"', RESPONSE_CODE: "503" };
 * const template = '{"a": "$SITE_NAME", "b": $RESPONSE_CODE, "c": $SITE_NAME}';
 * const { text } = fillTemplate(template, { placeholders, encode: encodeInJson });
 * assertEquals(JSON.parse(text), { a: 'the "shop"', b: 503, c: 'the "shop"' });
 * ```
 */
export const encodeInJson: Encode = (value, { name, template, offset, isSecret }) => {
  const text = JSON.stringify(value);
  if (isWithinText(template, offset)) return text.slice(1, -1);
  if (name === "EVENTS" && !isSecret) return value;
  return isSecret ? (isJson(value) ? value : text) : /^\d+$/.test(value) ? value : text;
};

/** A value within a form (`application/x-www-form-urlencoded`). */
export const encodeInForm: Encode = (value) =>
  new URLSearchParams([["", value]]).toString().slice(1);

/** A value within XML or HTML, also within an attribute. */
export const encodeInMarkup: Encode = (value) => escapeMarkup(value);

/** Whether a place in JSON is within a text: an odd number of quotation marks stands before it. */
function isWithinText(template: string, offset: number): boolean {
  const marks = template.slice(0, offset).match(/\\.|"/gs)?.filter((mark) => mark === '"') ?? [];
  return marks.length % 2 === 1;
}
