import { cutText } from "../../cut_text.ts";
import type { TeamsMention } from "./mentions.ts";

/** Colours of a card, which follow the reader's theme. */
export type CardColour = "Attention" | "Warning" | "Good" | "Accent";

interface TextRun {
  type: "TextRun";
  text: string;
  color?: CardColour;
  size?: "Large";
  weight?: "Bolder";
}

/** The elements we use (adaptivecards.io/explorer). Runs of text know no Markdown, unlike blocks. */
export type CardElement =
  | { type: "TextBlock"; text: string; wrap: true; size?: "Large"; weight?: "Bolder" }
  | { type: "RichTextBlock"; inlines: TextRun[] }
  | { type: "FactSet"; facts: { title: string; value: string }[] }
  | { type: "Container"; items: CardElement[]; separator?: true };

/** A button. */
export interface OpenUrl {
  type: "Action.OpenUrl";
  title: string;
  url: string;
}

const LONGEST_FALLBACK = 500;

/** An Adaptive Card; Teams shows no version above 1.5, and its mobile clients nothing newer than 1.4. */
export function cardOf(
  { headline, body, actions, mentions = [] }: {
    headline: string;
    body: CardElement[];
    actions: OpenUrl[];
    mentions?: TeamsMention[];
  },
) {
  return {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    fallbackText: cutText(headline, LONGEST_FALLBACK),
    msteams: { width: "Full", ...(mentions.length === 0 ? {} : { entities: mentions }) },
    body,
    ...(actions.length === 0 ? {} : { actions }),
  };
}

/** A text with Markdown. */
export function textBlock(
  text: string,
  style: { size?: "Large"; weight?: "Bolder" } = {},
): CardElement {
  return { type: "TextBlock", text, wrap: true, ...style };
}

/** A text without Markdown. */
export function richText(text: string, style: Omit<TextRun, "type" | "text"> = {}): CardElement {
  return { type: "RichTextBlock", inlines: [{ type: "TextRun", text, ...style }] };
}
