import { withGaps } from "../inert/gaps.ts";
import { escapeMarkdown } from "../inert/markdown.ts";

/** A text within the Markdown of a card that means nothing but itself, functions of dates included. */
export function escapeCardText(text: string): string {
  return escapeMarkdown(withGaps(text));
}
