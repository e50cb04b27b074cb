import type { Encode } from "../../fill_template.ts";
import { encodeInForm, encodeInJson, encodeInMarkup } from "./encode.ts";
import { isJson } from "./is_json.ts";

/** What a configured body is written in. */
export type BodyKind = keyof typeof KINDS;

const KINDS = {
  json: { type: "application/json", encode: encodeInJson },
  form: { type: "application/x-www-form-urlencoded", encode: encodeInForm },
  markup: { type: undefined, encode: encodeInMarkup },
  text: { type: "text/plain; charset=utf-8", encode: (value: string) => value },
} as const;

/** Media types, and what they are written in. */
const TYPES: readonly [type: RegExp, kind: BodyKind][] = [
  [/\bjson\b/i, "json"],
  [/x-www-form-urlencoded/i, "form"],
  [/\b(?:xml|html)\b/i, "markup"],
];

const EVENTS = /\$EVENTS(?!\w)/g;
const REFERENCES = /\$[A-Za-z_][A-Za-z0-9_]*/g;
const FORM = /^[^\s=&{}<>]+=[^\s&]*(?:&[^\s=&]+=[^\s&]*)*$/;

/**
 * What a body is written in: by the content type where one is configured, else by its looks, with a
 * number in place of each `$NAME`, which is JSON also where it stands alone.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(bodyKind('{"code": $RESPONSE_CODE, "text": "$SITE_NAME"}'), "json");
 * assertEquals(bodyKind("site=$SITE_NAME&status=$STATUS"), "form");
 * assertEquals(bodyKind("$SITE_NAME is $STATUS"), "text");
 * assertEquals(bodyKind("$EVENTS"), "json");
 * ```
 */
export function bodyKind(template: string, contentType?: string): BodyKind {
  if (contentType !== undefined) {
    return TYPES.find(([type]) => type.test(contentType))?.[1] ?? "text";
  }
  const bare = template.trim().replace(EVENTS, "[]").replace(REFERENCES, "0");
  if (/^[[{]/.test(bare) && isJson(bare)) return "json";
  return FORM.test(bare) ? "form" : "text";
}

/** How values are put into such a body. */
export function encoderOf(kind: BodyKind): Encode {
  return KINDS[kind].encode;
}

/** The content type of such a body, where none is configured. */
export function usualType(kind: BodyKind): string | undefined {
  return KINDS[kind].type;
}
