import { plainText } from "../../../text/plain_text.ts";

/** Invisible, and enough to keep mentions, tags and short codes from being found. */
const GAP = "\u200b";

/** Signs before which a gap goes in: mentions, tags, commands, short codes of emoji, functions of vendors. */
const FOUND = /[@#]|(?<![\p{L}\d/])\/(?=\p{L})|:(?=[\w+-]+:)|%(?=%)|\{(?=\{)/gu;

/** Addresses of the web and of mail, which must stay as they are to work when they are copied. */
const ADDRESSES =
  /((?<![\p{L}\d])(?:https?|wss?):\/\/(?:[^\s/?#@]+@)?(?:[\p{L}\d$_.-]+|\[[\d:a-f]+\])(?::\d+)?(?:[/?#]\S*)?|(?<![\w@.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+)/giu;

/**
 * A text on one line in which no vendor finds a mention, a command, an emoji or a function of its own: for
 * texts whose markup can't be escaped, or is looked for in spite of that. Addresses contain no invisible
 * characters and lead to the same place. `escape` gets each address, and each text between two of them.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(withGaps("@here https://a.example/#b jo@a.example"), "@\u200bhere https://a.example/#b jo@a.example");
 * assertEquals(withGaps("https://a.example/@here"), "https://a.example/%40here");
 * ```
 */
export function withGaps(
  text: string,
  escape = (part: string, _isAddress: boolean) => part,
): string {
  return plainText(text).split(ADDRESSES).map((part, index) =>
    index % 2 === 0
      ? escape(part.replace(FOUND, `$&${GAP}`), false)
      : escape(inertAddress(part), true)
  ).join("");
}

/** An address with signs encoded that a vendor would look for in it. */
function inertAddress(address: string): string {
  return address.replaceAll(/(?<![\p{L}\d])@/gu, "%40").replaceAll(/\{(?=\{)/g, "%7B")
    .replaceAll(/%(?![\da-f]{2})/gi, "%25");
}
