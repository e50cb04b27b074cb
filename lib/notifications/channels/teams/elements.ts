import { cutText } from "../../cut_text.ts";
import { isOfSite } from "../../message.ts";
import type { ToldEvent } from "../../tell.ts";
import { withGaps } from "../inert/gaps.ts";
import { linkTarget } from "../inert/link_target.ts";
import { MARKDOWN_WHOLE } from "../inert/markdown.ts";
import { type CardColour, type CardElement, type OpenUrl, richText, textBlock } from "./card.ts";
import { escapeCardText } from "./escape.ts";

const COLOURS: Readonly<Record<ToldEvent["event"]["kind"], CardColour>> = {
  down: "Attention",
  degraded: "Warning",
  up: "Good",
  notice: "Warning",
  test: "Accent",
};

const LONGEST_HEADLINE = 300;
const LONGEST_REASON = 1_000;
const LONGEST_FACT = 500;
/** Of one of several events. */
const LONGEST_SUMMARY = 300;

/** All there is to say of one event. */
export function eventElements({ sign, headline, reason, event, facts }: ToldEvent): CardElement[] {
  const color = COLOURS[event.kind];
  const others = facts.filter(({ label }) => label !== "Address").map(({ label, value }) => ({
    title: label,
    value: cutText(escapeCardText(value), LONGEST_FACT, MARKDOWN_WHOLE),
  }));
  // This element is not Markdown, so an address needs no escapes and can be copied.
  const addresses = facts.filter(({ label }) => label === "Address")
    .map(({ label, value }) => richText(`${label}: ${words(value, LONGEST_FACT)}`));
  const set: CardElement = {
    type: "FactSet",
    facts: [{ title: "Since", value: moment(event.since) }, ...others],
  };
  return [
    richText(`${sign} ${words(headline, LONGEST_HEADLINE)}`, {
      color,
      size: "Large",
      weight: "Bolder",
    }),
    ...(reason === "" ? [] : [richText(words(reason, LONGEST_REASON))]),
    ...(isOfSite(event) ? [set, ...addresses] : []),
  ];
}

/** One of several events. */
export function summaryElement(
  { sign, headline, reason, event, links }: ToldEvent,
): CardElement {
  const color = COLOURS[event.kind];
  const shown = links.map(({ text, address }) => `[${text}](${linkTarget(address)})`);
  return {
    type: "Container",
    separator: true,
    items: [
      richText(`${sign} ${words(headline, LONGEST_SUMMARY)}`, { color, weight: "Bolder" }),
      ...(reason === "" ? [] : [richText(words(reason, LONGEST_SUMMARY))]),
      textBlock([`Since ${moment(event.since)}`, ...shown].join(" · ")),
    ],
  };
}

/** Buttons to where one can read on. */
export function openUrls({ links }: ToldEvent): OpenUrl[] {
  return links.map(({ text, address }) => ({ type: "Action.OpenUrl", title: text, url: address }));
}

function words(text: string, longest: number): string {
  return cutText(withGaps(text), longest);
}

/** A moment that each reader sees in their own time zone; the functions take no fractions of seconds. */
function moment(time: string): string {
  const seconds = Temporal.Instant.from(time).toString({ smallestUnit: "second" });
  return `{{DATE(${seconds},SHORT)}} {{TIME(${seconds})}}`;
}
