import { plainText } from "../../text/plain_text.ts";

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

/** Encodes characters of an address that a vendor would interpret. */
function inertAddress(address: string): string {
  return address.replaceAll(/(?<![\p{L}\d])@/gu, "%40").replaceAll(/\{(?=\{)/g, "%7B")
    .replaceAll(/%(?![\da-f]{2})/gi, "%25");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes a text for HTML or XML, also within an attribute. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign]!);
}

/** Escapes a text without control characters for XML; characters that XML can't hold become U+FFFD. */
export function escapeXml(text: string): string {
  return escapeMarkup(text.toWellFormed().replaceAll(/[\ufffe\uffff]/g, "\ufffd"));
}

/**
 * An address as the target of a link in Markdown, which it can't get out of.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(linkTarget("https://a.example/(b)"), "https://a.example/%28b%29");
 * ```
 */
export function linkTarget(address: string): string {
  return address.replace(
    /[\s()<>\\]/g,
    encodeCharacter,
  );
}

/** Encodes a character in an address, also one that could stay as it is. */
function encodeCharacter(sign: string): string {
  const encoded = encodeURIComponent(sign);
  return encoded === sign ? `%${sign.charCodeAt(0).toString(16).toUpperCase()}` : encoded;
}

/**
 * Special characters of the Markdown of Discord and Adaptive Cards; both take a backslash before ASCII
 * punctuation.
 */
const MARKUP = /[\\*_~|`<>@#[\]()]|:(?!\d\d)/g;
/** Starts of lists, quotations and headings. */
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

/** Parts that must not be cut in two. */
export const MARKDOWN_WHOLE = /\\.|<[^<>\s]*>|\[[^\]]*\]\([^)]*\)/gs;

/** Signs that format text, for which mrkdwn has no escape, and others that look the same. */
const LOOKALIKES: Readonly<Record<string, string>> = { "*": "∗", _: "ˍ", "~": "∼", "`": "ˋ" };

/** In an address, which must lead to the same place, Slack reads `_` and `~` as they are. */
const IN_ADDRESS: Readonly<Record<string, string>> = { "*": "%2A", "`": "%60" };

/** Slack's control characters escaped (docs.slack.dev/messaging/formatting-message-text). */
export function escapeControl(text: string): string {
  return text.replace(/[&<>]/g, (sign) => ENTITIES[sign]!);
}

/**
 * A text within mrkdwn that means nothing but itself, on one line.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(escapeMrkdwn("<!channel> *a*"), "&lt;!channel&gt; ∗a∗");
 * assertEquals(escapeMrkdwn("at https://a.example/b_c"), "at https://a.example/b_c");
 * ```
 */
export function escapeMrkdwn(text: string): string {
  const bare = withGaps(
    text,
    (part, isAddress) =>
      isAddress
        ? part.replace(/[*`]/g, (sign) => IN_ADDRESS[sign]!)
        : part.replace(/[*_~`]/g, (sign) => LOOKALIKES[sign]!),
  );
  // An escaped ">" at the start would still be a quotation.
  return escapeControl(bare.replace(/^>/, "\u200b>"));
}

/** Parts of mrkdwn that must not be cut in two. */
export const MRKDWN_WHOLE = /&\w+;|<[^<>\n]*>/g;

const CHAT_LOOKALIKES: Readonly<Record<string, string>> = { ...LOOKALIKES, "<": "‹", ">": "›" };
/** Starts of links, formulas, spoilers, entities and escapes, behind which a gap goes in. */
const CHAT_STARTS = /\](?=[([])|\$(?=\$)|\|(?=\|)|&(?=#?\w+;)|\\/g;
/** Starts of lists and rules. */
const CHAT_BEGINNING = /^(?=[-+=]|\d+[.)])/;

/**
 * A text within the Markdown of Google Chat, Mattermost, Rocket.Chat or Zulip that means nothing but itself, on
 * one line. They have no escape in common, so signs that format text become others that look the same.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(escapeChat("<!here> *a* [b](c)"), "‹!here› ∗a∗ [b]\u200b(c)");
 * assertEquals(escapeChat("at https://a.example/b_c?d*e"), "at https://a.example/b_c?d%2Ae");
 * ```
 */
export function escapeChat(text: string): string {
  return withGaps(
    text,
    (part, isAddress) =>
      isAddress
        ? part.replace(/[*`<>|\\]|\](?=\()/g, (sign) => encodeCharacter(sign))
        : part.replace(/[*_~`<>]/g, (sign) => CHAT_LOOKALIKES[sign]!)
          .replace(CHAT_STARTS, `$&${GAP}`),
  ).replace(CHAT_BEGINNING, GAP);
}

/** A text within the Markdown of a card that means nothing but itself, functions of dates included. */
export function escapeCardText(text: string): string {
  return escapeMarkdown(withGaps(text));
}
