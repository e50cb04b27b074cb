import { plainText } from "../../plain_text.ts";

/** Seen by nobody, and enough to keep names, links and short codes from being found. */
const GAP = "\u200b";

/** What comes before a gap: mentions, tags, commands, addresses, mail addresses, short codes of emoji. */
const FOUND =
  /[@#]|(?<![\p{L}\d/])\/(?=\p{L})|:(?=\/\/)|(?<=[\p{L}\d])\.(?=\p{L})|:(?=[\w+-]+:)|%(?=%)|\{(?=\{)/gu;

/**
 * A text in which no vendor finds a mention, a link, a command, an emoji or a function of its own, on
 * one line: for texts whose markup can't be escaped or is looked for in spite of that.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(withGaps("@here https://a.example 10:05"), "@\u200bhere https:\u200b//a.\u200bexample 10:05");
 * ```
 */
export function withGaps(text: string): string {
  return plainText(text).replace(FOUND, `$&${GAP}`);
}
