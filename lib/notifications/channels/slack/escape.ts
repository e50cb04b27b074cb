import { withGaps } from "../inert/gaps.ts";

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
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
  // A quotation begins with one, also where it is escaped.
  return escapeControl(bare.replace(/^>/, "\u200b>"));
}

/** What must stay whole where a text with mrkdwn is cut. */
export const MRKDWN_WHOLE = /&\w+;|<[^<>\n]*>/g;
