import { cutText } from "../../cut_text.ts";
import { isOfSite } from "../../message.ts";
import type { ToldEvent } from "../../tell.ts";
import { plainText } from "../../../text/plain_text.ts";
import { escapeControl } from "./escape.ts";

/** A text object; plain ones know no markup. */
export type SlackText =
  | { type: "plain_text"; text: string; emoji?: false }
  | { type: "mrkdwn"; text: string; verbatim: true };

/** The blocks we use (docs.slack.dev/reference/block-kit/blocks). */
export type SlackBlock =
  | { type: "section"; text?: SlackText; fields?: SlackText[] }
  | { type: "context"; elements: SlackText[] };

/** Limits of Block Kit, in UTF-16 units. */
const LONGEST_SECTION = 3_000;
const LONGEST_FIELD = 2_000;
const LONGEST_ADDRESS = 900;
const MOST_FIELDS = 10;
/** Of one of several events. */
const LONGEST_SUMMARY = 400;

/** All there is to say of one event. */
export function eventBlocks(told: ToldEvent): SlackBlock[] {
  const { reason, event, facts } = told;
  const fields = [since(event.since, told.since), ...facts.map(fact)].slice(0, MOST_FIELDS);
  const linked = links(told);
  return [
    ...(reason === ""
      ? []
      : [{ type: "section", text: plain(reason, LONGEST_SECTION) } satisfies SlackBlock]),
    ...(isOfSite(event) ? [{ type: "section", fields } satisfies SlackBlock] : []),
    ...(linked === undefined ? [] : [{ type: "section", text: linked } satisfies SlackBlock]),
  ];
}

/** One of several events. */
export function summaryBlock(told: ToldEvent): SlackBlock {
  const text = plain(`${told.headline}: ${told.sentence}`, LONGEST_SUMMARY);
  const linked = links({ links: told.links.slice(0, 1) });
  return linked === undefined
    ? { type: "section", text }
    : { type: "section", fields: [text, linked] };
}

/** A moment that each reader sees in their own time zone. */
function since(time: string, readable: string): SlackText {
  const seconds = Math.floor(Temporal.Instant.from(time).epochMilliseconds / 1000);
  return {
    type: "mrkdwn",
    text: `*Since*\n<!date^${seconds}^{date_short_pretty} {time}|${readable}>`,
    verbatim: true,
  };
}

function fact({ label, value }: ToldEvent["facts"][number]): SlackText {
  return plainLines([label, value], LONGEST_FIELD);
}

function plain(text: string, longest: number): SlackText {
  return plainLines([text], longest);
}

function plainLines(lines: readonly string[], longest: number): SlackText {
  const text = lines.map(plainText).join("\n");
  return { type: "plain_text", text: cutText(text, longest), emoji: false };
}

/**
 * Links as text. A button would show a warning to whoever presses it, because no server of ours answers
 * that (docs.slack.dev/reference/block-kit/block-elements/button-element).
 */
function links({ links }: Pick<ToldEvent, "links">): SlackText | undefined {
  const shown = links.filter(({ address }) => address.length <= LONGEST_ADDRESS)
    .map(({ text, address }) =>
      `<${escapeControl(address).replaceAll("|", "%7C")}|${escapeControl(text)}>`
    );
  if (shown.length === 0) return undefined;
  return { type: "mrkdwn", text: shown.join(" · "), verbatim: true };
}
